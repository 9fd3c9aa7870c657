import { randomInt } from 'node:crypto';
import { failureOf, silentLog, until } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAddress } from '../../../src/engines/address.ts';
import { cleanPicture } from '../../../src/engines/clean-picture.ts';
import type { Drawing } from '../../../src/engines/engine.ts';
import { createHostedEngine } from '../../../src/engines/hosted/engine.ts';
import { createWebuiClient } from '../../../src/engines/webui/client.ts';
import { createWebuiEngine } from '../../../src/engines/webui/engine.ts';
import { img2imgBody, jobBody, txt2imgBody } from '../../../src/engines/webui/request-body.ts';
import { beginDrawing, drawingOf } from '../../support/drawings.ts';
import { noise, png } from '../../support/inputs.ts';
import { drawFrom, testPainting } from '../../support/real/painting.ts';
import type { RealServer } from '../../support/real/real-server.ts';
import { SDCPP_SERVER, startSdcpps, versionOfSdcpp } from '../../support/real/sdcpp.ts';
import { recordAnswers } from '../../support/recorded/record-answers.ts';
import { writeRecording } from '../../support/recorded/recording.ts';

test.runIf(SDCPP_SERVER === undefined)(
  'what is tried with a real stable-diffusion.cpp is skipped: SDCPP_TEST_SERVER names none',
  () => {
    expect(SDCPP_SERVER).toBeUndefined();
  },
);

/** Long enough for a picture on two busy cores. */
const PATIENCE_MS = 15 * 60_000;

describe.skipIf(SDCPP_SERVER === undefined)('a real stable-diffusion.cpp', { timeout: PATIENCE_MS }, () => {
  let servers: RealServer[] = [];
  let close: () => Promise<void> = async () => undefined;

  beforeAll(async () => {
    ({ servers, close } = await startSdcpps(2));
  }, PATIENCE_MS);
  const { answers, stop } = recordAnswers((host) => servers.some(({ url }) => new URL(url).host === host));
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it that no fixture is wanted.
  afterAll(async ({}, suite) => {
    stop();
    await close();
    await writeRecording('sdcpp', suite, async () => ({ version: await versionOfSdcpp(), answers }));
  }, PATIENCE_MS);

  /** The first one. */
  function one(): RealServer {
    const [first] = servers;
    if (!first) throw new Error('no server was started');
    return first;
  }

  const patience = () => AbortSignal.timeout(PATIENCE_MS);

  const closing = <Opened extends { close(): Promise<void> }>(opened: Opened): Opened => {
    onTestFinished(() => opened.close());
    return opened;
  };

  const engineOn = (those: readonly RealServer[]) =>
    closing(
      createWebuiEngine({
        servers: those.map(({ url }) => url),
        clock: systemClock,
        log: silentLog(),
        pollMs: 100,
      }),
    );

  const clientOf = ({ url }: RealServer) => closing(createWebuiClient({ address: readAddress(url) }));

  const small = (changes: Partial<Drawing> = {}) => ({
    ...drawingOf({ width: 64, height: 64, steps: 2, seed: randomInt(2 ** 32), ...changes }),
    prompt: 'a fox under a lantern',
  });

  const bytesOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes);

  test('is found by asking, and draws as a job, one picture for a seed', async () => {
    const engine = engineOn([one()]);
    const drawing = small();
    const { picture, remembered } = beginDrawing(engine, drawing);
    const first = await picture;
    expect(first).toMatchObject({ width: 64, height: 64 });
    expect((await sharp(first.bytes).stats()).entropy).toBeGreaterThan(1);
    expect(bytesOf(first).includes('a fox')).toBe(false);
    expect(remembered).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+ job_/)]);
    expect(bytesOf(await beginDrawing(engine, drawing).picture)).toEqual(bytesOf(first));
    expect(bytesOf(await beginDrawing(engine, small({ seed: drawing.seed + 1 })).picture)).not.toEqual(
      bytesOf(first),
    );
    expect(engine.abilities('default')).toMatchObject({ previews: false, cancelling: false });
    expect(await engine.models?.('default')).toEqual(['v1-5-pruned-emaonly-random']);
    expect(await engine.rejection?.({ prompt: '', workflow: 'anime', model: undefined })).toMatchObject({
      field: 'workflow',
    });
  });

  test('draws over the routes of a WebUI, writes the prompt into the picture, and it is removed', async () => {
    const client = clientOf(one());
    expect(await client.progress({ preview: true })).toBeUndefined();
    expect(await failureOf(client.interrupt())).toMatchObject({ status: 404 });
    const samplers = await client.samplers();
    expect(samplers).toContain('euler');
    const body = txt2imgBody(small(), { checkpoint: undefined, samplers });
    const [base64 = ''] = await client.draw('txt2img', body, patience());
    const written = Buffer.from(base64, 'base64');
    expect(written.includes('a fox under a lantern')).toBe(true);
    const picture = await cleanPicture(written);
    expect(picture).toMatchObject({ width: 64, height: 64 });
    expect(bytesOf(picture).includes('a fox')).toBe(false);
  });

  test('draws over the routes of OpenAI, with seed and steps from the block in the prompt', async () => {
    const engine = closing(
      await createHostedEngine({
        provider: 'openai-compatible',
        model: 'sd-turbo',
        key: undefined,
        baseUrl: `${one().url}/v1`,
        clock: systemClock,
        log: silentLog(),
      }),
    );
    expect(await engine.examine?.(patience())).toBe('The server of HOSTED_BASE_URL answers');
    const drawing = small();
    const first = await beginDrawing(engine, drawing).picture;
    expect(first).toMatchObject({ width: 64, height: 64 });
    expect(bytesOf(await beginDrawing(engine, drawing).picture)).toEqual(bytesOf(first));
    expect(bytesOf(await beginDrawing(engine, small({ seed: drawing.seed + 1 })).picture)).not.toEqual(
      bytesOf(first),
    );
  });

  test('is cancelled in its queue, and not while it draws: then the next one waits', async () => {
    const client = clientOf(one());
    const occupied = await client.submitJob(jobBody(small({ steps: 8 })), patience());
    const waiting = beginDrawing(engineOn([one()]), small());
    await until(() => waiting.remembered.length > 0, 'it waits in the queue');
    const [, job = ''] = waiting.remembered[0]?.split(' ') ?? [];
    expect(await client.job(job, patience())).toMatchObject({ status: 'queued' });
    waiting.stop('lost');
    expect(await failureOf(waiting.picture)).toBe('lost');
    expect(await client.job(job, patience())).toMatchObject({ status: 'cancelled' });
    expect(await failureOf(client.cancelJob(occupied))).toMatchObject({ status: 409 });
    const next = beginDrawing(engineOn([one()]), small());
    await next.picture;
    expect(await client.job(occupied, patience())).toMatchObject({ status: 'completed' });
  });

  test('goes on with a job of an earlier process', async () => {
    const before = engineOn([one()]);
    const drawing = small({ steps: 10 });
    const { picture, remembered } = beginDrawing(before, drawing);
    await until(() => remembered.length > 0, 'the job is remembered');
    await before.close();
    expect(await failureOf(picture)).toBe('closing');
    const after = beginDrawing(engineOn([one()]), drawing, { remembered: remembered[0] });
    expect(await after.picture).toMatchObject({ width: 64 });
    expect(after.remembered).toEqual([]);
  });

  test('that is killed while it draws and is back draws again', async () => {
    const { picture, progress, remembered } = beginDrawing(engineOn([one()]), small({ steps: 8 }));
    await until(() => progress.length > 0, 'it draws');
    await one().kill();
    await one().start();
    expect(await picture).toMatchObject({ width: 64 });
    expect(remembered).toHaveLength(2);
  });

  test('shares the work with another one', async () => {
    const engine = engineOn(servers);
    const drawings = [beginDrawing(engine, small()), beginDrawing(engine, small())];
    for (const { picture } of drawings) expect(await picture).toMatchObject({ width: 64 });
    const names = drawings.map(({ remembered }) => remembered[0]?.split(' ')[0]);
    expect(new Set(names).size).toBe(2);
  });

  testPainting(
    drawFrom((changes, given) => beginDrawing(engineOn([one()]), { ...small(), ...changes }, given).picture),
  );

  test('paints over pictures, and does not enlarge them', async () => {
    expect(await engineOn([one()]).operations?.('default')).toEqual({
      edit: { images: 1, mask: true, strength: true },
      expand: {},
    });
  });

  test('draws over a picture by the route of a WebUI, too', async () => {
    const size = { width: 64, height: 64 };
    const picture = await png(noise(size));
    const mask = await png(noise({ ...size, channels: 1 }));
    const beginning = { picture, mask, strength: 0.8 };
    const body = img2imgBody(small(), beginning, { checkpoint: undefined, samplers: [] });
    const [base64 = ''] = await clientOf(one()).draw('img2img', body, patience());
    expect(await cleanPicture(Buffer.from(base64, 'base64'))).toMatchObject(size);
  });

  test('says what is wrong with a request', async () => {
    const drawing = { ...small(), prompt: '' };
    const client = clientOf(one());
    expect(await failureOf(client.submitJob('nonsense', patience()))).toMatchObject({ status: 500 });
    const body = txt2imgBody(drawing, { checkpoint: undefined, samplers: [] });
    expect(await failureOf(client.draw('txt2img', body, patience()))).toMatchObject({
      status: 400,
      body: { error: 'prompt required' },
    });
  });
});

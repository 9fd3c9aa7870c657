import { until } from '@darkroom/testing';
import type { APIMessage } from 'discord-api-types/v10';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { answer } from '../../packages/image-api/test/support/behaviours.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import { oneCall, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { confirmed } from '../../src/playground/demo/confirmed.ts';
import { botWorld } from '../support/bot.ts';
import { hostileWorld } from '../support/hostile-world.ts';

const aPreview = (shade: number) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: { r: shade, g: 0, b: 0 } } })
    .webp()
    .toBuffer();

/** A job whose pictures and previews the test draws. */
async function developing(options: Record<string, string | number> = {}) {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  const asked = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox', ...options });
  const answer = options.count === undefined ? asked : await confirmed(asked, world.member);
  if (answer.kind !== 'message') throw new Error(answer.kind);
  const { id } = answer.message;
  const message = () => world.member.message(id) ?? answer.message;
  const names = () => message().attachments.map(({ filename }) => filename);
  let percent = 10;

  /** The reply once it is `as` wanted; the picture goes on meanwhile, so that there is always an edit to come. */
  const shows = (as: (message: APIMessage) => boolean, draw?: (percent: number) => void) =>
    until(() => {
      percent = Math.min(95, percent + 0.2);
      draw?.(percent);
      return as(message()) ? message() : undefined;
    }, 'a preview');
  return { ...world, engine, id, names, shows };
}

test('the reply shows the picture as it develops, and in the end the picture alone', async () => {
  const { engine, shows, attached, ended, id } = await developing();
  const drawing = await engine.next();
  const previews = [await aPreview(60), await aPreview(160)];
  const seen = new Set<string | undefined>();
  for (const preview of previews) {
    const message = await shows(
      ({ attachments: [first] }) => first !== undefined && !seen.has(first.id),
      (percent) => drawing.progress(percent, preview),
    );
    expect(message.attachments).toMatchObject([{ filename: 'preview-1.webp' }]);
    expect(message.attachments[0]?.description).toContain('a red fox');
    expect(Buffer.from(await attached(message))).toEqual(preview);
    seen.add(message.attachments[0]?.id);
  }
  await drawing.finish();
  const outcome = await ended(id);
  expect(outcome.attachments.map(({ filename }) => filename)).toEqual([expect.stringMatching(/^darkroom-/)]);
});

test('a preview that has not changed is not sent again, and stays', async () => {
  const { engine, shows } = await developing();
  const drawing = await engine.next();
  const preview = await aPreview(60);
  const draw = (percent: number) => drawing.progress(percent, preview);
  const before = await shows(({ attachments }) => attachments.length === 1, draw);
  const after = await shows(({ content }) => content !== before.content, draw);
  expect(after.attachments.map(({ id }) => id)).toEqual(before.attachments.map(({ id }) => id));
});

test('several pictures show a preview of each, and one that is finished keeps its last', async () => {
  const { engine, shows, names } = await developing({ count: 2 });
  const drawings = [await engine.next(), await engine.next()];
  const previews = [await aPreview(50), await aPreview(90)];
  const draw = (percent: number) => {
    for (const [index, preview] of previews.entries()) drawings[index]?.progress(percent, preview);
  };
  await shows(({ attachments }) => attachments.length === 2, draw);
  await drawings[0]?.finish();
  await shows(
    ({ content }) => content.includes('finished'),
    (percent) => drawings[1]?.progress(percent),
  );
  expect(names().toSorted()).toEqual(['preview-1.webp', 'preview-2.webp']);
});

test('a Discord that does not take a preview gets the words alone', async () => {
  const { engine, shows, discord, names } = await developing();
  const drawing = await engine.next();
  await shows(
    ({ content }) => content.includes('10 %'),
    () => drawing.progress(10),
  );
  discord.faults.add({ next: oneCall.replyFiles, effect: refusal(413, 40005) });
  const preview = await aPreview(60);
  const shown = await shows(
    ({ content }) => content.includes('%') && !content.includes('10 %'),
    (percent) => drawing.progress(percent, preview),
  );
  await shows(
    ({ content }) => content !== shown.content,
    (percent) => drawing.progress(percent, preview),
  );
  expect(names()).toEqual([]);
});

/** A job of two pictures at a service that says of each what the test says. */
async function twoPictures() {
  const { service, world } = await hostileWorld({ operatorKey: A_KEY });
  const asked = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox', count: 2 });
  const answered = messageOf(await confirmed(asked, world.member));
  const { id } = answered;
  const said: Record<string, unknown>[] = [{}, {}];
  const tasks: string[] = [];
  service.script('status', ({ request, ...exchange }) => {
    const taskId = request.query.get('task_id') ?? '';
    if (!tasks.includes(taskId)) tasks.push(taskId);
    const one = said[tasks.indexOf(taskId)];
    const picture = `${exchange.baseUrl}/pictures/${taskId}.png`;
    const result = one?.status === 'completed' ? { image_url: picture } : null;
    const task = { id: taskId, status: 'processing', created_at: null, progress: 40, preview_url: picture };
    return answer({ ...task, result, ...one })({ request, ...exchange });
  });
  const names = () =>
    world.member
      .message(id)
      ?.attachments.map(({ filename }) => filename)
      .toSorted();
  return {
    ...world,
    id,
    names,
    /** From now on the service says this of the nth task that it was asked about. */
    say(nth: number, what: Record<string, unknown>) {
      said[nth] = what;
    },
  };
}

const TWO = ['preview-1.png', 'preview-2.png'];

test('a picture that is flagged when it is finished takes its preview away, and leaves those of the others', async () => {
  const { names, say } = await twoPictures();
  await expect.poll(names).toEqual(TWO);
  say(0, { status: 'completed', nsfw: true });
  await expect.poll(names).toHaveLength(1);
});

test('what is flagged while it develops goes on behind a spoiler, as its picture will', async () => {
  const { names, say } = await twoPictures();
  await expect.poll(names).toEqual(TWO);
  say(0, { flagged: true });
  say(1, { flagged: true });
  await expect.poll(names).toEqual(TWO.map((name) => `SPOILER_${name}`));
});

test('a picture that fails leaves no preview', async () => {
  const { names, say } = await twoPictures();
  await expect.poll(names).toEqual(TWO);
  say(1, { status: 'failed', error: 'out of memory' });
  await expect.poll(names).toHaveLength(1);
});

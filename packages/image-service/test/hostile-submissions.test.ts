import { measuringTurns } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { createServiceWorld } from './support/service.ts';
import { startService } from './support/service-process.ts';
import { testStorage } from './support/storage.ts';

/** What one submission may have, in bytes, less what stands around a text. */
const LONGEST = 1_048_576 - 1_000;
const SUBMIT = '/v1/index.php?endpoint=image_generation';

const filled = (piece: string, characters = LONGEST): string =>
  piece.repeat(Math.floor(characters / Buffer.byteLength(piece)));
const graphOf = (inputs: string): string =>
  `{"prompt":{"1":{"class_type":"CLIPTextEncode","inputs":${inputs}},"2":{"class_type":"SaveImage","inputs":{"images":["1",0]}}}}`;

const manyTexts = (nodes: number, text: string): string =>
  `{"prompt":{${Array.from({ length: nodes }, (_, id) => `"${id}":{"class_type":"CLIPTextEncode","inputs":{"text":"${text}"}}`)},"x":{"class_type":"SaveImage","inputs":{"images":["1",0]}}}}`;

/** Bodies of the longest submissions, of what takes longest to read. */
const BODIES = [
  ...['a ', 'a://x', '%prompt%', '\ufdfa', '--seed '].map((piece) => graphOf(`{"text":"${filled(piece)}"}`)),
  ...['0,', '{},', '[],', '"",'].map((piece) => graphOf(`{"list":[${filled(piece)}0]}`)),
  graphOf(`{${filled('"a":1,')}"b":1}`),
  graphOf(`{"deep":${filled('[', LONGEST / 2)}${filled(']', LONGEST / 2)}}`),
  // As much as is taken.
  ...['a ', 'a://x', '\ufdfa', 'eyJabcdefgh-'].map((piece) => manyTexts(100, filled(piece, 9_999))),
  graphOf(`{"list":[${'{},'.repeat(19_000)}0]}`),
  `{"prompt":{${Array.from({ length: 25_000 }, (_, id) => `"${id}":{"class_type":"A","inputs":{}}`)}}}`,
  `{"prompt":"${filled('a ')}"}`,
  `{"prompt":"a","webhook":"https://${filled('a.')}"}`,
  ...['A', '/', 'A='].map(
    (piece) => `{"operation":"upscale","image":"data:image/png;base64,iVBORw0KGgo${filled(piece)}"}`,
  ),
  `{"operation":"upscale","image":[${filled('"task:1",')}"task:1"]}`,
  filled('[') + filled('{'),
];

test.runIf(process.platform === 'linux')(
  'no submission keeps another account waiting for 200 ms',
  async () => {
    const storage = await testStorage();
    const setup = await createServiceWorld({ storage, credits: 1_000 });
    const stranger = await setup.addAccount();
    await setup.close();
    const turns = measuringTurns(storage.folder);
    const service = startService(storage, { ...turns.env });
    const url = await service.url();
    const submit = (body: string, key: string) =>
      fetch(`${url}${SUBMIT}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-api-key': key },
      });
    const ask = async () => (await submit('{"prompt":"a fox","width":64,"height":64}', stranger.key)).status;
    await Promise.all([submit(graphOf('{}'), setup.key), ask()]);
    turns.begin(service);
    for (const body of BODIES) {
      const [hostile, ...others] = await Promise.all([submit(body, setup.key), ask(), ask()]);
      expect([200, 400, 413, 422], body.slice(0, 80)).toContain(hostile.status);
      expect(others, body.slice(0, 80)).toEqual([200, 200]);
    }
    expect((await service.end()).code).toBe(0);

    expect(await turns.longestMs()).toBeLessThan(200);
  },
);

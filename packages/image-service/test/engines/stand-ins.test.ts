import { randomUUID } from 'node:crypto';
import { failureOf, until } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { readAddress } from '../../src/engines/address.ts';
import { createComfyClient } from '../../src/engines/comfyui/client.ts';
import { loadNode, saveNode } from '../../src/engines/comfyui/graphs/nodes.ts';
import type { Source } from '../../src/engines/engine.ts';
import { comfyWorld, noiseGraph } from '../support/comfy-engine.ts';
import { createFakeComfy } from '../support/fake-comfyui.ts';
import { createFakeSdcpp } from '../support/fake-sdcpp.ts';
import { inputs, noise } from '../support/inputs.ts';
import { recordAnswers } from '../support/recorded/record-answers.ts';
import { readRecording, unheardOf } from '../support/recorded/recording.ts';
import { engineOn } from '../support/webui-engine.ts';

/** What a stand-in answers from now on. */
function answersOf({ url }: { url: string }) {
  const { answers, stop } = recordAnswers((host) => host === new URL(url).host);
  onTestFinished(stop);
  return answers;
}

test.each(['comfyui', 'comfyui-without-jobs'] as const)(
  'the stand-in says nothing that the real %s does not',
  async (recorded) => {
    const recording = await readRecording(recorded);
    const comfy = await createFakeComfy({ version: recording.version });
    const answers = answersOf(comfy);
    const { engine, begin, draw } = await comfyWorld({ fakes: [comfy] });
    await draw();
    await draw({ prompt: noiseGraph() });
    const { input, readInput } = inputs();
    const image = await input(noise({ width: 64, height: 64 }));
    const source: Source = { operation: 'edit', images: [image], strength: 0.5 };
    await draw({ width: 64, height: 64, source }, { readInput });
    const client = createComfyClient({ address: readAddress(comfy.url) });
    onTestFinished(client.close);
    const graph = { picture: loadNode('gone.png [temp]'), save: saveNode('picture') };
    const submission = { graph, promptId: randomUUID(), clientId: undefined };
    expect(await client.submit(submission, AbortSignal.timeout(60_000))).toMatchObject({ accepted: false });
    comfy.prompts.hold();
    const [running, waiting] = [begin(), begin({ taskId: randomUUID(), seed: 8 })];
    await until(() => comfy.prompts.pending.length === 1, 'one of them waits');
    waiting.stop('deadline');
    await failureOf(waiting.picture);
    comfy.prompts.release();
    await running.picture;
    await engine.rejection?.({ prompt: 'a fox', workflow: 'default', model: 'pony' });
    expect(Object.keys(answers)).toEqual(
      expect.arrayContaining(['POST /prompt 200', 'POST /prompt 400', 'socket progress']),
    );
    expect(unheardOf(answers, recording)).toEqual([]);
  },
);

test('the stand-in of stable-diffusion.cpp says nothing that the real one does not', async () => {
  const sdcpp = await createFakeSdcpp();
  const answers = answersOf(sdcpp);
  const { engine, begin } = engineOn([sdcpp]);
  const drawn = begin();
  await sdcpp.finish(await sdcpp.job());
  await drawn.picture;
  const waiting = begin({ seed: 8 });
  await until(() => waiting.remembered.length > 0, 'the job is remembered');
  waiting.stop('deadline');
  await failureOf(waiting.picture);
  await engine.models?.('default');
  await until(() => answers['POST /sdcpp/v1/jobs/{id}/cancel 200'], 'the answer to what was cancelled');
  expect(Object.keys(answers)).toEqual(
    expect.arrayContaining([
      'GET /sdcpp/v1/capabilities 200',
      'GET /sdapi/v1/sd-models 200',
      'POST /sdcpp/v1/img_gen 202',
      'GET /sdcpp/v1/jobs/{id} 200',
    ]),
  );
  expect(unheardOf(answers, await readRecording('sdcpp'))).toEqual([]);
});

import { watch } from 'node:fs';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { FIRST_CHANNEL, MEMBER } from '../src/playground/demo-world.ts';
import { startBenchPlayground } from './bench-playground.ts';
import type { Line } from './line.ts';

const RUNS = 6;

/**
 * The time from `/imagine` to its first answer, and from the finished file in the service's folder to the picture in
 * the chat.
 */
export async function chatLatency(): Promise<readonly Line[]> {
  const playground = await startBenchPlayground();
  const member = playground.discord.as(MEMBER.id);
  let finishedAt = 0;
  const files = watch(playground.pictures, (_, name) => {
    if (name?.endsWith('.png')) finishedAt = performance.now();
  });
  const answers: number[] = [];
  const pictures: number[] = [];
  try {
    for (let run = 0; run < RUNS; run += 1) {
      const startedAt = performance.now();
      const answer = await member.invoke(FIRST_CHANNEL, 'imagine', {
        prompt: 'a red fox in the snow',
        seed: run,
      });
      answers.push(performance.now() - startedAt);
      if (answer.kind !== 'message') throw new Error(`/imagine was answered with ${answer.kind}`);
      const { id } = answer.message;
      await member.waitForMessage((message) => message.id === id && message.attachments.length > 0, {
        signal: AbortSignal.timeout(WAIT_TIMEOUT_MS),
      });
      pictures.push(performance.now() - finishedAt);
    }
  } finally {
    files.close();
    await playground.stop();
  }
  return [
    { name: '/imagine: first answer', unit: 'ms', ours: answers },
    // The service is asked every 2 to 3 s, so a picture waits half of that at the median.
    { name: 'picture in the chat after the service has it', unit: 'ms', ours: pictures },
  ];
}

import { watch } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/clock.ts';
import { loadConfig } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { FIRST_CHANNEL, MEMBER } from '../src/playground/neighbourhood.ts';
import { createPlayground } from '../src/playground/playground.ts';
import { duration, median } from './figures.ts';

const RUNS = 10;

/** From `/imagine` to its first answer, and from the finished picture in the service's folder to the picture in the chat. */
export async function chat(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  await mkdir(join(folder, 'pictures'));
  const playground = await createPlayground({
    config: loadConfig({ PLAYGROUND_PORT: '0', SERVICE_PORT: '0' }),
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    folder,
    paceMs: 0,
  });
  const member = playground.discord.as(MEMBER.id);
  let finishedAt = 0;
  const files = watch(join(folder, 'pictures'), () => {
    finishedAt = performance.now();
  });
  const answers: number[] = [];
  const pictures: number[] = [];
  try {
    for (let run = 0; run < RUNS; run += 1) {
      const begun = performance.now();
      const answer = await member.invoke(FIRST_CHANNEL, 'imagine', {
        prompt: 'a red fox in the snow',
        seed: run,
      });
      answers.push(performance.now() - begun);
      if (answer.kind !== 'message') throw new Error(`/imagine was answered with ${answer.kind}`);
      const { id } = answer.message;
      await member.waitForMessage((message) => message.id === id && message.attachments.length > 0);
      pictures.push(performance.now() - finishedAt);
    }
  } finally {
    files.close();
    await playground.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return [
    `/imagine answered: ${duration(median(answers))} (slowest of ${RUNS}: ${duration(Math.max(...answers))})`,
    `picture in the chat after the service has it: ${duration(median(pictures))} (slowest: ` +
      `${duration(Math.max(...pictures))}); the service is asked every 2 to 3 s`,
  ];
}

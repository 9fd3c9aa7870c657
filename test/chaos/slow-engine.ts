import { setTimeout as delay } from 'node:timers/promises';
import type { Submission } from '@darkroom/image-api';
import { ALL_ABILITIES, DrawingError, type Engine } from '@darkroom/image-service';
import type { Streams } from '@darkroom/testing';
import { ALL_OPERATIONS, inputsOf, paint } from '../../packages/image-service/test/support/engines.ts';
import { isSeeded } from '../../src/jobs/task-submission.ts';

/**
 * Takes up to two seconds for a picture, in steps, and fails some that begin with words alone. The prompt decides
 * which, and how long.
 */
export function createSlowEngine(streams: Streams, now: () => number) {
  const finishedAt = new Map<string, number>();
  const engine: Engine = {
    name: 'slow',
    abilities: () => ALL_ABILITIES,
    operations: async () => ALL_OPERATIONS,
    async draw(drawing, { signal, onProgress, readInput }) {
      for (const picture of inputsOf(drawing)) await readInput(picture);
      const random = streams('drawing', `${drawing.prompt}`);
      const stepMs = random.between(0, 10) ** 2 * 4;
      const fails = random.chance(0.05) && !drawing.source;
      for (let percent = 20; percent < 100; percent += 20) {
        await delay(stepMs, undefined, { signal });
        onProgress({ percent });
      }
      if (fails) throw new DrawingError('the brush broke');
      finishedAt.set(keyOf(drawing.prompt, drawing.source?.operation, drawing.seed), now());
      return paint(drawing);
    },
    close: async () => {},
  };
  return {
    engine,
    /** When it had drawn a picture, by the clock of the run. */
    finishedAt: ({ prompt, operation }: Submission, seed: number): number | undefined =>
      finishedAt.get(keyOf(prompt, operation, seed)),
  };
}

/** What is drawn without a seed has one that only the service knows. */
const keyOf = (prompt: Submission['prompt'], operation: Submission['operation'], seed: number): string =>
  `${prompt} ${isSeeded({ operation }) ? seed : operation}`;

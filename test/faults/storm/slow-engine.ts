import { setTimeout as delay } from 'node:timers/promises';
import { DrawingError, type Engine } from '../../../src/service/engines/engine.ts';
import { paint } from '../../support/engines.ts';
import type { Random } from './random.ts';

/** Takes up to two seconds for a picture, in steps; some drawings fail. */
export const slowEngine = (random: Random): Engine => ({
  name: 'slow',
  async draw(drawing, { signal, onDevelopment }) {
    const stepMs = random.between(0, 400);
    for (let percent = 20; percent < 100; percent += 20) {
      await delay(stepMs, undefined, { signal });
      onDevelopment({ percent });
    }
    if (random.chance(0.05)) throw new DrawingError('the brush broke');
    return paint(drawing);
  },
  close: async () => {},
});

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSketcher } from '@darkroom/sketch';
import type { Line } from './line.ts';

const RUNS = 12;
const SIDE = 512;
const STEPS = 20;
const PROMPTS = [
  'a red fox in the snow',
  'a lighthouse in a storm, oil painting',
  'a castle by the sea at dusk',
];

/** How long a picture takes in one worker thread, and the longest event-loop delay of the thread that orders it. */
export async function sketchTime(): Promise<readonly Line[]> {
  const sketcher = createSketcher({ workers: 1 });
  const draw = async (seed: number): Promise<number> => {
    const startedAt = performance.now();
    await sketcher.paint(
      {
        workflow: 'default',
        prompt: PROMPTS[seed % PROMPTS.length] ?? '',
        negativePrompt: '',
        width: SIDE,
        height: SIDE,
        steps: STEPS,
        seed,
        cfg: 7,
      },
      { signal: AbortSignal.timeout(60_000), onProgress: () => {} },
    );
    return performance.now() - startedAt;
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  try {
    await draw(0);
    delay.enable();
    for (let run = 1; run <= RUNS; run += 1) times.push(await draw(run));
    delay.disable();
  } finally {
    await sketcher.close();
  }
  return [
    { name: `${SIDE} × ${SIDE} in ${STEPS} steps on one core`, unit: 'ms', ours: times },
    { name: 'longest event-loop delay meanwhile', unit: 'ms', ours: [delay.max / 1e6] },
  ];
}

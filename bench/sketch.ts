import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSketchEngine } from '../src/service/engines/sketch/engine.ts';
import { duration, median } from './figures.ts';

const RUNS = 12;
const SIDE = 512;
const STEPS = 20;
const PROMPTS = [
  'a red fox in the snow',
  'a lighthouse in a storm, oil painting',
  'a castle by the sea at dusk',
];

/** One picture after another in one worker thread, and how long the thread that asks for them is ever held up. */
export async function sketch(): Promise<readonly string[]> {
  const engine = createSketchEngine({ workers: 1 });
  const draw = async (seed: number): Promise<number> => {
    const begun = performance.now();
    await engine.draw(
      {
        taskId: `bench-${seed}`,
        workflow: 'default',
        prompt: PROMPTS[seed % PROMPTS.length] ?? '',
        negativePrompt: '',
        width: SIDE,
        height: SIDE,
        steps: STEPS,
        seed,
        cfg: 7,
        model: undefined,
      },
      { signal: AbortSignal.timeout(60_000), onDevelopment: () => {} },
    );
    return performance.now() - begun;
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  try {
    await draw(0);
    delay.enable();
    for (let run = 1; run <= RUNS; run += 1) times.push(await draw(run));
    delay.disable();
  } finally {
    await engine.close();
  }
  return [
    `${SIDE} × ${SIDE} in ${STEPS} steps on one core: ${duration(median(times))} ` +
      `(slowest of ${RUNS}: ${duration(Math.max(...times))})`,
    `longest event-loop delay meanwhile: ${duration(delay.max / 1e6)}`,
  ];
}

import { messageOf, OperatorError, silentLog } from '@darkroom/process';
import { systemClock } from '@darkroom/time';
import type { Config } from '../../config.ts';
import type { Words } from '../words/words.ts';
import type { Checkups } from './checkup.ts';

/** Whether what draws for the included service can: machines, keys, packages, workflows. Nothing is drawn. */
export const engineCheckups = (config: Config, words: Words): Checkups =>
  config.IMAGE_API_URL === undefined ? { engines: (signal) => examineEngines(config, words, signal) } : {};

async function examineEngines(config: Config, { doctor }: Words, signal: AbortSignal): Promise<string> {
  // Engines are loaded by whoever has a service in the process.
  const { createWorkflows, examineWorkflow, openEngines } = await import('@darkroom/image-service/engines');
  const log = silentLog();
  const engines = await openEngines(config, { clock: systemClock, log, paceMs: 0 });
  try {
    const workflows = createWorkflows({
      engines,
      settings: config.SERVICE_WORKFLOWS,
      pictureCost: config.HOSTED_COST,
      budget: config.SERVICE_BUDGET,
    });
    const found = await Promise.allSettled([
      ...engines.map(async ({ name, examine }) => examine && `${name}: ${await examine(signal)}`),
      ...workflows.all.map(examineWorkflow),
    ]);
    const wrong = found.flatMap((each) => (each.status === 'rejected' ? [messageOf(each.reason)] : []));
    if (wrong.length > 0) throw new OperatorError(wrong.join(' '));
    const well = found.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
    return well.join('; ') || doctor.sketches;
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
}

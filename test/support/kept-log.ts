import { createLog } from '../../src/log.ts';

/** A log that says everything, and every line of it so far. */
export function keptLog() {
  const lines: string[] = [];
  return {
    log: createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    lines,
  };
}

import { createLog } from '@darkroom/process';

/** A log of every level, and its lines so far. */
export function captureLog(scrub: (line: string) => string = (line) => line) {
  const lines: string[] = [];
  return {
    log: createLog({ level: 'debug', scrub, destination: { write: (line) => void lines.push(line) } }),
    lines,
  };
}

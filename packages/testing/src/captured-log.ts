import { createLog } from '@darkroom/process';

const unchanged = (line: string) => line;

/** A log of every level, and its lines so far. */
export function captureLog(scrub: (line: string) => string = unchanged) {
  const lines: string[] = [];
  return {
    log: createLog({ level: 'debug', scrub, destination: { write: (line) => void lines.push(line) } }),
    lines,
  };
}

import { type DestinationStream, type Level, type Logger, pino, type SerializedError } from 'pino';

export type Log = Logger;

/**
 * An error as it is logged: its words, stack and causes, and of what else it carries the plain values. Objects are
 * left out: discord.js keeps whole request bodies in its errors, with prompts and, byte by byte, pictures.
 */
function describe(error: Error): unknown {
  const plain = (described: SerializedError): unknown =>
    Object.fromEntries(
      Object.entries(described).flatMap(([name, value]) => {
        if (name === 'aggregateErrors') return [[name, described.aggregateErrors?.map(plain)]];
        return typeof value === 'object' ? [] : [[name, value]];
      }),
    );
  return error instanceof Error ? plain(pino.stdSerializers.err(error)) : error;
}

export interface LogOptions {
  /** A whole line without the secrets in it. */
  scrub: (line: string) => string;
  /** `info` unless given. */
  level?: Level | 'silent' | undefined;
  destination?: DestinationStream;
}

/** Characters of lines that are kept while they cannot be written; what is beyond is dropped. */
const MAX_KEPT = 1_000_000;

/**
 * Synchronous, so that the last line before an exit is written. A full disk may cost lines, and never the process.
 */
function openOutput() {
  const output = pino.destination({ sync: true, maxLength: MAX_KEPT });
  return output.on('error', () => undefined);
}

/**
 * Where the log of a program goes: to a terminal in lines for people, to anything else as it is. What makes lines
 * readable costs 9 MB, and is loaded for a terminal only.
 */
export async function standardOutput(): Promise<DestinationStream> {
  const output = openOutput();
  if (!process.stdout.isTTY) return output;
  const { isColorSupported, prettyFactory } = await import('pino-pretty');
  const readable = prettyFactory({
    colorize: isColorSupported,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  return { write: (line) => void output.write(readable(line)) };
}

/** JSON lines on `destination` (standard output unless given), each one scrubbed of secrets before it is written. */
export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describe },
      hooks: { streamWrite: options.scrub },
    },
    options.destination ?? openOutput(),
  );
}

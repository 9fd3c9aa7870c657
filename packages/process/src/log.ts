import { accessSync, constants, fstatSync } from 'node:fs';
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

let opened: DestinationStream | undefined;

/**
 * Synchronous, so that the last line before an exit is written: a pipe and a terminal take it at once, too, while they
 * have room. A full disk, or somebody who does not read, may cost lines, and never the process. One for all logs of
 * the process.
 */
function output(): DestinationStream {
  opened ??= openOutput();
  return opened;
}

function openOutput(): DestinationStream {
  if (isPipe(STDOUT) || unblock(process.stdout)) {
    const stdout = process.stdout.on('error', () => undefined);
    return { write: (line) => void (stdout.writableLength < MAX_KEPT && stdout.write(line)) };
  }
  return pino.destination({ fd: STDOUT, sync: true, maxLength: MAX_KEPT }).on('error', () => undefined);
}

const STDOUT = 1;

/** What a write waits at for its reader: systemd gives a socket, Docker and a shell a pipe. */
function isPipe(fd: number): boolean {
  const file = fstatSync(fd);
  return file.isFIFO() || file.isSocket();
}

/**
 * Has what is written to a terminal wait for nobody, where that can be: Ctrl-S stops a terminal, and Node, which has no
 * option for it, stops with it. One that cannot be opened anew, as after `su`, stays as it is: libuv would try again and
 * again to write to it.
 */
function unblock(stream: NodeJS.WriteStream): boolean {
  const handle: unknown = stream.isTTY && Reflect.get(stream, '_handle');
  if (!(handle instanceof Object && 'setBlocking' in handle && typeof handle.setBlocking === 'function'))
    return false;
  try {
    accessSync('/dev/stdout', constants.W_OK);
  } catch {
    return false;
  }
  handle.setBlocking(false);
  return true;
}

/**
 * Where the log of a program goes: to a terminal in lines for people, to anything else as it is. What makes lines
 * readable costs 9 MB, and is loaded for a terminal only.
 */
export async function standardOutput(): Promise<DestinationStream> {
  if (!process.stdout.isTTY) return output();
  const { isColorSupported, prettyFactory } = await import('pino-pretty');
  const readable = prettyFactory({
    colorize: isColorSupported,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  return { write: (line) => void output().write(readable(line)) };
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
    options.destination ?? output(),
  );
}

/** The log of what says in another way what went wrong. */
export const silentLog = (): Log => createLog({ level: 'silent', scrub: () => '' });

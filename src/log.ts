import { type DestinationStream, type Level, type Logger, pino, type SerializedError } from 'pino';

export type Log = Logger;

/**
 * What must never be read in a log line, whatever stands around it. The forms are known: keys `sk-` + 48 hex and login
 * tokens `lt-` + 48 hex (ours), Discord's bot tokens, and interaction tokens, which stand in the path of every webhook
 * call and begin with the Base64 of `interaction:`.
 */
const SECRETS: readonly [RegExp, string][] = [
  [/(sk|lt)-[0-9a-f]{44}([0-9a-f]{4})/gi, '$1-…$2'],
  [/(?<![\w-])[\w-]{23,}\.[\w-]{6,7}\.[\w-]{27,}/g, '[bot token]'],
  [/aW50ZXJhY3Rpb246[\w+/=-]{20,}/g, '[interaction token]'],
  [/((?:webhooks|interactions)\/\d{17,20}\/)[\w%.~-]{20,}/g, '$1[token]'],
  [/([?&](?:api_key|token)=)[^&\s"\\]+/gi, '$1[secret]'],
  [/("(?:api_key|token|x-api-key|authorization)\\*"\s*:\s*\\*")[^"\\]+/gi, '$1[secret]'],
  [
    /((?:x-api-key|authorization)\\*['"]?\s*[:=](?!\s*\[?\\*['"]?\[secret\])\s*\[?\\*['"]?)(?:(?:bearer|basic|bot) +)?[^\s'",\\\]}]+/gi,
    '$1[secret]',
  ],
  [/(\w:\/\/[^\s:@/]*:)[^\s:@/]+(?=@)/g, '$1[secret]'],
];

/** `text` with every secret of a known form replaced; the last four characters of a key stay. */
export function scrub(text: string): string {
  return SECRETS.reduce((scrubbed, [form, replacement]) => scrubbed.replace(form, replacement), text);
}

/**
 * An error as it is logged: its words, stack and causes, and of what else it carries the plain values. Objects are left
 * out: discord.js keeps whole request bodies in its errors, with prompts and, byte by byte, pictures.
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

/** JSON lines on `destination` (standard output unless given), each one scrubbed of secrets before it is written. */
export function createLog(options: {
  /** `info` unless given. */
  level?: Level | 'silent' | undefined;
  destination?: DestinationStream;
}): Log {
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describe },
      hooks: { streamWrite: scrub },
    },
    options.destination ?? pino.destination({ sync: true }),
  );
}

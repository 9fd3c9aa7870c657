import { redactCredentials } from '@darkroom/image-api/contract';
import { createLog as createProcessLog, type Log, type LogOptions } from '@darkroom/process';
import { z } from 'zod';

/**
 * Discord's own: bot tokens, and interaction tokens, which stand in the path of every webhook call and begin with the
 * Base64 of `interaction:`.
 */
const DISCORD_TOKENS: readonly [RegExp, string][] = [
  [/(?<![\w-])[\w-]{23,}\.[\w-]{6,7}\.[\w-]{27,}/g, '[bot token]'],
  [/aW50ZXJhY3Rpb246[\w+/=-]{20,}/g, '[interaction token]'],
  [/((?:webhooks|interactions)\/\d{17,20}\/)[\w%.~-]{20,}/g, '$1[token]'],
];

/** `text` without the secrets of Discord and of the image service. */
export const scrub = (text: string): string =>
  DISCORD_TOKENS.reduce(
    (scrubbed, [form, replacement]) => scrubbed.replace(form, replacement),
    redactCredentials(text),
  );

export const createLog = (options: Omit<LogOptions, 'scrub'>): Log => createProcessLog({ ...options, scrub });

const entry = z.object({ msg: z.string().catch('') });

/** Where a log goes of which each message is heard once: what is tried again says it each time. */
export function onceEach(onMessage: (message: string) => void) {
  const heard = new Set<string>();
  return {
    write(line: string): void {
      const { msg } = entry.parse(JSON.parse(line));
      if (!heard.has(msg)) onMessage(msg);
      heard.add(msg);
    },
  };
}

import { UnreadableKeyError, UserError } from '../errors.ts';
import { failureOf } from '../jobs/failure.ts';
import type { Log } from '../log.ts';
import { linkKey, rowsOf } from './buttons.ts';
import type { Texts } from './locale/en.ts';
import type { Message } from './message.ts';
import { Refusal } from './refusal.ts';
import { explainFailure } from './render.ts';

/** What a person reads of an error that a handler let rise: our own words as they are, of all else what can be told. */
export function explain(error: unknown, texts: Texts, log: Log): Message {
  if (error instanceof Refusal) return { content: error.message, rows: rowsOf(error.nextStep) };
  if (error instanceof UserError) return { content: error.message };
  if (error instanceof UnreadableKeyError) {
    return error.owner.kind === 'member'
      ? { content: texts.refusal.unreadableKey, rows: rowsOf(linkKey(texts)) }
      : { content: texts.refusal.unreadableKeyOfServer };
  }
  return { content: explainFailure({ failure: failureOf(error, log), payer: { kind: 'member' } }, texts) };
}

import { type Button, button, customId, rowsOf } from '../../src/messages/buttons.ts';
import { MESSAGE_LIMITS, type Message } from '../../src/messages/message.ts';
import type { LogCursor } from '../../src/moderation/audit-log.ts';
import { linesOf } from '../../src/moderation/render-entry.ts';
import { type Invocation, managedGuild } from './invocation.ts';

/** As many entries fill the screen of a phone. */
const PAGE = 10;

/** What was asked for by a button under a page: the next one, from an entry of that one. */
export const cursorOf = ([towards, id]: readonly string[]): LogCursor | undefined =>
  id === undefined ? undefined : { towards: towards === 'newer' ? 'newer' : 'older', id };

/** A page of what is on record of the server, newest first, also where no channel takes it. */
export async function showLog(invocation: Invocation, from?: LogCursor): Promise<Message> {
  const guildId = await managedGuild(invocation);
  const { texts, context } = invocation;
  const { log } = texts.settings;
  const { towards } = from ?? { towards: 'older' };
  const read = await context.moderation.auditLog.ofGuild(guildId, { from, limit: PAGE + 1 });
  const lines = linesOf(
    read.slice(0, PAGE).map(({ entry }) => entry),
    texts,
    MESSAGE_LIMITS.content - log.heading.length - 1,
  );
  if (lines.length === 0) return { content: log.none };
  const shown = read.slice(0, lines.length).map(({ id }) => id);
  const goesOn = read.length > shown.length;
  const [newest, oldest] = towards === 'older' ? [shown.at(0), shown.at(-1)] : [shown.at(-1), shown.at(0)];
  const isNewest = towards === 'newer' ? !goesOn : from === undefined;
  const isOldest = towards === 'older' && !goesOn;
  const turn = (to: LogCursor['towards'], id: string | undefined, isEnd: boolean): Button => ({
    ...button.secondary(
      to === 'older' ? texts.jobs.next : texts.jobs.previous,
      customId('settings', 'log', to, id),
    ),
    disabled: isEnd,
  });
  return {
    content: [log.heading, ...(towards === 'older' ? lines : lines.toReversed())].join('\n'),
    rows:
      isNewest && isOldest ? [] : rowsOf(turn('newer', newest, isNewest), turn('older', oldest, isOldest)),
  };
}

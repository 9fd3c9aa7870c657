import { TimestampStyles, time, userMention } from 'discord.js';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Message } from '../../src/messages/message.ts';
import { relativeTime } from '../../src/messages/relative-time.ts';
import { accountOf, askedAnew, describeVisibility, masked } from './describe.ts';
import type { Invocation } from './invocation.ts';
import { ownerWithRight } from './key-target.ts';
import { linkedKeyOf } from './link.ts';
import { describeTerms } from './server-terms.ts';

/** The caller's own key: whose it is, whether it is still good, who sees its credits, and who looked. */
export async function showOwn(invocation: Invocation): Promise<Message> {
  const { texts, caller } = invocation;
  const linked = await linkedKeyOf(invocation, ownerWithRight(invocation, 'member'));
  const lines = [
    texts.apiKey.shown(masked(linked), accountOf(linked), since(linked.linkedAt)),
    ...rejection(invocation, linked.rejectedAt, 'member'),
    describeVisibility(invocation, linked),
    ...(await looksAt(invocation, caller.member.id)),
  ];
  const isVisible = caller.guildId !== null && linked.visibleIn.includes(caller.guildId);
  const change = button.secondary(
    isVisible ? texts.apiKey.hide : texts.apiKey.reveal,
    customId('apikey', 'visible', isVisible ? 'no' : 'yes', linked.linkedAt),
  );
  return { content: lines.join('\n'), rows: rowsOf(caller.guildId === null ? undefined : change) };
}

/** The button under it: lets the moderators of this server see the credits, or no longer. */
export async function changeVisibility(invocation: Invocation<readonly string[]>): Promise<Message> {
  const { options, caller, texts, context } = invocation;
  const [choice, linkedAt] = options;
  const visible = choice === 'yes' && { linkedAt: Number(linkedAt) };
  const changed =
    caller.guildId !== null &&
    (await context.keys.credentials.setVisible(caller.member.id, caller.guildId, visible));
  const shown = await showOwn(invocation);
  return changed ? shown : askedAnew(shown, texts);
}

export async function showServer(invocation: Invocation): Promise<Message> {
  const { texts, context } = invocation;
  const owner = ownerWithRight(invocation, 'guild');
  const linked = await linkedKeyOf(invocation, owner);
  const settings = await context.guilds.guildSettings.of(owner.id);
  const lines = [
    texts.apiKey.shownForServer(masked(linked), accountOf(linked), since(linked.linkedAt)),
    ...rejection(invocation, linked.rejectedAt, 'guild'),
    ...describeTerms(invocation, linked.terms, settings),
  ];
  return { content: lines.join('\n') };
}

const since = (at: number): string => time(new Date(at), TimestampStyles.LongDate);

const rejection = (
  { texts: { apiKey } }: Invocation,
  at: number | undefined,
  owner: KeyOwner['kind'],
): string[] => (at === undefined ? [] : [apiKey.rejectedSince(relativeTime(at), apiKey.linkCommand[owner])]);

async function looksAt({ texts, context }: Invocation, memberId: string): Promise<string[]> {
  const looks = await context.moderation.auditLog.looksAt(memberId);
  return looks.flatMap(({ actorId, at }) =>
    actorId === null ? [] : texts.apiKey.lookedAt(userMention(actorId), relativeTime(at)),
  );
}

import { channelMention, roleMention } from 'discord.js';
import { recordChanges, type WrittenSettings } from '../../src/bot/record-action.ts';
import type { ServerTerms } from '../../src/credentials/linked-key.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import type { Message } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { LoggedTerm } from '../../src/moderation/render-entry.ts';
import type { Invocation } from './invocation.ts';
import { ownerWithRight } from './key-target.ts';
import { linkedKeyOf, noKeyLinked } from './link.ts';

interface TermsOptions {
  role?: string | undefined;
  member_pictures?: number | undefined;
  server_pictures?: number | undefined;
  channel?: string | undefined;
  credits?: number | undefined;
}

/** The most that a limit may be; Discord's client allows no more either. */
export const MOST_PICTURES = 100_000;
export const MOST_CREDITS = 1_000_000;

/** What is filled in changes; 0 ends a limit, `@everyone` the restriction to a role. */
export async function changeTerms(invocation: Invocation<TermsOptions>): Promise<Message> {
  const { options, texts, context } = invocation;
  const owner = ownerWithRight(invocation, 'guild');
  checkRange(invocation, 'member_pictures', options.member_pictures, MOST_PICTURES);
  checkRange(invocation, 'server_pictures', options.server_pictures, MOST_PICTURES);
  checkRange(invocation, 'credits', options.credits, MOST_CREDITS);
  await refuseElsewhere(invocation, options, owner.id);
  const before = await linkedKeyOf(invocation, owner);
  const changed = termsOf(options, before.terms, owner.id);
  const isHalf = (options.channel === undefined) !== (options.credits === undefined);
  if (isHalf && options.credits !== 0 && !before.terms?.warning) {
    throw new UserError(texts.apiKey.warningNeedsBoth);
  }
  const linked = await context.keys.credentials.setTerms(owner.id, changed);
  if (!linked) throw noKeyLinked('guild', texts);
  const { before: settings, after } = await changeBudget(invocation, options.server_pictures, owner.id);
  await recordChanges(invocation, owner.id, written(before.terms, settings), written(linked.terms, after));
  return { content: describeTerms(invocation, linked.terms, after).join('\n') };
}

function written(terms: ServerTerms | undefined, { limits }: Pick<GuildSettings, 'limits'>): WrittenSettings {
  const { roleId, picturesPerMember, warning } = terms ?? {};
  const own: Record<LoggedTerm, string | undefined> = {
    keyRole: roleId,
    keyMemberDay: picturesPerMember?.toString(),
    keyWarningChannel: warning?.channelId,
    keyWarningBelow: warning?.below.toString(),
  };
  return { ...own, keyDay: limits.keyDay?.toString() };
}

function termsOf(
  { role, member_pictures, channel, credits }: TermsOptions,
  before: ServerTerms | undefined,
  guildId: string,
): Partial<ServerTerms> {
  const channelId = channel ?? before?.warning?.channelId;
  const below = credits ?? before?.warning?.below;
  const warns = channel !== undefined || credits !== undefined;
  return {
    ...(role !== undefined && { roleId: role === guildId ? undefined : role }),
    ...(member_pictures !== undefined && { picturesPerMember: member_pictures || undefined }),
    ...(warns && { warning: channelId !== undefined && below ? { channelId, below } : undefined }),
  };
}

/**
 * A channel or role of another server is none of this one's, whatever a client sends. Where the bot cannot look it
 * cannot warn.
 */
async function refuseElsewhere(
  { texts, context }: Invocation,
  { role, channel }: TermsOptions,
  guildId: string,
): Promise<void> {
  if (role === undefined && channel === undefined) return;
  const known = await context.guilds.guildDirectory.idsOf(guildId);
  if (!known) return;
  if (role !== undefined && !known.roles.has(role)) throw new UserError(texts.refusal.notOfServer);
  if (channel !== undefined && !known.channels.has(channel)) {
    throw new UserError(texts.refusal.unseen(channelMention(channel)));
  }
}

/** How much the key pays a day is one of the server's limits. */
async function changeBudget(
  { context }: Invocation,
  pictures: number | undefined,
  guildId: string,
): Promise<{ before: GuildSettings; after: GuildSettings }> {
  const { guildSettings } = context.guilds;
  if (pictures !== undefined) {
    return guildSettings.change(guildId, ({ limits, ...settings }) => ({
      ...settings,
      limits: { ...limits, keyDay: pictures || undefined },
    }));
  }
  const settings = await guildSettings.of(guildId);
  return { before: settings, after: settings };
}

/** The terms as lines; a server without any has its key pay for everybody, as often as they like. */
export function describeTerms(
  { texts: { apiKey } }: Invocation,
  terms: ServerTerms | undefined,
  { limits }: Pick<GuildSettings, 'limits'>,
): string[] {
  const { roleId, picturesPerMember, warning } = terms ?? {};
  return [
    apiKey.terms.who(roleId === undefined ? undefined : roleMention(roleId)),
    apiKey.terms.perMember(picturesPerMember),
    apiKey.terms.perServer(limits.keyDay),
    apiKey.terms.warning(warning && { ...warning, channel: channelMention(warning.channelId) }),
  ];
}

function checkRange({ texts }: Invocation, name: string, value: number | undefined, most: number): void {
  if (value !== undefined && !(value >= 0 && value <= most)) {
    throw new UserError(texts.refusal.numberRange(name, 0, most));
  }
}

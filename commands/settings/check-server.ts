import { ServiceError } from '@darkroom/image-api';
import { isTimeout, withTimeout } from '@darkroom/time';
import { channelMention } from 'discord.js';
import { isRejectedKey } from '../../src/bot/key-errors.ts';
import { askBalance } from '../../src/credentials/ask-balance.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import { type Invocation, managedGuild } from './invocation.ts';

/** How long one look may take, in real milliseconds. */
const TIMEOUT_MS = 8_000;

type Line = [name: string, remedy: string | undefined];

/** What usually breaks in a server, each with what mends it: `undefined` where it is well. */
export async function checkServer(invocation: Invocation): Promise<Message> {
  const guildId = await managedGuild(invocation);
  const { permissions, texts, context } = invocation;
  const { check } = texts.settings;
  const missing = permissions.botLacks();
  const settings = await context.guilds.guildSettings.of(guildId);
  const [service, key, channels, commands] = await Promise.all([
    remedyOf((signal) => context.keys.images.ping({ signal }), texts),
    checkKey(invocation, guildId),
    checkChannels(invocation, guildId, settings),
    checkCommands(invocation, guildId),
  ]);
  const lines: Line[] = [
    [check.permissions, missing.length > 0 ? texts.refusal.missingPermissions(missing) : undefined],
    [check.commands, commands],
    [check.service, service],
    ...key,
    ...channels,
    [check.pictures, settings.paused ? texts.rules.paused : undefined],
    // It would not have come so far without.
    [check.store, undefined],
  ];
  return {
    content: lines
      .map(([name, remedy]) => (remedy === undefined ? `✔ ${name}` : `✖ ${name}: ${remedy}`))
      .join('\n'),
  };
}

/** Whether Discord knows them as they are. */
async function checkCommands(
  { caller, texts, context }: Invocation,
  guildId: string,
): Promise<string | undefined> {
  const { check } = texts.settings;
  const { applicationId } = caller;
  try {
    const old = await withTimeout(TIMEOUT_MS, (signal) =>
      context.guilds.outdatedCommands({ applicationId, guildId, signal }),
    );
    return old.length === 0 ? undefined : check.outdated(old.map((name) => `\`${name}\``).join(', '));
  } catch (error) {
    context.log.info({ err: error, guild: guildId }, 'Discord does not say which commands are registered');
    return check.commandsUnknown;
  }
}

/** Those that the server has chosen. */
async function checkChannels(
  { texts: { settings: texts }, context }: Invocation,
  guildId: string,
  settings: GuildSettings,
): Promise<Line[]> {
  const lines = (['logChannelId', 'reportChannelId'] as const).map(async (name): Promise<Line[]> => {
    const channelId = settings[name];
    if (channelId === undefined) return [];
    const may = await context.guilds.guildDirectory.mayPost(guildId, channelId);
    const remedy = may === undefined ? texts.idsUnknown : texts.check.mayNotPost(channelMention(channelId));
    return [[texts.names[name], may ? undefined : remedy]];
  });
  return (await Promise.all(lines)).flat();
}

/** Of the server, where it has linked one. */
async function checkKey({ texts, context }: Invocation, guildId: string): Promise<Line[]> {
  const { credentials } = context.keys;
  const owner = { kind: 'guild', id: guildId } as const;
  if (!(await credentials.describe(owner))) return [];
  const remedy = await remedyOf(async (signal) => {
    const linked = await credentials.open(owner);
    if (linked) await askBalance(owner, linked.apiKey, { ...context.keys, signal });
  }, texts);
  return [[texts.settings.check.key, remedy]];
}

/** Undefined where the image service answers to `look`. */
async function remedyOf(
  look: (signal: AbortSignal) => Promise<unknown>,
  { settings: { check } }: Texts,
): Promise<string | undefined> {
  try {
    await withTimeout(TIMEOUT_MS, look);
    return undefined;
  } catch (error) {
    if (isRejectedKey(error)) return check.keyRefused;
    if (error instanceof ServiceError || isTimeout(error)) return check.serviceDown;
    throw error;
  }
}

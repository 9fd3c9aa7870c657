import { OperatorError } from '@darkroom/process';
import { REST } from 'discord.js';
import type { Command } from '../bot/command.ts';
import { inviteUrl, NEEDED_PERMISSIONS } from '../bot/permissions.ts';
import { textsFor } from '../messages/locale/texts.ts';
import { discordProblem, isRefused } from '../operator/discord-problem.ts';
import { registerCommands } from '../operator/register-commands.ts';
import { Stopped } from './ask.ts';
import { applicationAt, awaitGuild, guildsOf, InNoGuild } from './bot-at-discord.ts';
import type { Flags } from './flags.ts';
import { type StepContext, triesAgain } from './step.ts';
import { askToken } from './token.ts';

/** How long somebody may take to invite the bot before they are asked again. */
const INVITATION_MS = 10 * 60_000;

export interface SettledDiscord {
  applicationId: string;
  name: string;
  invite: string;
  /** A server that it is in. */
  guild: string | undefined;
  /** How many commands are registered. */
  registered: number;
}

/**
 * Asks for another token until Discord knows it, also where it is reset meanwhile; brings the bot into a server;
 * registers its commands.
 */
export async function settleDiscord(
  { settings, ask, words, commands }: StepContext & { commands: readonly Command[] },
  { token, invite: isInvited }: { token: string } & Pick<Flags, 'invite'>,
): Promise<SettledDiscord> {
  const { discord } = words;
  const rest = new REST({
    api: settings.get('DISCORD_API_URL') ?? 'https://discord.com/api',
    version: '10',
    retries: 1,
  });
  let given: string | undefined = token;
  while (true) {
    const { id: applicationId, name } = await settleToken(rest, given, { settings, ask, words });
    ask.right(discord.knows(name));
    const invite = inviteUrl(applicationId);
    const { permissions } = textsFor(words.language);
    ask.tell(discord.needs(NEEDED_PERMISSIONS.map((name) => permissions[name])));
    try {
      const guild = await settleGuild(rest, { invite, isInvited, ask, words });
      const registered = await settleCommands(rest, { applicationId, settings, ask, words, commands });
      return { applicationId, name, invite, guild, registered };
    } catch (error) {
      if (!isRefused(error)) throw error;
      given = undefined;
      ask.wrong(discord.refused);
    }
  }
}

async function settleToken(rest: REST, given: string | undefined, { settings, ask, words }: StepContext) {
  const { discord } = words;
  let token = given;
  while (true) {
    token = await askToken(token, { ask, words });
    rest.setToken(token);
    const application = await ask
      .during(words.pictures.asking, (_, signal) => applicationAt(rest, signal))
      .catch((error: unknown) => {
        if (error instanceof Stopped) throw error;
        ask.wrong(discordProblem(error, rest, words));
        return isRefused(error) ? ('refused' as const) : ('away' as const);
      });
    if (application === 'away') {
      if (await triesAgain({ ask, words }, discord.askAgain, discord.otherToken)) continue;
    } else if (application !== 'refused' && (await settings.save({ DISCORD_TOKEN: token })))
      return application;
    token = undefined;
  }
}

/** Rejects as discord.js does where Discord does not know the token any more. */
async function settleGuild(
  rest: REST,
  {
    invite,
    isInvited,
    ask,
    words,
  }: Pick<StepContext, 'ask' | 'words'> & { invite: string; isInvited: boolean },
): Promise<string | undefined> {
  const { discord } = words;
  let isShown = false;
  while (true) {
    try {
      const [there] = await ask.during(discord.waiting, (_, signal) => guildsOf(rest, signal));
      if (there === undefined && !isShown) ask.tell(discord.invite(invite));
      isShown = true;
      if (there === undefined && !(isInvited && ask.isAttended)) break;
      const { name } =
        there ??
        (await ask.during(discord.waiting, (_, signal) =>
          awaitGuild(rest, { withinMs: INVITATION_MS, signal }),
        ));
      ask.right(discord.isIn(name));
      return name;
    } catch (error) {
      if (isRefused(error)) throw error;
      if (error instanceof InNoGuild) ask.wrong(discord.notIn);
      else if (!(error instanceof Stopped)) ask.wrong(discordProblem(error, rest, words));
      if (await triesAgain({ ask, words }, discord.retry)) continue;
      if (error instanceof InNoGuild) return undefined;
      break;
    }
  }
  ask.tell(discord.notIn);
  return undefined;
}

/** Resolves with how many are registered: none where somebody goes on without. Rejects as `settleGuild` does. */
async function settleCommands(
  rest: REST,
  {
    applicationId,
    settings,
    ask,
    words,
    commands,
  }: StepContext & { applicationId: string; commands: readonly Command[] },
): Promise<number> {
  const { discord } = words;
  while (true) {
    try {
      const names = await ask.during(discord.registering, (_, signal) =>
        registerCommands(rest, commands, {
          applicationId,
          guildId: settings.get('DISCORD_GUILD_ID'),
          words,
          signal,
        }),
      );
      ask.right(discord.registered(names.length));
      return names.length;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      if (isRefused(error.cause)) throw error.cause;
      ask.wrong(error.message);
      if (!(await triesAgain({ ask, words }))) return 0;
    }
  }
}

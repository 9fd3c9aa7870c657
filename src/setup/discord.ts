import { OperatorError } from '@darkroom/process';
import { refdClock, retry, withTimeout } from '@darkroom/time';
import { type REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { Command } from '../bot/command.ts';
import { inviteUrl, NEEDED_PERMISSIONS } from '../bot/permissions.ts';
import { isTokenRefused } from '../bot/wrong-address.ts';
import { retryTemporary } from '../delivery/classify-discord-error.ts';
import { textsFor } from '../messages/locale/texts.ts';
import { discordProblem } from '../operator/discord-problem.ts';
import { operatorRest } from '../operator/discord-rest.ts';
import { registerCommands } from '../operator/register-commands.ts';
import { Stopped } from './ask.ts';
import type { Flags } from './flags.ts';
import { type StepContext, triesAgain } from './step.ts';
import { askToken } from './token.ts';

const TIMEOUT_MS = 15_000;
/** How long somebody may take to invite the bot before they are asked again. */
const INVITATION_MS = 10 * 60_000;
/** Discord allows far more; an invitation takes people longer. */
const LOOK_MS = 2_000;

interface DiscordContext extends StepContext {
  rest: REST;
}

/**
 * Asks for another token until Discord knows it, also where it is reset meanwhile; brings the bot into a server;
 * registers its commands. Resolves with a server that it is in, and how many commands are registered.
 */
export async function settleDiscord(
  { settings, ask, words }: StepContext,
  {
    token,
    invite: isInvited,
    commands,
  }: Pick<Flags, 'invite'> & { token: string; commands: readonly Command[] },
) {
  const { discord } = words;
  const api = settings.get('DISCORD_API_URL') ?? 'https://discord.com/api';
  const context = { settings, ask, words, rest: operatorRest(api, { retries: 1 }) };
  let given: string | undefined = token;
  while (true) {
    const { id: applicationId, name } = await settleToken(given, context);
    ask.right(discord.knows(name));
    const invite = inviteUrl(applicationId);
    const { permissions } = textsFor(words.language);
    ask.tell(discord.needs(NEEDED_PERMISSIONS.map((name) => permissions[name])));
    try {
      const guild = await settleGuild(invite, isInvited, context);
      const registered = await settleCommands(applicationId, commands, context);
      return { applicationId, name, invite, guild, registered };
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      given = undefined;
      ask.wrong(discord.refused);
    }
  }
}

const application = z.object({ id: z.string(), name: z.string() });

async function settleToken(given: string | undefined, { rest, settings, ask, words }: DiscordContext) {
  const { discord } = words;
  let token = given;
  while (true) {
    token = await askToken(token, { ask, words });
    rest.setToken(token);
    const known = await ask
      .during(words.pictures.asking, (_, signal) => read(rest, Routes.currentApplication(), signal))
      .then(application.parse)
      .catch((error: unknown) => {
        if (error instanceof Stopped) throw error;
        ask.wrong(discordProblem(error, rest, words));
        return isTokenRefused(error) ? ('refused' as const) : ('down' as const);
      });
    if (known === 'down') {
      if (await triesAgain({ ask, words }, discord.askAgain, discord.otherToken)) continue;
    } else if (known !== 'refused' && (await settings.save({ DISCORD_TOKEN: token }))) return known;
    token = undefined;
  }
}

/** Rejects as discord.js does where Discord does not know the token any more. */
async function settleGuild(
  invite: string,
  isInvited: boolean,
  { rest, ask, words }: DiscordContext,
): Promise<string | undefined> {
  const { discord } = words;
  let withinMs = 0;
  while (true) {
    try {
      const name = await ask.during(discord.waiting, (_, signal) => awaitGuild(rest, { withinMs, signal }));
      ask.right(discord.isIn(name));
      return name;
    } catch (error) {
      if (isTokenRefused(error)) throw error;
      const isNowhere = error instanceof InNoGuild;
      if (isNowhere && withinMs === 0) {
        ask.tell(discord.invite(invite));
        if (!isInvited || !ask.isAttended) break;
        withinMs = INVITATION_MS;
        continue;
      }
      if (isNowhere) ask.wrong(discord.notIn);
      else if (!(error instanceof Stopped)) ask.wrong(discordProblem(error, rest, words));
      if (await triesAgain({ ask, words }, discord.retry)) continue;
      if (isNowhere) return undefined;
      break;
    }
  }
  ask.tell(discord.notIn);
  return undefined;
}

const guilds = z.array(z.object({ name: z.string() }));

class InNoGuild extends Error {
  override readonly name = 'InNoGuild';
}

/**
 * Looks whether the bot is in a server, also while Discord is down, and resolves with its name. Rejects as the last
 * look did after `withinMs`.
 */
async function awaitGuild(
  rest: REST,
  { withinMs, signal }: { withinMs: number; signal: AbortSignal },
): Promise<string> {
  const look = async () => {
    const [guild] = guilds.parse(await read(rest, Routes.userGuilds(), signal));
    if (guild !== undefined) return guild.name;
    throw new InNoGuild();
  };
  const isRetryable = (error: unknown) => !signal.aborted && !isTokenRefused(error);
  const { retryAfterMs } = retryTemporary;
  const policy = { budgetMs: withinMs, firstMs: LOOK_MS, maxMs: LOOK_MS, isRetryable, retryAfterMs };
  return retry(look, { policy, clock: refdClock, signal });
}

const read = (rest: REST, route: `/${string}`, signal: AbortSignal): Promise<unknown> =>
  withTimeout(TIMEOUT_MS, (bounded) => rest.get(route, { signal: bounded }), { signal });

/** Resolves with how many are registered: none where somebody goes on without. Rejects as `settleGuild` does. */
async function settleCommands(
  applicationId: string,
  commands: readonly Command[],
  { rest, settings, ask, words }: DiscordContext,
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
      if (isTokenRefused(error.cause)) throw error.cause;
      ask.wrong(error.message);
      if (!(await triesAgain({ ask, words }))) return 0;
    }
  }
}

import { causeOf, type Log, messageOf, OperatorError } from '@darkroom/process';
import { refdClock, retry, withTimeout } from '@darkroom/time';
import { type Client, Events, GatewayCloseCodes, type REST, Routes } from 'discord.js';
import type { APIApplication, APIGatewayBotInfo } from 'discord-api-types/v10';
import { z } from 'zod';
import { noDiscordAt } from './no-discord.ts';
import { isAnswer, isTokenRefused, isWrongAddress } from './wrong-address.ts';

/** How long Discord may take to say which bot this is. */
const TIMEOUT_MS = 30_000;

/**
 * Asks again for as long as Discord is down, or until `signal`: a service manager gives up a program that ends again
 * and again. Rejects with a sentence for the operator where Discord does not let the bot in.
 */
export function askIdentity(rest: REST, { log, signal }: { log: Log; signal: AbortSignal | undefined }) {
  return retry(() => readIdentity(rest), {
    policy: { isRetryable: (error) => !(error instanceof OperatorError) },
    clock: refdClock,
    signal,
    onRetry(error, _, count) {
      if (count > 1) return;
      log.warn(
        `Discord cannot be reached: ${causeOf(error)}. Trying again; check the network and DISCORD_API_URL`,
      );
    },
  });
}

/**
 * Who a token belongs to, how many shards Discord recommends, and how many of them may identify at once, and how often
 * within the day.
 */
async function readIdentity(rest: REST) {
  try {
    const [application, gateway] = await withTimeout(TIMEOUT_MS, (signal) =>
      Promise.all([
        rest.get(Routes.currentApplication(), { signal }),
        rest.get(Routes.gatewayBot(), { signal }),
      ]),
    );
    z.looseObject({ id: z.string() }).parse(application);
    // Discord's answers, as its types describe them.
    const { id, name, bot } = application as APIApplication;
    const { shards, session_start_limit: identifyLimit } = gateway as APIGatewayBotInfo;
    return { applicationId: id, username: bot?.username ?? name, shards, identifyLimit };
  } catch (cause) {
    if (!isAnswer(cause)) throw cause;
    const why = isWrongAddress(cause)
      ? noDiscordAt(rest.options.api)
      : `${messageOf(cause)}. Check the network and DISCORD_API_URL, then start again.`;
    throw notLetIn(isTokenRefused(cause) ? TOKEN_REFUSED : why, cause);
  }
}

export const notLetIn = (why: string, cause?: unknown) =>
  new OperatorError(`Discord did not let the bot in: ${why}`, { cause });

export async function logIn(client: Client, token: string): Promise<void> {
  const ready = new Promise<unknown>((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(token);
  await ready;
}

/** Why no further attempt to log in can help, for the operator; undefined where one may. */
export const whyRefused = (error: unknown): string | undefined =>
  /invalid token|authentication failed/i.test(messageOf(error)) ? TOKEN_REFUSED : undefined;

const TOKEN_REFUSED =
  'it does not accept DISCORD_TOKEN. Copy the token again from the Bot page of the developer portal.';

/** Why Discord has ended a connection for good, by its close code, and what the operator can do. */
export function whyClosed(code: number): string {
  if (code === GatewayCloseCodes.AuthenticationFailed) return TOKEN_REFUSED;
  return `${GatewayCloseCodes[code]}. Look up ${code} among the gateway close event codes of its documentation.`;
}

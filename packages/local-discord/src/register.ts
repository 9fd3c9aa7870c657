/**
 * Points every bot library of this process at the local Discord, without a change to the bot's code:
 *
 *     LOCAL_DISCORD_URL=http://127.0.0.1:4280 node --import local-discord/register bot.js
 *
 * What is meant for Discord's hosts goes there, by `fetch`, undici (discord.js, Oceanic, Discordeno) or `node:https`
 * (Eris). The gateway's address comes from the REST API and needs nothing.
 */
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const HOSTS = new Set(['discord.com', 'discordapp.com', 'cdn.discordapp.com', 'media.discordapp.net']);

const address = process.env.LOCAL_DISCORD_URL;
if (!address) throw new Error('local-discord/register needs LOCAL_DISCORD_URL, e.g. http://127.0.0.1:4280');
const target = new URL(address);

interface Dispatcher {
  dispatch(options: { origin?: string | URL }, handler: unknown): boolean;
}

await redirectUndici();
redirectHttps();

/** All copies of undici in a process share the dispatcher under this symbol; Node's own makes it at the first fetch. */
async function redirectUndici(): Promise<void> {
  await fetch('data:,');
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (!isDispatcher(dispatcher)) throw new Error('local-discord/register: this Node has no undici');
  const dispatch = dispatcher.dispatch.bind(dispatcher);
  dispatcher.dispatch = (options, handler) => {
    const origin = options.origin === undefined ? undefined : new URL(options.origin);
    const isDiscord = origin !== undefined && HOSTS.has(origin.hostname);
    return dispatch(isDiscord ? { ...options, origin: target.origin } : options, handler);
  };
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof Reflect.get(Object(value), 'dispatch') === 'function';
}

function redirectHttps(): void {
  const { request, get } = https;
  https.request = ((...args: Parameters<typeof request>) => {
    const local = localRequest(args);
    return local ? http.request(...local) : request(...args);
    // Its overloads are those of `http.request`.
  }) as typeof request;
  https.get = ((...args: Parameters<typeof get>) => {
    const local = localRequest(args);
    return local ? http.get(...local) : get(...args);
    // As above.
  }) as typeof get;
  syncBuiltinESMExports();
}

type Callback = (response: http.IncomingMessage) => void;

/** The arguments for the same request to the local Discord, where it was meant for Discord. */
function localRequest(args: readonly unknown[]): [http.RequestOptions, Callback | undefined] | undefined {
  const [first, second] = args;
  const isAddress = typeof first === 'string' || first instanceof URL;
  const url = isAddress ? new URL(first) : undefined;
  const options: http.RequestOptions = Object((isAddress ? second : first) ?? {});
  const host = url?.hostname ?? options.hostname ?? options.host;
  if (!host || !HOSTS.has(host)) return undefined;
  const callback = args.find((argument): argument is Callback => typeof argument === 'function');
  const { agent: _agent, host: _host, ...rest } = typeof options === 'function' ? {} : options;
  return [
    {
      ...rest,
      protocol: target.protocol,
      hostname: target.hostname,
      port: target.port,
      path: url ? `${url.pathname}${url.search}` : (options.path ?? '/'),
    },
    callback,
  ];
}

/**
 * Points every bot library of this process at the local Discord, without a change to the bot's code:
 *
 *     LOCAL_DISCORD_URL=http://127.0.0.1:4280 node --import local-discord/register bot.js
 *
 * It stands below every HTTP client, where connections are made (`node:tls`, `node:net`) and names are looked up
 * (`node:dns`): what is meant for the API or the CDN goes to the local Discord, and what is meant for any other host
 * of Discord's fails and leaves this machine by no way. The gateway's address comes from the REST API.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';

/** Hosts whose paths the local Discord has. */
const SERVED =
  /^((canary|ptb)\.)?(discord|discordapp)\.com$|^(cdn|media)\.discordapp\.com$|^(cdn|media)\.discordapp\.net$/;

/** Everything that belongs to Discord, and what is below it. */
const DISCORD =
  /(^|\.)((discord|discordapp|discordcdn|discordsays|discordstatus|discordmerch)\.com|discordapp\.(net|io)|discord\.(gg|media|dev|gift|gifts|new|design|co|store|tools)|discord-(activities|attachments)[^.]*\.(com|net)|dis\.gd)$/;

const address = process.env.LOCAL_DISCORD_URL;
if (!address) throw new Error('local-discord/register needs LOCAL_DISCORD_URL, e.g. http://127.0.0.1:4280');
const target = new URL(address);
if (target.protocol !== 'http:')
  throw new Error(`LOCAL_DISCORD_URL is http://…, and not ${target.protocol}//`);
const local = { host: target.hostname.replace(/^\[|\]$/g, ''), port: Number(target.port || 80) };

redirectTls();
refuseConnections();
refuseLookups();
syncBuiltinESMExports();

/** A host name as it is compared: DNS has no capitals, and a dot at the end changes nothing. */
const plain = (host: unknown): string => String(host).toLowerCase().replace(/\.$/, '');

function refusal(host: string): NodeJS.ErrnoException {
  const error = new Error(
    `local-discord/register refused a connection to ${host}: of Discord's, this process reaches the local one at ${target.origin} alone, by HTTPS to its API and CDN`,
  );
  return Object.assign(error, { code: 'ECONNREFUSED' });
}

/** What is encrypted for Discord goes to the local Discord, which speaks plain HTTP. */
function redirectTls(): void {
  const { connect } = tls;
  const guarded = (...args: unknown[]) => {
    const options: tls.ConnectionOptions = Object.assign({}, ...args.filter(isObject));
    const [, second] = args;
    const names = [options.servername, typeof second === 'string' ? second : options.host].map(plain);
    const host = names.find((name) => DISCORD.test(name));
    if (host === undefined) return Reflect.apply(connect, tls, args);
    // Whose socket is a tunnel already stands behind a proxy, which was told where it wants to.
    const isServed = SERVED.test(host) && !options.socket;
    const socket = net.connect(isServed ? local : { host, port: 443 });
    const listener = args.find((argument): argument is () => void => typeof argument === 'function');
    if (listener) socket.once('secureConnect', listener);
    socket.once('connect', () => socket.emit('secureConnect'));
    return Object.assign(socket, { encrypted: true, authorized: true, alpnProtocol: false });
  };
  // What HTTP clients read of a secure socket is there.
  tls.connect = guarded as typeof connect;
}

/**
 * Every connection of this process is made by this method: who brings a look-up of their own gets the one that
 * refuses.
 */
function refuseConnections(): void {
  const { connect } = net.Socket.prototype;
  function guarded(this: net.Socket, ...args: unknown[]): net.Socket {
    // Node itself calls it with a list in a list, in which the options stand first.
    const [options] = args.flat();
    if (isObject(options) && DISCORD.test(plain(Reflect.get(options, 'host')))) {
      Reflect.set(options, 'lookup', dns.lookup);
    }
    return Reflect.apply(connect, this, args);
  }
  // Its overloads are those of the original.
  net.Socket.prototype.connect = guarded as typeof connect;
}

function refuseLookups(): void {
  for (const resolver of [dns, dns.Resolver.prototype, dns.promises, dns.promises.Resolver.prototype]) {
    for (const name of Object.getOwnPropertyNames(resolver)) {
      const original: unknown = Reflect.get(resolver, name);
      if (!/^(lookup|resolve\w*)$/.test(name) || typeof original !== 'function') continue;
      const guarded = function (this: unknown, ...args: unknown[]) {
        const host = plain(args[0]);
        if (!DISCORD.test(host)) return Reflect.apply(original, this, args);
        const callback = args.at(-1);
        return typeof callback === 'function'
          ? void setImmediate(() => callback(refusal(host)))
          : Promise.reject(refusal(host));
      };
      // `promisify` reads what a look-up gives from a property of the original.
      Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original));
      Reflect.set(resolver, name, guarded);
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

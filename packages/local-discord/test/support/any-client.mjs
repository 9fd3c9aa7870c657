import dns from 'node:dns';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { createRequire } from 'node:module';
import net, { connect as connectTcp } from 'node:net';
import tls, { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { WebSocket as Ws } from 'ws';
import { seen } from './canary.mjs';

/** Every way to reach a host that a bot's libraries have: prints what came of each. */
const hosts = process.argv.slice(2);
const undiciFrom = createRequire(process.env.UNDICI_FROM ?? import.meta.resolve('discord.js'));
const { Agent, request, setGlobalDispatcher } = undiciFrom('undici');
const headers = { 'user-agent': 'bot' };

const heard = (emitter, event) =>
  new Promise((resolve, reject) => {
    emitter.once('error', reject).once('close', () => reject(new Error('closed')));
    emitter.once(event, resolve);
  });
const answered = async (request) => (await heard(request, 'response')).resume().statusCode;
const byUndici = async (url, options) => {
  const { statusCode, body } = await request(url, { headers, ...options });
  await body.dump();
  return statusCode;
};
const byAddress = { lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) };

const kindsOf = (host, url = `https://${host}/api/v10/gateway`) => ({
  fetch: async () => (await fetch(url, { headers })).status,
  undici: () => byUndici(url, {}),
  'undici with an agent': () => byUndici(url, { dispatcher: new Agent() }),
  'undici with a global agent of its own': () => {
    setGlobalDispatcher(new Agent());
    return byUndici(url, {});
  },
  https: () => answered(https.get(url, { headers })),
  'https with options': () =>
    answered(https.request({ host, path: '/api/v10/gateway', port: 443, headers }).end()),
  'https with an agent': () =>
    answered(https.get(url, { headers, agent: new https.Agent({ keepAlive: true }) })),
  'https with a look-up of its own': () => answered(https.get(url, { headers, ...byAddress })),
  http: () => answered(http.get(`http://${host}/api/v10/gateway`, { headers })),
  'http with a look-up of its own': () =>
    answered(http.get(`http://${host}/api/v10/gateway`, { headers, ...byAddress })),
  http2: () => {
    const session = http2.connect(`https://${host}`).on('error', () => undefined);
    return heard(session.request({ ':path': '/' }), 'response');
  },
  net: () => heard(connectTcp(443, host), 'connect'),
  'net with a look-up of its own': () => heard(connectTcp({ port: 443, host, ...byAddress }), 'connect'),
  socket: () => heard(new net.Socket().connect({ port: 443, host }), 'connect'),
  'tls to an address': () =>
    heard(connectTls({ host: '127.0.0.1', port: 9, servername: host }), 'secureConnect'),
  'tls through a tunnel': () =>
    heard(tls.connect({ socket: new net.Socket(), servername: host }), 'secureConnect'),
  ws: () => heard(new Ws(`wss://${host}/gateway`), 'open'),
  WebSocket: () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`wss://${host}/gateway`);
      socket.onopen = resolve;
      socket.onerror = ({ error, message }) => reject(error ?? new Error(message));
    }),
  'dns.lookup': () => promisify(dns.lookup)(host),
  'dns.resolve': () => promisify(dns.resolve4)(host),
  'dns.promises': () => dns.promises.lookup(host),
  resolver: () => new dns.promises.Resolver().resolve4(host),
});

for (const host of hosts) {
  for (const [kind, reach] of Object.entries(kindsOf(host))) {
    const before = seen();
    const outcome = await reach().then(
      (value) => (typeof value === 'number' ? `${value}` : 'connected'),
      (error) => `${error.cause?.message ?? error.message}`,
    );
    const { lookups, ports } = seen();
    const left = { lookups: lookups - before.lookups, ports: ports.slice(before.ports.length) };
    process.stdout.write(`${JSON.stringify({ host, kind, outcome, ...left })}\n`);
  }
}
process.exit();

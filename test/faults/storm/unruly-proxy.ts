import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request as ask } from 'undici';
import { messageOf } from '../../../src/errors.ts';
import { listen } from '../../support/listen.ts';
import { type Diary, idsIn } from './diary.ts';
import type { Fate, Fault, StrangeAnswer } from './odds.ts';

export interface Call {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Passed {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Headers that belong to one connection, or are made anew. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect'];

const passing = (
  headers: IncomingHttpHeaders,
  hidden: readonly string[],
): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.includes(name) || hidden.includes(name) ? [] : [[name, value]],
    ),
  );

/** Stands before a server, lets calls fail as their fate says, and keeps a diary of all of them. */
export async function createUnrulyProxy({
  name,
  upstream,
  fate,
  diary,
  hidden = [],
  onAnswer = (_, { body }) => body,
}: {
  /** Of the server, in the diary. */
  name: string;
  /** The server's address; undefined while there is none. */
  upstream: () => string | undefined;
  fate: Fate;
  diary: Diary;
  /** Headers that pass in neither direction, in lower case. */
  hidden?: readonly string[];
  /** Sees every answer of the server, and gives the body with which it passes. `own`: the proxy's address. */
  onAnswer?: (call: Call, answer: Passed, own: string) => Buffer;
}) {
  const agent = new Agent({ connections: 64 });
  let calm = false;

  async function pass(call: Call): Promise<Passed> {
    const { method, path, headers, body } = call;
    const server = upstream();
    if (server === undefined) throw new Error('nobody is there');
    const answer = await ask(`${server}${path}`, {
      // undici names the methods that it knows; every other one would be refused by the server.
      method: method as 'GET',
      headers: passing(headers, hidden),
      body: body.length > 0 ? body : null,
      dispatcher: agent,
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const passed = { status: answer.statusCode, headers: answer.headers, body: bytes };
    return { ...passed, body: onAnswer(call, passed, url) };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await buffer(request);
    const call: Call = { method, path, headers, body };
    const shown = readable(path);
    const about = idsIn(shown, JSON.stringify(headers), body.toString('latin1'));
    const cut = () => void request.socket.resetAndDestroy();
    const tell = (what: string, ...more: string[]) =>
      diary.note(name, `${method} ${shown} → ${what}`, [...about, ...more]);

    const fault = calm ? undefined : fate({ method, path });
    if (fault === 'hang') return tell('nothing, ever');
    if (fault === 'reset') {
      tell('reset, not done');
      return cut();
    }
    if (isAnswer(fault)) {
      tell(`${fault.status} by something before it, not done`);
      const text = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body);
      response.writeHead(fault.status, fault.headers).end(text);
      return;
    }
    if (fault !== undefined && fault !== 'answer-lost') await delay(fault.slowMs);
    const answer = await pass(call).catch((error: unknown) => {
      tell(messageOf(error));
      cut();
    });
    if (!answer) return;
    const { status, headers: answered, body: bytes } = answer;
    tell(
      `${status}${fault === 'answer-lost' ? ', done, answer lost' : ''}`,
      ...idsIn(bytes.toString('latin1')),
    );
    if (fault === 'answer-lost') return cut();
    response.writeHead(status, passing(answered, hidden)).end(bytes);
  }

  const server = createServer((request, response) => {
    // Whoever calls may be killed in the middle of it.
    serve(request, response).catch(() => response.destroy());
  });
  server.on('clientError', () => undefined);
  const url = `http://127.0.0.1:${await listen(server)}`;

  return {
    url,
    /** From now on nothing fails. */
    settle(): void {
      calm = true;
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await agent.destroy();
    },
  };
}

const isAnswer = (fault: Fault | undefined): fault is StrangeAnswer =>
  typeof fault === 'object' && 'status' in fault;

/** A path in which the token of an interaction is the interaction's id, as it is inside the token. */
const readable = (path: string): string =>
  path.replace(/^\/api\/v\d+/, '').replace(/(?<=^\/(?:webhooks|interactions)\/\d+\/)[\w-]{40,}/, (token) => {
    const [, id = ''] = Buffer.from(token, 'base64url').toString('latin1').split(':');
    return `[token of ${id}]`;
  });

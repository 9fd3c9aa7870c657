import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '@darkroom/testing';
import { onTestFinished } from 'vitest';

/** What is answered: a status and a body, half of a body, or nothing at all. */
export type MachineAnswer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { cut: unknown }
  | 'silence';

export interface MachineRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  text: string;
  bytes: Buffer;
}

/**
 * A machine that draws, over a real socket: what it answers where a test does not say otherwise. Closes with the
 * test.
 */
export async function createFakeMachine(
  route: (request: MachineRequest) => MachineAnswer | Promise<MachineAnswer>,
) {
  const asked: MachineRequest[] = [];
  const answers: { path: string; answer: MachineAnswer; times: number }[] = [];

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  const port = await listen(server);

  async function stop(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  onTestFinished(stop);

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(`http://machine${incoming.url}`);
    const { method = 'GET', headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const request = { method, path, query, headers, text: bytes.toString(), bytes };
    asked.push(request);
    const set = answers.find((each) => each.times > 0 && `${method} ${path}`.startsWith(each.path));
    if (set) set.times -= 1;
    const answer = set?.answer ?? (await route(request));
    if (answer === 'silence') return;
    if ('cut' in answer) {
      const whole = JSON.stringify(answer.cut);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(
      typeof answer.body === 'string' || Buffer.isBuffer(answer.body)
        ? answer.body
        : JSON.stringify(answer.body ?? {}),
    );
  }

  return {
    /** `127.0.0.1` and its port. */
    host: `127.0.0.1:${port}`,
    /** Everything that was asked, in order. */
    asked,
    /** Answers the next calls to a path (`POST /api/v2/generate`) in another way; once unless told. */
    answer: (path: string, answer: MachineAnswer, times = 1) => void answers.push({ path, answer, times }),
    /** It goes away, with all its connections. */
    stop,
    /** It is back, under the same address. */
    start: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
  };
}

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { answerQuestions } from './forked.ts';
import type { LightServiceQuestion, LightServiceReport } from './light-service.ts';

/** The entry of the process that `startLightService` starts. */
interface Task {
  prompt: string;
  polledAt: number | undefined;
  underWay: number;
  completed: boolean;
}

const PICTURE = '/picture.png';
const COMPLETION_INTERVAL_MS = 20;

const picture = await sharp({
  create: { width: 512, height: 512, channels: 3, background: '#8a5' },
})
  .png()
  .toBuffer();
const tasks = new Map<string, Task>();
const completions: LightServiceReport['completions'] = [];
let polls = 0;
let gaps: number[] = [];
let firstPolls: number[] = [];
let overlapping = 0;
let perSecond = 0;
let stoppedAt: number | undefined;
let owed = 0;

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const taskId = url.searchParams.get('task_id');
  if (taskId !== null) answerStatus(taskId, response);
  else if (url.pathname === PICTURE) response.setHeader('content-type', 'image/png').end(picture);
  else if (request.method === 'POST') void submit(request, response);
  // It offers what every service has.
  else response.writeHead(404).end();
});

function answerStatus(id: string, response: ServerResponse): void {
  const task = tasks.get(id) ?? addTask(id, '');
  const now = Date.now();
  polls += 1;
  if (task.polledAt === undefined) firstPolls.push(now);
  else gaps.push(now - task.polledAt);
  task.polledAt = now;
  task.underWay += 1;
  overlapping = Math.max(overlapping, task.underWay);
  response.once('close', () => {
    task.underWay -= 1;
  });
  const progress = Math.min(99, Math.floor(((stoppedAt ?? now) / 1_000) % 100));
  answer(
    response,
    task.completed
      ? { id, status: 'completed', created_at: null, result: { image_url: `${origin()}${PICTURE}` } }
      : { id, status: 'processing', created_at: null, result: null, progress },
  );
}

async function submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt }: { prompt: string } = JSON.parse(await text(request));
  const id = randomUUID();
  addTask(id, prompt);
  answer(response, { id, status: 'queued', message: 'Webhook support is coming' });
}

function addTask(id: string, prompt: string): Task {
  const task: Task = { prompt, polledAt: undefined, underWay: 0, completed: false };
  tasks.set(id, task);
  return task;
}

function answer(response: ServerResponse, data: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ success: true, data, error: null }));
}

function completeOldest(): void {
  owed = perSecond === 0 ? 0 : owed + (perSecond * COMPLETION_INTERVAL_MS) / 1_000;
  for (const task of tasks.values()) {
    if (owed < 1) return;
    if (task.completed) continue;
    task.completed = true;
    owed -= 1;
    completions.push({ prompt: task.prompt, at: Date.now() });
  }
}

function reset(): void {
  polls = 0;
  gaps = [];
  firstPolls = [];
  overlapping = 0;
  for (const [id, task] of tasks) {
    if (task.completed) tasks.delete(id);
    task.polledAt = undefined;
  }
}

const report = (): LightServiceReport => ({
  polls,
  running: [...tasks.values()].filter(({ completed }) => !completed).length,
  firstPolls,
  gaps,
  overlapping,
  completions,
});

// An address of a server that listens on a port is of this kind.
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

setInterval(completeOldest, COMPLETION_INTERVAL_MS);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

answerQuestions((question: LightServiceQuestion) => {
  switch (question.ask) {
    case 'origin':
      return origin();
    case 'report':
      return report();
    case 'reset':
      return reset();
    case 'complete':
      perSecond = question.perSecond;
      return;
    case 'progress':
      stoppedAt = question.goesOn ? undefined : Date.now();
  }
});

import { appendFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { APIAttachment, APIMessage } from 'discord-api-types/v10';
import { imagine } from '../../../commands/imagine.ts';
import { systemClock } from '../../clock.ts';
import { loadConfig } from '../../config.ts';
import { messageOf, UserError } from '../../errors.ts';
import type { Hand } from '../../local-discord/hand/hand.ts';
import { Refusal } from '../../local-discord/hand/refusal.ts';
import { createLog } from '../../log.ts';
import { FIRST_CHANNEL, MEMBER } from '../neighbourhood.ts';
import { createPlayground } from '../playground.ts';
import { type DemoArguments, readDemoArguments } from './arguments.ts';
import { standing } from './story.ts';

/** How long the sketch engine takes for its picture. */
const PACE_MS = 6_000;

export interface DemoOptions {
  args: readonly string[];
  /** Writes one line for the visitor. */
  print(line: string): void;
  signal: AbortSignal;
  paceMs?: number;
}

/**
 * One `/imagine` through local Discord, bot and image service, without a browser: every edit of the reply is a line, the
 * pictures become files. Nothing else is left behind. With `--help` it prints how to use it.
 * @throws {UserError} with why there is no picture; the signal's reason where it aborts
 */
export async function runDemo({ args, print, signal, paceMs = PACE_MS }: DemoOptions): Promise<void> {
  const demo = readDemoArguments(args, imagine.data.options ?? []);
  if ('help' in demo) return print(demo.help);
  if (demo.out !== undefined) await tryOut(demo.out);
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-demo-'));
  try {
    const playground = await createPlayground({
      config: { ...loadConfig({}), PLAYGROUND_PORT: 0, SERVICE_PORT: 0 },
      clock: systemClock,
      log: createLog({ level: 'silent' }),
      folder,
      paceMs,
    });
    try {
      print('Not the real Discord, but the real way: local Discord → bot → image service → picture.');
      print(`Member: /imagine ${demo.options.prompt}`);
      const message = await develop(playground.discord.as(MEMBER.id), demo, print, signal);
      for (const [index, attachment] of message.attachments.entries()) {
        await save(attachment, fileName(attachment, index, demo.out), print, signal);
      }
    } finally {
      await playground.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves with the message that has the pictures. */
async function develop(
  member: Hand,
  { options }: DemoArguments,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<APIMessage> {
  const began = Date.now();
  let replyId: string | undefined;
  let last = '';
  const tell = (message: APIMessage) => {
    const now = standing(message);
    if (now.state !== 'developing' || now.line === '' || now.line === last) return;
    last = now.line;
    print(`${((Date.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${now.line}`);
  };
  const unwatch = member.watch((event) => {
    if (event.type === 'message-updated' && event.message.id === replyId) tell(event.message);
  });
  try {
    const answer = await member.invoke(FIRST_CHANNEL, 'imagine', options);
    if (answer.kind !== 'message')
      throw new UserError(answer.kind === 'failure' ? answer.text : 'No reply came.');
    replyId = answer.message.id;
    tell(member.message(replyId) ?? answer.message);
    const end = await member.waitForMessage(
      (message) => message.id === replyId && standing(message).state !== 'developing',
      { channelId: FIRST_CHANNEL, signal },
    );
    const outcome = standing(end);
    if (outcome.state === 'failed') throw new UserError(outcome.reason);
    return end;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new UserError(
      error.field ? `--${error.field.replaceAll('_', '-')}: ${error.message}` : error.message,
    );
  } finally {
    unwatch();
  }
}

/** With several pictures, a given name is numbered from the second on. */
function fileName({ filename }: APIAttachment, index: number, out: string | undefined): string {
  if (out === undefined) return filename;
  if (index === 0) return out;
  const ending = extname(out);
  return `${out.slice(0, out.length - ending.length)}-${index + 1}${ending}`;
}

/** Whether `file` can be written, before a picture is drawn for it. Leaves everything as it was. */
async function tryOut(file: string): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  await appendFile(file, '').catch(unwritable(file));
  if (!isThere) await rm(file);
}

const unwritable = (file: string) => (error: unknown) => {
  throw new UserError(`No picture can be written to ${file}: ${messageOf(error)}`);
};

async function save(
  { url, width, height }: APIAttachment,
  file: string,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new UserError(`The picture could not be read back: ${response.status}.`);
  const bytes = Buffer.from(await response.arrayBuffer());
  await writeFile(file, bytes).catch(unwritable(file));
  print(`Wrote ${file} (${width} × ${height}, ${Math.ceil(bytes.length / 1_024)} KiB)`);
}

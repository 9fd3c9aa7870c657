import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { type Environment, messageOf, OperatorError } from '@darkroom/process';
import { systemClock } from '@darkroom/time';
import type { APIAttachment, APIMessage } from 'discord-api-types/v10';
import { type UserClient, UserClientError } from 'local-discord';
import { commands } from '../../../commands/index.ts';
import { loadConfig, NOTHING_KEPT } from '../../config.ts';
import { createLog, onceEach } from '../../log.ts';
import { FIRST_CHANNEL, MEMBER } from '../demo-world.ts';
import { createPlayground } from '../playground.ts';
import { type DemoArguments, readDemoArguments } from './arguments.ts';
import { confirmed } from './confirmed.ts';
import { plainText, replyStatus } from './reply-status.ts';

const COMMAND = 'imagine';

/** How long the sketch engine takes for its picture, in milliseconds. */
const PACE_MS = 6_000;

/** Beside a bot that runs it listens elsewhere, and keeps its own. */
const ITS_OWN: Environment = {
  ...NOTHING_KEPT,
  SERVICE_DATABASE_URL: '',
  SERVICE_PORT: '0',
  PLAYGROUND_PORT: '0',
  HTTP_PORT: '',
};

interface DemoOptions {
  args: readonly string[];
  /** Who draws. */
  settings: Environment;
  print(line: string): void;
  signal: AbortSignal;
  paceMs?: number;
}

/**
 * One `/imagine` through local Discord, bot and image service, without a browser: every edit of the reply is a line,
 * the pictures become files. What the service warns of is said, such as why who is set to draw does not. Nothing else is
 * left behind. With `--help` it prints how to use it.
 * @throws {OperatorError} with why there is no picture; the signal's reason where it aborts
 */
export async function runDemo({
  args,
  settings,
  print,
  signal,
  paceMs = PACE_MS,
}: DemoOptions): Promise<void> {
  const command = commands.find(({ data }) => data.name === COMMAND);
  if (!command)
    throw new OperatorError(`There is no /${COMMAND} to show; commands/index.ts lists what there is.`);
  const demo = await readDemoArguments(args, command.data.options ?? []);
  if ('help' in demo) return print(demo.help.trimEnd());
  // The bot names the picture once it is there: until then any new name stands for it.
  await assertWritable(demo.out ?? resolve(`darkroom-demo-${process.pid}.png`));
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-demo-'));
  try {
    const playground = await createPlayground({
      config: loadConfig({ ...settings, ...ITS_OWN }),
      clock: systemClock,
      log: createLog({ level: 'warn', destination: onceEach(print) }),
      folder,
      paceMs,
    });
    try {
      print('A dry run without Discord: same bot, local server.');
      print(`Member: /${COMMAND} ${demo.options.prompt}`);
      const message = await develop(playground.discord.as(MEMBER.id), demo, print, signal);
      for (const [index, attachment] of message.attachments.entries()) {
        await save(attachment, fileName(attachment, index, demo.out), print, signal);
      }
      for (const note of notesOf(message)) print(note);
    } finally {
      await playground.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The small print below the pictures. */
const notesOf = ({ embeds }: APIMessage): string[] =>
  embeds.flatMap(({ description = '' }) =>
    description.split('\n').flatMap((line) => (line.startsWith('-# ') ? [plainText(line)] : [])),
  );

/** Resolves with the message that has the pictures. */
async function develop(
  member: UserClient,
  { options }: DemoArguments,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<APIMessage> {
  const startedAt = Date.now();
  let replyId: string | undefined;
  let lastProgress = '';
  const printProgress = (message: APIMessage) => {
    const status = replyStatus(message);
    if (status.type !== 'developing' || status.progress === '' || status.progress === lastProgress) return;
    lastProgress = status.progress;
    print(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s  ${status.progress}`);
  };
  const unsubscribe = member.subscribe((event) => {
    if (event.type === 'message-updated' && event.message.id === replyId) printProgress(event.message);
  });
  try {
    // Who typed `--count` wants several pictures.
    const answer = await confirmed(await member.invoke(FIRST_CHANNEL, COMMAND, options), member);
    if (answer.kind !== 'message')
      throw new OperatorError(answer.kind === 'failure' ? answer.text : 'No reply came.');
    replyId = answer.message.id;
    printProgress(member.message(replyId) ?? answer.message);
    const reply = await member.waitForMessage(
      (message) => message.id === replyId && replyStatus(message).type !== 'developing',
      { channelId: FIRST_CHANNEL, signal },
    );
    const status = replyStatus(reply);
    if (status.type === 'failed') throw new OperatorError(status.reason);
    return reply;
  } catch (error) {
    if (!(error instanceof UserClientError)) throw error;
    throw new OperatorError(
      error.field ? `--${error.field.replaceAll('_', '-')}: ${error.message}` : error.message,
    );
  } finally {
    unsubscribe();
  }
}

/** With several pictures, a given name is numbered from the second on. */
function fileName({ filename }: APIAttachment, index: number, out: string | undefined): string {
  if (out === undefined) return filename;
  if (index === 0) return out;
  const ending = extname(out);
  return `${out.slice(0, out.length - ending.length)}-${index + 1}${ending}`;
}

/** Fails early where `file` cannot be written. Leaves no trace. @throws {OperatorError} */
async function assertWritable(file: string): Promise<void> {
  const exists = existsSync(file);
  await appendFile(file, '').catch(notWritable(file));
  if (!exists) await rm(file);
}

const notWritable = (file: string) => (error: unknown) => {
  throw new OperatorError(
    `No picture can be written to ${file}: ${messageOf(error)}. Name another file with --out.`,
  );
};

async function save(
  { url, width, height }: APIAttachment,
  file: string,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new OperatorError(`The picture could not be read back: ${response.status}.`);
  const bytes = Buffer.from(await response.arrayBuffer());
  await writeFile(file, bytes).catch(notWritable(file));
  print(`Wrote ${file} (${width} × ${height}, ${Math.ceil(bytes.length / 1_024)} KiB)`);
}

import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** What version 0.1.0 left behind; its README says what is in it. */
const FIXTURE = join(import.meta.dirname, '../fixtures/0.1.0');

type JobName =
  | 'delivered'
  | 'mixed'
  | 'failed'
  | 'private'
  | 'poor'
  | 'guild'
  | 'direct'
  | 'waiting'
  | 'waitingPrivate'
  | 'following'
  | 'queued'
  | 'lostAnswer'
  | 'unclear'
  | 'delivering'
  | 'arrived'
  | 'posted'
  | 'asked';

type AccountName = 'ada' | 'bea' | 'club' | 'operator' | 'dana';

interface Secrets {
  /** When everything had been stopped, in milliseconds since the epoch. */
  left: number;
  vaultKeys: { bot: [string]; service: [string] };
  /** Where the service of 0.1.0 listened: addresses of pictures in its rows begin with it. */
  serviceUrl: string;
  operatorKey: string;
  /** By `member:ID` or `guild:ID`. */
  linked: Readonly<Record<string, { key: string }>>;
  accounts: Readonly<
    Record<AccountName, { loginToken: string; credits: number; keys: Readonly<Record<string, string>> }>
  >;
  jobs: Readonly<
    Record<
      JobName,
      {
        id: string;
        member: string;
        private: boolean;
        channelId: string;
        replyId: string;
        posted?: { channelId: string; messageId: string };
        tasks: { taskId?: string }[];
      }
    >
  >;
  /** Tasks that a program submitted to the service, without the bot. */
  direct: Readonly<
    Record<
      'completed' | 'rr3' | 'graph' | 'failed' | 'cancelled' | 'processing' | 'pending',
      {
        taskId: string;
        key: string;
        picture: string | null;
        idempotencyKey: string;
        submission: unknown;
        answer: unknown;
      }
    >
  >;
}

/** A button of 0.1.0, and what it must do for `by`. */
export interface OldButton {
  customId: string;
  by: string;
  /** Where it stands; `null` where 0.1.0 shows no such button any more. */
  messageId: string | null;
  does: 'begins' | 'refuses' | 'deletes' | 'shows' | 'hands-out' | 'stops' | 'opens' | 'replaces' | 'revokes';
  /** The form that it opens. */
  form?: string;
  /** Part of what it answers. */
  words?: string;
}

/** A form of 0.1.0, and what it must do for `by` with what is typed. */
export interface OldForm {
  customId: string;
  field: string;
  by: string;
  does: 'links' | 'revokes';
  typed: 'key' | 'login token';
}

const parsed = async (name: string) => JSON.parse(await readFile(join(FIXTURE, name), 'utf8'));

export const secrets: Secrets = await parsed('secrets.json');
export const { buttons, forms }: { buttons: readonly OldButton[]; forms: readonly OldForm[] } =
  await parsed('custom-ids.json');
/** The settings that 0.1.0 read from the file `name`. */
export const settingsOf = (name: 'env' | 'env.example'): Promise<Record<string, unknown>> =>
  parsed(`${name}.json`);

/** A file of the fixture. */
export const fixtureFile = (...path: string[]): Promise<Buffer> => readFile(join(FIXTURE, ...path));

/** A folder with a copy of the whole fixture. It goes with the test. */
export async function copyFixture(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(FIXTURE, folder, { recursive: true });
  return folder;
}

/** The message that `/jobs` links to. */
export const messageIdOf = (name: JobName): string =>
  secrets.jobs[name].posted?.messageId ?? secrets.jobs[name].replyId;

export type { AccountName, JobName };

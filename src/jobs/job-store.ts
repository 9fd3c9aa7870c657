import { z } from 'zod';
import type { Store } from '../store.ts';
import type { Vault } from '../vault.ts';
import type { Picture } from './delivery.ts';
import { isOver, type Job, type JobSecrets, job, jobSecrets } from './job.ts';

const DAY_MS = 24 * 3600_000;

/** How long a job that is over can still be asked for again. */
const OVER_KEPT_MS = 90 * DAY_MS;

/** How long an outcome waits for its member, with its pictures; then it is gone, and the sealed key with it. */
const WAITING_KEPT_MS = 30 * DAY_MS;

/** How many of a member's jobs are listed. */
const RECENT = 10;

const keptPicture = z.object({ task: z.int(), contentType: z.string(), base64: z.string() });

/** Where jobs are written down. */
export interface JobStore {
  find(id: string): Promise<Job | undefined>;
  /** Writes a new job down; durable when it resolves, like every write. */
  add(job: Job): Promise<void>;
  save(job: Job): Promise<void>;
  /** Takes back a job that was added, as if it had never been. */
  forget(job: Job): Promise<void>;
  /** Every job that is not over; puts those back into their members' lists that are missing there. */
  unfinished(): Promise<Job[]>;
  /** The member's latest jobs, newest first; older ones that are not over take the place of some that are. */
  recent(memberId: string): Promise<Job[]>;
  /** Keeps the pictures of a job that waits: the service's addresses expire. */
  keep(id: string, pictures: readonly Picture[]): Promise<void>;
  kept(id: string): Promise<Picture[] | undefined>;
  seal(id: string, secrets: JobSecrets): string;
  /** Undefined where the job has none any more, or the key that sealed them is gone. */
  unseal(job: Job): JobSecrets | undefined;
}

export function createJobStore({ store, vault }: { store: Store; vault: Vault }): JobStore {
  const jobs = store.collection('jobs', job);
  // Keyv knows no queries: the ids of unfinished jobs, and of every member's latest, have collections of their own.
  const unfinished = store.collection('unfinished', z.object({ since: z.number() }));
  const members = store.collection('members', z.object({ jobs: z.array(z.string()) }));
  const pictures = store.collection('pictures', z.array(keptPicture));
  let listed: Promise<unknown> = Promise.resolve();

  /** One after the other: two at once would each write a list without the other's job. */
  function list(memberId: string, change: (ids: string[]) => string[] | Promise<string[]>): Promise<void> {
    const next = listed.then(async () => {
      const before = await members.get(memberId);
      await members.set(memberId, { jobs: await change(before?.jobs ?? []) }, OVER_KEPT_MS);
    });
    listed = next.catch(() => undefined);
    return next;
  }

  /** A damaged list, which is begun anew, must not hide a picture that waits. */
  async function relist(open: readonly Job[]): Promise<void> {
    for (const { id, member } of open) {
      const listed = (await members.get(member.id))?.jobs ?? [];
      if (!listed.includes(id)) await list(member.id, (before) => [...before, id]);
    }
  }

  const found = async (ids: readonly string[]) =>
    (await Promise.all(ids.map((id) => jobs.get(id)))).filter((read) => read !== undefined);

  return {
    find: (id) => jobs.get(id),

    // The job itself last: ids without a job are put right where they are read; a job without its id would be lost, and
    // one whose member was told that it failed would be run.
    async add(added) {
      await unfinished.set(added.id, { since: added.createdAt });
      await list(added.member.id, async (before) => {
        const older = await found(before.slice(RECENT));
        const open = older.filter((one) => !isOver(one)).map(({ id }) => id);
        // One more than are listed: this one may be taken back.
        return [added.id, ...before.slice(0, RECENT), ...open];
      });
      await jobs.set(added.id, added);
    },

    async forget({ id, member }) {
      await jobs.delete(id);
      await unfinished.delete(id);
      await list(member.id, (before) => before.filter((one) => one !== id));
    },

    async save(saved) {
      if (!isOver(saved)) {
        return jobs.set(saved.id, saved, saved.state === 'waiting' ? WAITING_KEPT_MS : undefined);
      }
      await jobs.set(saved.id, saved, OVER_KEPT_MS);
      await unfinished.delete(saved.id);
      await pictures.delete(saved.id);
    },

    async unfinished() {
      const open: Job[] = [];
      for (const id of await unfinished.ids()) {
        const read = await jobs.get(id);
        if (read && !isOver(read)) open.push(read);
        else await unfinished.delete(id);
      }
      await relist(open);
      return open;
    },

    async recent(memberId) {
      const listed = await found((await members.get(memberId))?.jobs ?? []);
      const all = listed.toSorted((one, other) => other.createdAt - one.createdAt);
      const openFirst = all.toSorted((one, other) => Number(isOver(one)) - Number(isOver(other)));
      const shown = new Set(openFirst.slice(0, RECENT));
      return all.filter((one) => shown.has(one));
    },

    async keep(id, kept) {
      const rows = kept.map(({ task, contentType, bytes }) => ({
        task,
        contentType,
        base64: Buffer.from(bytes).toString('base64'),
      }));
      await pictures.set(id, rows, WAITING_KEPT_MS);
    },

    async kept(id) {
      const rows = await pictures.get(id);
      return rows?.map(({ base64, ...picture }) => ({ ...picture, bytes: Buffer.from(base64, 'base64') }));
    },

    seal: (id, secrets) => vault.seal(JSON.stringify(secrets), `job:${id}`),

    unseal({ id, secrets }) {
      if (secrets === undefined) return undefined;
      try {
        return jobSecrets.parse(JSON.parse(vault.open(secrets, `job:${id}`)));
      } catch {
        return undefined;
      }
    },
  };
}

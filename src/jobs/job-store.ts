import type { Vault } from '@darkroom/storage';
import { z } from 'zod';
import type { Store } from '../storage/store.ts';
import type { JobPicture } from './delivery-port.ts';
import { isOver, type Job } from './job.ts';
import { createJobCodec, jobRow } from './job-codec.ts';

const DAY_MS = 24 * 3600_000;

/** How long a job that is over can still be asked for again. */
const OVER_TTL_MS = 90 * DAY_MS;

/** How long an outcome waits for its member, with its pictures; then it is gone, and the sealed key with it. */
const WAITING_TTL_MS = 30 * DAY_MS;

/** How many of a member's jobs are listed. */
const RECENT_LIMIT = 10;

const pictureRow = z.object({ task: z.int(), contentType: z.string(), base64: z.string() });

/** Where jobs are written down. Their secrets are sealed in the store, and open in a `Job`. */
export interface JobStore {
  find(id: string): Promise<Job | undefined>;
  /** Writes a new job down; durable when it resolves, like every write. */
  create(job: Job): Promise<void>;
  save(job: Job): Promise<void>;
  /** Removes a job that was created, as if it had never been. */
  discard(job: Job): Promise<void>;
  /** Every job that is not over; puts those back into their members' lists that are missing there. */
  unfinished(): Promise<Job[]>;
  /** The member's latest jobs, newest first; older ones that are not over take the place of some that are. */
  recent(memberId: string): Promise<Job[]>;
  /** Saves the pictures of a job that waits: the service's addresses expire. */
  savePictures(id: string, pictures: readonly JobPicture[]): Promise<void>;
  loadPictures(id: string): Promise<JobPicture[] | undefined>;
}

export function createJobStore({ store, vault }: { store: Store; vault: Vault }): JobStore {
  const codec = createJobCodec(vault);
  const rows = store.collection('jobs', jobRow);
  // Keyv knows no queries: the ids of unfinished jobs, and of every member's latest, have collections of their own.
  const unfinished = store.collection('unfinished', z.object({ since: z.number() }));
  const members = store.collection('members', z.object({ jobs: z.array(z.string()) }));
  const pictures = store.collection('pictures', z.array(pictureRow));
  let listed: Promise<unknown> = Promise.resolve();

  /** One after the other: two at once would each write a list without the other's job. */
  function updateList(
    memberId: string,
    change: (ids: string[]) => string[] | Promise<string[]>,
  ): Promise<void> {
    const next = listed.then(async () => {
      const before = await members.get(memberId);
      await members.set(memberId, { jobs: await change(before?.jobs ?? []) }, OVER_TTL_MS);
    });
    listed = next.catch(() => undefined);
    return next;
  }

  /** A damaged list, which is begun anew, must not hide a picture that waits. */
  async function relistUnfinished(open: readonly Job[]): Promise<void> {
    for (const { id, member } of open) {
      const listed = (await members.get(member.id))?.jobs ?? [];
      if (!listed.includes(id)) await updateList(member.id, (before) => [...before, id]);
    }
  }

  async function find(id: string): Promise<Job | undefined> {
    const row = await rows.get(id);
    return row && codec.decode(row);
  }

  const found = async (ids: readonly string[]) =>
    (await Promise.all(ids.map(find))).filter((read) => read !== undefined);

  return {
    find,

    // The job itself last: ids without a job are put right where they are read; a job without its id would be lost, and
    // one whose member was told that it failed would be run.
    async create(added) {
      await unfinished.set(added.id, { since: added.createdAt });
      await updateList(added.member.id, async (before) => {
        const older = await found(before.slice(RECENT_LIMIT));
        const open = older.filter((one) => !isOver(one)).map(({ id }) => id);
        // One more than are listed: this one may be discarded.
        return [added.id, ...before.slice(0, RECENT_LIMIT), ...open];
      });
      await rows.set(added.id, codec.encode(added));
    },

    async discard({ id, member }) {
      await rows.delete(id);
      await unfinished.delete(id);
      await updateList(member.id, (before) => before.filter((one) => one !== id));
    },

    async save(saved) {
      const row = codec.encode(saved);
      if (!isOver(saved)) {
        return rows.set(saved.id, row, saved.state === 'waiting' ? WAITING_TTL_MS : undefined);
      }
      await rows.set(saved.id, row, OVER_TTL_MS);
      await unfinished.delete(saved.id);
      await pictures.delete(saved.id);
    },

    async unfinished() {
      const open: Job[] = [];
      for (const id of await unfinished.ids()) {
        const read = await find(id);
        if (read && !isOver(read)) open.push(read);
        else await unfinished.delete(id);
      }
      await relistUnfinished(open);
      return open;
    },

    async recent(memberId) {
      const listed = await found((await members.get(memberId))?.jobs ?? []);
      const all = listed.toSorted((one, other) => other.createdAt - one.createdAt);
      const openFirst = all.toSorted((one, other) => Number(isOver(one)) - Number(isOver(other)));
      const shown = new Set(openFirst.slice(0, RECENT_LIMIT));
      return all.filter((one) => shown.has(one));
    },

    async savePictures(id, saved) {
      const encoded = saved.map(({ task, contentType, bytes }) => ({
        task,
        contentType,
        base64: Buffer.from(bytes).toString('base64'),
      }));
      await pictures.set(id, encoded, WAITING_TTL_MS);
    },

    async loadPictures(id) {
      const encoded = await pictures.get(id);
      return encoded?.map(({ base64, ...picture }) => ({ ...picture, bytes: Buffer.from(base64, 'base64') }));
    },
  };
}

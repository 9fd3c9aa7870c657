import type { Vault } from '@darkroom/storage';
import { type Clock, createBatch, DAY_MS, systemClock } from '@darkroom/time';
import { z } from 'zod';
import { settlementOf } from '../limits/counted-cost.ts';
import type { Limits } from '../limits/limits.ts';
import { type LimitedReservation, LimitReachedError, reservation } from '../limits/reservation.ts';
import type { Row } from '../storage/collection.ts';
import type { SealedField } from '../storage/sealed-field.ts';
import type { Store } from '../storage/store.ts';
import type { JobPicture } from './delivery-port.ts';
import { hasDeliveryBegun, isOver, type Job, job, jobSecrets } from './job.ts';
import { type JobPage, type JobPageRequest, readJobPage } from './job-pages.ts';
import { wasNotDrawn } from './job-task.ts';

/** How long an outcome waits for its member, with its pictures; then it is gone, and the sealed key with it. */
export const WAITING_TTL_MS = 30 * DAY_MS;

/** How many jobs are erased at once. */
const BATCH = 500;

/** How long is known that the reservations of a job are settled: longer than its row may say that they are not. */
const SETTLED_TTL_MS = 90 * DAY_MS;

/** Digits of the longest snowflake, so that ids sort by their age. */
const ID_DIGITS = 20;

/** A job as it is stored: `secrets` is the vault's seal over them, and `claims` are its reservations. */
const jobRow = z.intersection(
  job,
  z.object({ secrets: z.string().optional(), claims: z.array(reservation).optional() }),
);
type JobRow = z.output<typeof jobRow>;

export const sealedJobSecrets = {
  collection: 'jobs',
  field: 'secrets',
  contextOf: (id) => `job:${id}`,
} as const satisfies SealedField;

const pictureRow = z.object({ task: z.int(), contentType: z.string(), base64: z.string() });

/** Where jobs are written down. Their secrets are sealed in the store, and open in a `Job`. */
export type JobStore = ReturnType<typeof createJobStore>;

export function createJobStore({
  store,
  vault,
  retentionMs = 90 * DAY_MS,
  rowsAtEnd = () => [],
  learnCost = () => undefined,
  clock = systemClock,
}: {
  store: Store;
  vault: Vault;
  /** How long a job that is over can still be asked for again. */
  retentionMs?: number;
  /** What is written with the row of a job that is over, or waits for its member. */
  rowsAtEnd?: (job: Job) => Row[];
  learnCost?: Limits['learnCost'];
  /** Of the limits' periods; the system's unless given. */
  clock?: Pick<Clock, 'now'>;
}) {
  const { collection, contextOf } = sealedJobSecrets;
  const rows = store.collection(collection, jobRow);
  // Keyv knows no queries. The jobs of a member, and those of them that are not over, are ranges of ids:
  // `MEMBER:JOB`.
  const members = store.collection('members', z.object({}).catch({}));
  // What tells a job's shard stands here, so that a process reads its own jobs only.
  const unfinished = store.collection(
    'unfinished',
    z.object({ guildId: z.string().nullable().optional() }).catch({}),
  );
  // That the reservations of a job are settled. By `JOB:CREATED`: an interaction may come again after its job was
  // discarded.
  const settled = store.collection('settled', z.object({}).catch({}));
  const pictures = store.collection('pictures', z.array(pictureRow), { pictures: true });

  const indexId = ({ id, member }: Pick<Job, 'id' | 'member'>) =>
    `${member.id}:${id.padStart(ID_DIGITS, '0')}`;
  const jobId = (indexId: string) => indexId.slice(indexId.indexOf(':') + 1).replace(/^0+/, '');

  function seal({ secrets, reservations: claims, ...rest }: Job): JobRow {
    const row = { ...rest, ...(claims && { claims }) };
    if (!secrets) return row;
    return { ...row, secrets: vault.seal(JSON.stringify(secrets), contextOf(row.id)) };
  }

  /** Without secrets where their seal cannot be opened. */
  function open({ secrets, claims: reservations, ...rest }: JobRow): Job {
    const opened = { ...rest, ...(reservations && { reservations }) };
    if (secrets === undefined) return opened;
    try {
      return { ...opened, secrets: jobSecrets.parse(JSON.parse(vault.open(secrets, contextOf(rest.id)))) };
    } catch {
      return opened;
    }
  }

  /** From its end on, however often it is tried to be delivered again. */
  function waitingTtlOf({ endedAt }: Pick<Job, 'endedAt'>): number {
    const now = clock.now();
    return Math.max(1, (endedAt ?? now) + WAITING_TTL_MS - now);
  }

  function ttlOf(job: Job): number | undefined {
    if (isOver(job)) return retentionMs;
    return job.state === 'waiting' ? waitingTtlOf(job) : undefined;
  }

  /** The row of a job, and those by which it is found. They expire together. */
  function rowsOf(job: Job): Row[] {
    const ttl = ttlOf(job);
    return [
      rows.row(job.id, seal(job), ttl),
      members.row(indexId(job), {}, ttl),
      ...(isOver(job) ? [] : [unfinished.row(indexId(job), { guildId: job.guildId }, ttl)]),
    ];
  }

  /** Once for each job, however often it is tried. `notDrawn`: whatever its tasks say. */
  async function settle(
    { id, createdAt, submission, graph, payer, reservations = [], tasks }: Job,
    { notDrawn = false } = {},
  ): Promise<void> {
    if (reservations.length === 0) return;
    const ended = tasks.map((task) => ({ ...task, notDrawn: notDrawn || wasNotDrawn(task) }));
    const { state } = await store.take(settlementOf(reservations, ended, clock.now()), {
      rows: [settled.row(`${id}:${createdAt}`, {}, SETTLED_TTL_MS)],
    });
    if (state !== 'taken') return;
    for (const task of tasks) {
      if (task.state === 'completed' && task.cost !== undefined)
        learnCost({ ...submission, payer, graph: graph?.name }, task.cost, {
          reservations,
          pictures: tasks.length,
        });
    }
  }

  function keysOf(job: Pick<Job, 'id' | 'member'>): string[] {
    const index = indexId(job);
    return [rows.key(job.id), members.key(index), unfinished.key(index)];
  }

  // Shards that are taken together ask at one moment. Nobody is given what was read before they asked.
  const listUnfinished = createBatch(async (askers: readonly undefined[]) => {
    const listed = await unfinished.list();
    return askers.map(() => listed);
  });

  const found = async (ids: readonly string[]) => (await rows.getMany(ids)).map(open);

  return {
    async find(id: string): Promise<Job | undefined> {
      const row = await rows.get(id);
      return row && open(row);
    },

    /**
     * Writes a new job down, in one durable write, with what it takes from the limits. False where its id is known, and
     * then nothing is written; rejects with `LimitReachedError` where one is reached, likewise. `signal`: nobody waits
     * for it any more, and it need not begin.
     */
    async create(
      added: Job,
      {
        reservations = [],
        signal,
      }: { reservations?: readonly LimitedReservation[]; signal?: AbortSignal } = {},
    ): Promise<boolean> {
      const written = rowsOf(added);
      if (reservations.length === 0) return store.insert(written, signal);
      const now = clock.now();
      const takes = reservations.map((reservation) => ({
        ...reservation,
        ttl: Math.max(1, reservation.expires - now),
      }));
      const result = await store.take(takes, { rows: written, ...(signal && { signal }) });
      const reached = result.state === 'full' && reservations.find(({ key }) => key === result.take.key);
      if (reached) throw new LimitReachedError(reached);
      return result.state === 'taken';
    },

    /** Removes a job that was created, as if it had never been. */
    async discard(discarded: Job): Promise<void> {
      const row = await rows.get(discarded.id);
      // A job of an earlier request of the same id: a draft can be made more than once.
      if (row && row.createdAt !== discarded.createdAt) return;
      // It is not certain that it was written, and what was not taken is not given back.
      const { claims: reservations = [] } = row ?? {};
      await settle({ ...discarded, reservations }, { notDrawn: true });
      await store.delete(keysOf(discarded));
    },

    /**
     * Writes the row of a job that goes on; those by which it is found with it, unless it is found as `before`, which
     * is how it stands there.
     */
    async save(saved: Job, before?: Job): Promise<void> {
      const isFoundAlike =
        before?.guildId === saved.guildId && [before, saved].every((job) => ttlOf(job) === undefined);
      await store.write(isFoundAlike ? [rows.row(saved.id, seal(saved))] : rowsOf(saved));
    },

    /**
     * Writes that row alone where another process may follow it by now. Rejects, and writes nothing, where that has
     * brought it further: it is over, or its outcome is on its way. So where it is forgotten.
     */
    async saveLate(saved: Job): Promise<void> {
      const written = await rows.update(saved.id, (row) => {
        const now = open(row);
        const isFurther = isOver(now) || (hasDeliveryBegun(now) && !hasDeliveryBegun(saved));
        return isFurther ? undefined : seal(saved);
      });
      if (!written) throw new Error('another process has gone on with it, or it is forgotten');
    },

    /**
     * Writes the row of a job that is over, or waits for its member. Before: what it took from the limits is settled,
     * once however often it is written. With it: what its server has used, and its model. After, where it is over: its
     * pictures are forgotten.
     */
    async saveAndSettle({ reservations, ...saved }: Job): Promise<void> {
      await settle({ ...saved, ...(reservations && { reservations }) });
      await store.write([...rowsOf(saved), ...rowsAtEnd(saved)]);
      if (!isOver(saved)) return;
      // Where the process dies before, the next one finds out that the job is over.
      await unfinished.delete(indexId(saved));
      await pictures.delete(saved.id);
    },

    /** Changes the row of a job that is over; nothing where it is gone, or not over. When it expires stays. */
    async amend(id: string, change: (job: Job) => Job): Promise<void> {
      await rows.update(id, (row) => {
        const before = open(row);
        return isOver(before) ? seal(change(before)) : undefined;
      });
    },

    /** Every job that is not over, of the servers that `owns` names (`null`: direct messages); of all unless given. */
    async unfinished(owns: (guildId: string | null) => boolean = () => true): Promise<Job[]> {
      const listed = await listUnfinished(undefined);
      const mine = listed.filter(({ value: { guildId } }) => guildId === undefined || owns(guildId));
      const jobs = await found(mine.map(({ id }) => jobId(id)));
      const current = new Map(jobs.filter((job) => !isOver(job)).map((job) => [indexId(job), job]));
      const stale = mine.filter(({ id }) => !current.has(id)).map(({ id }) => unfinished.key(id));
      if (stale.length > 0) await store.delete(stale);
      return [...current.values()].filter(({ guildId }) => owns(guildId));
    },

    page: (memberId: string, request: JobPageRequest): Promise<JobPage> =>
      readJobPage({ unfinished, members, indexId, found: (ids) => found(ids.map(jobId)) }, memberId, request),

    /** Every job of a member that is kept, newest first. */
    async ofMember(memberId: string): Promise<Job[]> {
      const listed = await members.list({ prefix: `${memberId}:`, backwards: true });
      return found(listed.map(({ id }) => jobId(id)));
    },

    /** Forgets jobs, with their pictures; says how many there were. */
    async erase(erased: readonly Job[]): Promise<number> {
      for (let first = 0; first < erased.length; first += BATCH) {
        const batch = erased.slice(first, first + BATCH);
        await Promise.all(batch.map(({ id }) => pictures.delete(id)));
        await store.delete(batch.flatMap(keysOf));
      }
      return erased.length;
    },

    /** Saves the pictures of a job that is to wait, as long as it will: the service's addresses expire. */
    async savePictures(job: Pick<Job, 'id' | 'endedAt'>, saved: readonly JobPicture[]): Promise<void> {
      const encoded = saved.map(({ task, contentType, bytes }) => ({
        task,
        contentType,
        base64: Buffer.from(bytes).toString('base64'),
      }));
      await pictures.set(job.id, encoded, waitingTtlOf(job));
    },

    async loadPictures(id: string): Promise<JobPicture[] | undefined> {
      const encoded = await pictures.get(id);
      return encoded?.map(({ base64, ...picture }) => ({ ...picture, bytes: Buffer.from(base64, 'base64') }));
    },
  };
}

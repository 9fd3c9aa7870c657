import { createHash } from 'node:crypto';
import { type Clock, createCache, MINUTE_MS } from '@darkroom/time';
import { z } from 'zod';
import { guildOfRequest, isOver, type Job } from '../jobs/job.ts';
import type { Row } from '../storage/collection.ts';
import type { Store } from '../storage/store.ts';
import { matching } from './matching.ts';

/** How many models of a member, and of a server, are read. */
const MOST = 1_000;

/** As many characters as a choice of Discord can have. Where one cannot be, Discord shows none of them. */
const CHARACTERS = 100;
const fits = (model: string): boolean =>
  model.length <= CHARACTERS && model.trim() !== '' && !/\p{Surrogate}/u.test(model);

/** Of how many members and servers, and for how long, what was read is known: a name is typed letter by letter. */
const READ = { max: 100, ttlMs: MINUTE_MS };

/** Models that image services are usually set up with. */
const USUAL = ['v1-5-pruned-emaonly-fp16.safetensors', 'animagine-xl-4.0.safetensors'];

/** Who types, and where. */
type Asker = {
  memberId: string;
  guildId: string | null;
};

/** The models that can be offered: the interface has no list of them, though a service may say which it has. */
export type KnownModels = ReturnType<typeof createKnownModels>;

export function createKnownModels({
  store,
  configured = USUAL,
  retentionMs,
  clock,
}: {
  store: Store;
  /** The operator's list. */
  configured?: readonly string[] | undefined;
  retentionMs: number;
  clock: Pick<Clock, 'now'>;
}) {
  // A row for each model: a list would lose one of two that are added at once.
  const rows = store.collection('models', z.object({ model: z.string(), askedAt: z.number() }));
  const ofMember = (memberId: string) => `member:${memberId}`;
  const ofGuild = (guildId: string) => `guild:${guildId}`;

  const ownersOf = ({ memberId, guildId }: Asker) => [
    ofMember(memberId),
    ...(guildId === null ? [] : [ofGuild(guildId)]),
  ];

  const ownersOfJob = ({ member, ...job }: Job) =>
    ownersOf({ memberId: member.id, guildId: guildOfRequest(job) });

  /** A model has whatever letters somebody has typed, and as many. */
  const idOf = (owner: string, model: string) =>
    `${owner}:${createHash('sha256').update(model).digest('base64url')}`;

  async function latestFirst(owner: string): Promise<string[]> {
    const listed = await rows.list({ prefix: `${owner}:`, limit: MOST });
    const found = listed.map(({ value }) => value);
    return found.toSorted((one, other) => other.askedAt - one.askedAt).map(({ model }) => model);
  }

  /** What other processes write meanwhile is missing in it. */
  const read = createCache<string, Promise<string[]>>({ ...READ, clock });

  const suggestionsOf = (owner: string): Promise<string[]> =>
    read.recall(owner, async () => (await latestFirst(owner)).filter(fits));

  return {
    /** The known models that `typed` may mean, the likeliest first, and `typed` itself. */
    async suggest(
      typed: string,
      { offered = [], ...asker }: Asker & { offered?: readonly string[] },
    ): Promise<string[]> {
      const seen = (await Promise.all(ownersOf(asker).map(suggestionsOf))).flat();
      const others = (offered.length > 0 ? offered : configured).filter(fits);
      const known = [...new Set([...seen, ...others])];
      const found = matching(known, typed, { namesOf: (model) => [model] });
      const itself = typed.trim().length > CHARACTERS ? '' : typed.trim();
      // Last, as what is chosen by Enter is the first.
      return itself === '' || found.includes(itself) ? found.slice(0, 25) : [...found.slice(0, 24), itself];
    },

    /** The rows to be written with the end of a job: its model, where a picture was made by it. */
    rowsOf(job: Job): Row[] {
      const { submission, tasks, member, createdAt: askedAt } = job;
      const { model } = submission;
      if (model === undefined || !isOver(job) || !tasks.some(({ state }) => state === 'completed')) return [];
      // What is made in private is for its member alone.
      const guildId = job.private ? null : guildOfRequest(job);
      const owners = ownersOf({ memberId: member.id, guildId });
      owners.forEach(read.delete);
      return owners.map((owner) => rows.row(idOf(owner, model), { model, askedAt }, retentionMs));
    },

    ofMember: (memberId: string): Promise<string[]> => latestFirst(ofMember(memberId)),

    /** Forgets the models of these jobs. */
    async eraseMember(jobs: readonly Job[]): Promise<void> {
      const keys = jobs.flatMap((job) => {
        const { model } = job.submission;
        const owners = ownersOfJob(job);
        const ids = model === undefined ? [] : owners.map((owner) => idOf(owner, model));
        // Under its owner alone lies a list of an earlier version, which nobody reads any more.
        return [...owners, ...ids].map(rows.key);
      });
      await store.delete([...new Set(keys)]);
      jobs.flatMap(ownersOfJob).forEach(read.delete);
    },

    async purgeGuild(guildId: string): Promise<void> {
      await rows.delete(ofGuild(guildId));
      await rows.deleteAll(`${ofGuild(guildId)}:`);
      read.delete(ofGuild(guildId));
    },
  };
}

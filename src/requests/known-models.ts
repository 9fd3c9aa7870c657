import { createHash } from 'node:crypto';
import { z } from 'zod';
import { guildOfRequest, isOver, type Job } from '../jobs/job.ts';
import type { Row, Store } from '../storage/store.ts';
import { matching } from './matching.ts';

/** How many models of a member, and of a server, are read. */
const MOST = 1_000;

/** As many characters as a choice of Discord can have. */
const CHARACTERS = 100;

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
}: {
  store: Store;
  /** The operator's list. */
  configured?: readonly string[] | undefined;
  retentionMs: number;
}) {
  // A row for each model: a list would lose one of two that are added at once.
  const rows = store.collection('models', z.object({ model: z.string(), askedAt: z.number() }));
  const ofMember = (memberId: string) => `member:${memberId}`;
  const ofGuild = (guildId: string) => `guild:${guildId}`;

  const ownersOf = ({ memberId, guildId }: Asker) => [
    ofMember(memberId),
    ...(guildId === null ? [] : [ofGuild(guildId)]),
  ];

  /** A model has whatever letters somebody has typed, and as many. */
  const idOf = (owner: string, model: string) =>
    `${owner}:${createHash('sha256').update(model).digest('base64url')}`;

  async function latestFirst(owner: string): Promise<string[]> {
    const listed = await rows.list({ prefix: `${owner}:`, limit: MOST });
    const found = listed.map(({ value }) => value);
    return found.toSorted((one, other) => other.askedAt - one.askedAt).map(({ model }) => model);
  }

  return {
    /** The known models that `typed` may mean, the likeliest first, and `typed` itself. */
    async suggest(
      typed: string,
      { offered = [], ...asker }: Asker & { offered?: readonly string[] },
    ): Promise<string[]> {
      const seen = (await Promise.all(ownersOf(asker).map(latestFirst))).flat();
      const known = [...new Set([...seen, ...(offered.length > 0 ? offered : configured)])].filter(
        (model) => model.length <= CHARACTERS,
      );
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
      return owners.map((owner) => rows.row(idOf(owner, model), { model, askedAt }, retentionMs));
    },

    ofMember: (memberId: string): Promise<string[]> => latestFirst(ofMember(memberId)),

    /** Forgets the models of these jobs. */
    async eraseMember(jobs: readonly Job[]): Promise<void> {
      const keys = jobs.flatMap((job) => {
        const { model } = job.submission;
        const owners = ownersOf({ memberId: job.member.id, guildId: guildOfRequest(job) });
        const ids = model === undefined ? [] : owners.map((owner) => idOf(owner, model));
        // Under its owner alone lies a list of an earlier version, which nobody reads any more.
        return [...owners, ...ids].map(rows.key);
      });
      await store.delete([...new Set(keys)]);
    },

    async purgeGuild(guildId: string): Promise<void> {
      await rows.delete(ofGuild(guildId));
      await rows.deleteAll(`${ofGuild(guildId)}:`);
    },
  };
}

import type { Log } from '@darkroom/process';
import { z } from 'zod';
import { guildOfRequest, type Job } from '../jobs/job.ts';
import type { Store } from '../storage/store.ts';
import { matching } from './matching.ts';

/** How many models are remembered of a member, and of a server. */
const MOST = 200;

/** As many characters as a choice of Discord can have. */
const CHARACTERS = 100;

/** Models that image services are usually set up with. */
const USUAL = ['v1-5-pruned-emaonly-fp16.safetensors', 'animagine-xl-4.0.safetensors'];

/** Who types, and where. */
interface Asker {
  memberId: string;
  guildId: string | null;
}

/** The models that can be offered: the interface has no list of them, though a service may say which it has. */
export interface KnownModels {
  /** The known models that `typed` may mean, the likeliest first, and `typed` itself. */
  suggest(typed: string, asker: Asker & { offered?: readonly string[] }): Promise<string[]>;
  /** Remembers the model of a job by which a picture was made. Never rejects. */
  jobEnded(job: Job): void;
  ofMember(memberId: string): Promise<string[] | undefined>;
  /** `guildIds`: where the member has made pictures. */
  eraseMember(memberId: string, guildIds: ReadonlySet<string>): Promise<void>;
  purgeGuild(guildId: string): Promise<void>;
}

export function createKnownModels({
  store,
  configured = USUAL,
  retentionMs,
  log,
}: {
  store: Store;
  /** The operator's list. */
  configured?: readonly string[] | undefined;
  retentionMs: number;
  log: Log;
}): KnownModels {
  const rows = store.collection('models', z.array(z.string()));
  const ofMember = (memberId: string) => `member:${memberId}`;
  const ofGuild = (guildId: string) => `guild:${guildId}`;

  async function remember(id: string, model: string): Promise<void> {
    const known = (await rows.get(id)) ?? [];
    if (known[0] === model) return;
    const latestFirst = [model, ...known.filter((one) => one !== model)];
    await rows.set(id, latestFirst.slice(0, MOST), retentionMs);
  }

  return {
    async suggest(typed, { memberId, guildId, offered = [] }) {
      const ids = [ofMember(memberId), ...(guildId === null ? [] : [ofGuild(guildId)])];
      const seen = (await rows.getMany(ids)).flat();
      const known = [...new Set([...seen, ...(offered.length > 0 ? offered : configured)])].filter(
        (model) => model.length <= CHARACTERS,
      );
      const found = matching(known, typed, { namesOf: (model) => [model] });
      const itself = typed.trim().length > CHARACTERS ? '' : typed.trim();
      // Last, as what is chosen by Enter is the first.
      return itself === '' || found.includes(itself) ? found.slice(0, 25) : [...found.slice(0, 24), itself];
    },

    jobEnded(job) {
      const { id, submission, tasks, member, private: hidden } = job;
      const { model } = submission;
      const guildId = guildOfRequest(job);
      if (model === undefined || !tasks.some((task) => task.state === 'completed')) return;
      // What is made in private is for its member alone.
      const ids = [ofMember(member.id), ...(guildId === null || hidden ? [] : [ofGuild(guildId)])];
      void Promise.all(ids.map((row) => remember(row, model))).catch((error: unknown) => {
        log.warn({ err: error, job: id }, 'the model of a picture could not be remembered');
      });
    },

    ofMember: (memberId) => rows.get(ofMember(memberId)),

    async eraseMember(memberId, guildIds) {
      const own = await rows.get(ofMember(memberId));
      for (const guildId of own ? guildIds : []) {
        const known = (await rows.get(ofGuild(guildId))) ?? [];
        const left = known.filter((model) => !own?.includes(model));
        if (left.length < known.length) await rows.set(ofGuild(guildId), left, retentionMs);
      }
      await rows.delete(ofMember(memberId));
    },

    purgeGuild: (guildId) => rows.delete(ofGuild(guildId)),
  };
}

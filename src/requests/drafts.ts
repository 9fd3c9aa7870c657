import type { Log } from '@darkroom/process';
import { DAY_MS, withTimeout } from '@darkroom/time';
import { z } from 'zod';
import { parent } from '../jobs/job.ts';
import type { Store } from '../storage/store.ts';
import { imagineOptions } from './imagine-options.ts';

/** How long the row may take, in real milliseconds: Discord waits for three seconds. */
const WRITE_TIMEOUT_MS = 500;

/** How many are kept of a member; of more, the oldest go. */
export const MOST_DRAFTS = 25;

const draft = z.object({
  options: imagineOptions,
  parent: parent.optional(),
  /** It was to begin with a picture that could not be used. */
  lacksPicture: z.literal(true).optional(),
  /** It was to be drawn by a graph in a file, which was not read, or could not be. */
  lacksGraph: z.literal(true).optional(),
  /** It was to be drawn by a graph of this name, which its server did not keep. */
  graphName: z.string().optional(),
});
/** What a member asked for, and of what it is another version. */
export type Draft = z.output<typeof draft>;

/**
 * What was asked for and is no job yet: refused, or still to be confirmed. Kept for a day, for its member only, and
 * not more than `MOST_DRAFTS`.
 */
export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts({ store, log }: { store: Store; log: Log }) {
  const rows = store.collection('drafts', draft);
  /** Nobody waits for it. */
  async function forgetOldest(memberId: string): Promise<void> {
    const listed = await rows.list({ prefix: `${memberId}:` });
    const oldest = listed.slice(0, -MOST_DRAFTS).map(({ id }) => rows.key(id));
    if (oldest.length > 0) await store.delete(oldest);
  }

  const rowId = (id: string, memberId: string) => `${memberId}:${id}`;

  return {
    /** `id`: of the interaction. Says whether it is kept; never rejects. */
    async put(id: string, memberId: string, kept: Draft): Promise<boolean> {
      try {
        await withTimeout(WRITE_TIMEOUT_MS, () => rows.set(rowId(id, memberId), kept, DAY_MS));
        forgetOldest(memberId).catch((error: unknown) =>
          log.info({ err: error }, 'the oldest drafts of a member were not forgotten'),
        );
        return true;
      } catch (error) {
        log.warn({ err: error, interaction: id }, 'what a member typed could not be kept');
        return false;
      }
    },

    find: (id: string, memberId: string): Promise<Draft | undefined> => rows.get(rowId(id, memberId)),

    /** Every draft of a member, newest last. */
    async ofMember(memberId: string): Promise<({ id: string } & Draft)[]> {
      const listed = await rows.list({ prefix: `${memberId}:` });
      return listed.map(({ id, value }) => ({ id: id.slice(memberId.length + 1), ...value }));
    },

    eraseMember: (memberId: string): Promise<void> => rows.deleteAll(`${memberId}:`),
  };
}

import { createOneByOne, DAY_MS } from '@darkroom/time';
import { z } from 'zod';
import { notify } from '../jobs/job.ts';
import type { Store } from '../storage/store.ts';
import { imagineOptions } from './imagine-options.ts';

/** How long what a member has decided is kept after its last change. */
const TTL_MS = 400 * DAY_MS;

const memberSettings = z.object({
  /** What counts where a request does not say. */
  defaults: imagineOptions
    .omit({
      prompt: true,
      seed: true,
      flags: true,
      graph: true,
      source: true,
      strength: true,
    })
    .default({}),
  /** Whether they are asked, where there is a price, before several pictures are paid for. */
  asksPrice: z.boolean().default(true),
  notify: notify.optional(),
});
export type MemberSettings = z.output<typeof memberSettings>;
export type MemberDefaults = MemberSettings['defaults'];

const NOTHING_DECIDED: MemberSettings = memberSettings.parse({});

export type MemberSettingsStore = ReturnType<typeof createMemberSettings>;

export function createMemberSettings({ store }: { store: Store }) {
  const rows = store.collection('member-settings', memberSettings);
  const of = async (memberId: string) => (await rows.get(memberId)) ?? NOTHING_DECIDED;
  const changing = createOneByOne<string>();

  return {
    of,

    /** Resolves with what then stands there. */
    change: (
      memberId: string,
      change: (settings: MemberSettings) => MemberSettings,
    ): Promise<MemberSettings> =>
      changing.hold(memberId, async () => {
        const after = memberSettings.parse(change(await of(memberId)));
        await rows.set(memberId, after, TTL_MS);
        return after;
      }),

    /** Undefined where nothing is decided. */
    exportMember: (memberId: string): Promise<MemberSettings | undefined> => rows.get(memberId),

    eraseMember: (memberId: string): Promise<void> => rows.delete(memberId),
  };
}

import { createHash } from 'node:crypto';
import { createInFlight } from '@darkroom/time';
import { askBalance } from '../credentials/ask-balance.ts';
import type { Payer } from '../credentials/key-owner.ts';
import { createLowCredits } from '../credentials/low-credits.ts';
import type { MessageApi } from '../delivery/message-api.ts';
import { postNotice } from '../delivery/notices.ts';
import type { GuildSettingsStore } from '../guilds/guild-settings.ts';
import type { Job } from '../jobs/job.ts';
import { failedBy } from '../jobs/job-task.ts';
import { textsFor } from '../messages/locale/texts.ts';

/**
 * What is done about a key once a job that it paid for is over: marks one that the service rejected, and warns of a
 * server's that has few credits left.
 */
export function createKeyWatch({
  guildSettings,
  discord,
  ...deps
}: Omit<Parameters<typeof createLowCredits>[0], 'warn'> & {
  guildSettings: Pick<GuildSettingsStore, 'of'>;
  discord: Pick<MessageApi, 'post'>;
}) {
  const { clock } = deps;
  const stopping = new AbortController();
  const inFlight = createInFlight();
  const lowCredits = createLowCredits({
    ...deps,
    async warn({ id, guildId, channelId, credits, below }, signal) {
      const { locale = 'en' } = await guildSettings.of(guildId);
      const texts = textsFor(locale);
      const content = texts.apiKey.lowCredits(credits, below);
      // Of two processes that warn at once one is heard. A nonce has room for 25 characters.
      const nonce = `low${createHash('sha256').update(id).digest('base64url').slice(0, 22)}`;
      await postNotice({ guildId, channelId }, { content }, { discord, clock, nonce, signal });
    },
  });

  /**
   * Asks for its account first: what a service says of one task may read as if it were of the key, and one that is
   * marked pays for nobody.
   */
  async function noteIfRejected(payer: Payer, apiKey: string): Promise<void> {
    if (payer.kind === 'operator') return;
    await askBalance(payer, apiKey, { ...deps, signal: stopping.signal }).catch(() => undefined);
  }

  return {
    /** Nobody waits for it. */
    jobEnded({ payer, tasks }: Job, apiKey: string): void {
      if (tasks.some(failedBy('unauthorized'))) void inFlight.add(noteIfRejected(payer, apiKey));
      else if (payer.kind === 'guild') void inFlight.add(lowCredits.paid(payer.id, stopping.signal));
    },

    /** Ends what is being done; a warning that was on its way is given at the next occasion. */
    async stop(): Promise<void> {
      stopping.abort(new Error('Darkroom is stopping'));
      await inFlight.settled();
    },
  };
}

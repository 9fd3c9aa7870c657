import { randomBytes } from 'node:crypto';
import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, withTimeout } from '@darkroom/time';
import type { Credentials } from '../credentials/credentials.ts';
import { createLowCredits } from '../credentials/low-credits.ts';
import type { MessageApi } from '../delivery/message-api.ts';
import type { GuildSettingsStore } from '../guilds/guild-settings.ts';
import type { Job } from '../jobs/job.ts';
import { formatNumber } from '../messages/format-number.ts';
import { textsFor } from '../messages/locale/texts.ts';
import type { Store } from '../storage/store.ts';

/** How long Discord may take to post a warning. */
const POST_TIMEOUT_MS = 15_000;

/** What is done about a key once a job that it paid for is over. */
export interface KeysInUse {
  /** Marks a key that the service rejected, and warns of a server's key that has few credits left. */
  jobEnded(job: Job, apiKey: string): void;
}

export function createKeysInUse({
  guildSettings,
  discord,
  ...deps
}: {
  store: Store;
  credentials: Credentials;
  guildSettings: Pick<GuildSettingsStore, 'of'>;
  images: Pick<ImageClient, 'balance'>;
  discord: Pick<MessageApi, 'post'>;
  clock: Clock;
  log: Log;
}): KeysInUse {
  const { credentials } = deps;
  const lowCredits = createLowCredits({
    ...deps,
    async warn({ guildId, channelId, credits, below }) {
      const { locale = 'en' } = await guildSettings.of(guildId);
      const texts = textsFor(locale);
      const content = texts.apiKey.lowCredits(formatNumber(credits, texts, 1), below);
      const nonce = randomBytes(12).toString('hex');
      await withTimeout(POST_TIMEOUT_MS, (signal) =>
        discord.post({ guildId, channelId }, nonce, { content }, signal),
      );
    },
  });

  return {
    jobEnded({ payer, tasks }, apiKey) {
      const isRejected = tasks.some(
        (task) => task.state === 'failed' && task.failure.kind === 'unauthorized',
      );
      if (isRejected) void credentials.noteUse(payer, apiKey, 'rejected');
      else if (payer.kind === 'guild') void lowCredits.paid(payer.id);
    },
  };
}

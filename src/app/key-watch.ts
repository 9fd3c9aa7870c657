import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import type { Credentials } from '../credentials/credentials.ts';
import { createLowCredits } from '../credentials/low-credits.ts';
import type { MessageApi } from '../delivery/message-api.ts';
import { postNotice } from '../delivery/notices.ts';
import type { GuildSettingsStore } from '../guilds/guild-settings.ts';
import type { Job } from '../jobs/job.ts';
import { formatNumber } from '../messages/format-number.ts';
import { textsFor } from '../messages/locale/texts.ts';
import type { Store } from '../storage/store.ts';

/**
 * What is done about a key once a job that it paid for is over: marks one that the service rejected, and warns of a
 * server's that has few credits left.
 */
export function createKeyWatch({
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
}): (job: Job, apiKey: string) => void {
  const { credentials, clock } = deps;
  const lowCredits = createLowCredits({
    ...deps,
    async warn({ guildId, channelId, credits, below }) {
      const { locale = 'en' } = await guildSettings.of(guildId);
      const texts = textsFor(locale);
      const content = texts.apiKey.lowCredits(formatNumber(credits, texts, 1), below);
      await postNotice({ guildId, channelId }, { content }, { discord, clock });
    },
  });

  return ({ payer, tasks }, apiKey) => {
    const isRejected = tasks.some((task) => task.state === 'failed' && task.failure.kind === 'unauthorized');
    if (isRejected) void credentials.noteUse(payer, apiKey, 'rejected');
    else if (payer.kind === 'guild') void lowCredits.paid(payer.id);
  };
}

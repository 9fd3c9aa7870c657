import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import { createCommandLinks } from '../bot/command-links.ts';
import { createBotRest, createWebhookRest } from '../bot/discord.ts';
import { fetchAttachedFile } from '../delivery/attached-files.ts';
import { findShownFile } from '../delivery/find-shown-file.ts';
import { createMessageApi } from '../delivery/message-api.ts';
import { createNotices } from '../delivery/notices.ts';
import type { AttachedFile, ShownPicture } from '../jobs/input.ts';
import type { Metrics } from '../observability/metrics.ts';

/** Discord, as everything in the bot calls it. */
export type DiscordAccess = ReturnType<typeof openDiscord>;

export function openDiscord({
  apiUrl,
  token,
  afterAnother,
  clock,
  log,
  metrics: { discordResponse: onResponse },
}: {
  apiUrl: string;
  token: string;
  afterAnother: boolean;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'discordResponse'>;
}) {
  const { rest, share } = createBotRest({ apiUrl, token, onResponse, afterAnother });
  const webhooks = createWebhookRest({ apiUrl, onResponse });
  const commandLinks = createCommandLinks({ rest, log });
  const messages = createMessageApi({ bot: rest, webhooks, link: commandLinks.link });
  return {
    rest,
    share,
    webhooks,
    commandLinks,
    messages,
    notices: createNotices({ discord: messages, clock }),
    files: {
      fetchFile: (file: AttachedFile, signal: AbortSignal) => fetchAttachedFile(file, signal, apiUrl),
      findShown: (shown: ShownPicture, signal: AbortSignal) => findShownFile(shown, signal, messages),
    },
  };
}

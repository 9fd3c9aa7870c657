import type { Log } from '@darkroom/process';
import { createCommandLinks } from '../bot/command-links.ts';
import { createRests } from '../bot/discord.ts';
import { fetchAttachedFile } from '../delivery/attached-files.ts';
import { createMessageApi } from '../delivery/message-api.ts';
import { findShownFile } from '../delivery/pictures/shown-pictures.ts';
import type { AttachedFile, ShownPicture } from '../jobs/input.ts';
import type { Metrics } from '../observability/metrics.ts';

/** Discord, as everything in the bot calls it. */
export type DiscordAccess = ReturnType<typeof openDiscord>;

export function openDiscord({
  apiUrl,
  token,
  afterAnother,
  log,
  metrics: { discordRequest: onRequest },
}: {
  apiUrl: string;
  token: string;
  afterAnother: boolean;
  log: Log;
  metrics: Pick<Metrics, 'discordRequest'>;
}) {
  const rests = createRests({ apiUrl, token, onRequest, afterAnother });
  const { rest, webhooks } = rests;
  const commandLinks = createCommandLinks({ rest, log });
  const messages = createMessageApi({ bot: rest, webhooks, link: commandLinks.link });
  return {
    ...rests,
    commandLinks,
    messages,
    files: {
      fetchFile: (file: AttachedFile, signal: AbortSignal) => fetchAttachedFile(file, signal, apiUrl),
      findShown: (shown: ShownPicture, signal: AbortSignal) => findShownFile(shown, signal, messages),
    },
  };
}

import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import type { OfferedSteps } from '../messages/next-steps.ts';
import type { Offers } from '../requests/offers.ts';
import type { DiscordAccess } from './discord-access.ts';
import type { Records } from './records.ts';

export interface ImageService {
  client: ImageClient;
  /** In what is written down: its `{base_url}`, or `EMBEDDED`. Another name is another service. */
  name: string;
  /** Of one server. */
  callsPerSecond: number;
}

/** What everything that the bot does works with. */
export interface BotParts {
  discord: DiscordAccess;
  service: ImageService & { offers: Offers };
  records: Records;
  nextSteps: OfferedSteps;
  clock: Clock;
  log: Log;
}

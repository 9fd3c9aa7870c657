import type { GuildIds } from '../../src/bot/guild-directory.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import type { OperatorLimits } from '../../src/limits/limits.ts';
import type { Offer } from '../../src/requests/offers.ts';

/** What the panel shows at once. */
export const SECTIONS = ['general', 'access', 'pictures', 'limits', 'moderation'] as const;
export type Section = (typeof SECTIONS)[number];

export const sectionOf = (name: string | undefined): Section =>
  SECTIONS.find((section) => section === name) ?? 'general';

export interface PanelView {
  settings: GuildSettings;
  offers: readonly Pick<Offer, 'name' | 'fromWords'>[];
  operator: OperatorLimits;
  /** Who is blocked, by id, and until when in milliseconds since the epoch. */
  blocked: readonly { memberId: string; until?: number | undefined }[];
  /** Undefined where Discord does not say. */
  places: GuildIds | undefined;
  /** Of the interaction that shows it. */
  interactionId: string;
}

import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import type { Cache } from '@darkroom/time';
import type { Attempts } from '../credentials/attempts.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { Publications } from '../delivery/pictures/publications.ts';
import type { RemovedPictures } from '../delivery/pictures/removed-pictures.ts';
import type { ShownPictures } from '../delivery/pictures/shown-pictures.ts';
import type { Thumbnails } from '../delivery/pictures/thumbnails.ts';
import type { KeptGraphs } from '../graphs/kept-graphs.ts';
import type { BlockedMembers } from '../guilds/blocked-members.ts';
import type { GuildSettingsStore } from '../guilds/guild-settings.ts';
import type { Input } from '../jobs/input.ts';
import type { Caller } from '../jobs/job-request.ts';
import type { Tracker } from '../jobs/tracker.ts';
import type { Limits } from '../limits/limits.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import type { AuditLog } from '../moderation/audit-log.ts';
import type { BroughtPicture } from '../moderation/brought-picture.ts';
import type { Reports } from '../moderation/reports.ts';
import type { Privacy, Retention } from '../privacy/privacy.ts';
import type { Drafts } from '../requests/drafts.ts';
import type { Inspector } from '../requests/inspection/inspector.ts';
import type { KnownModels } from '../requests/known-models.ts';
import type { MemberSettingsStore } from '../requests/member-settings.ts';
import type { Offers } from '../requests/offers.ts';
import type { Prices } from '../requests/prices.ts';
import type { MonthChart } from '../usage/month-chart.ts';
import type { Usage } from '../usage/usage.ts';
import type { GuildDirectory } from './guild-directory.ts';
import type { Permissions } from './permissions.ts';
import type { Presses } from './presses.ts';
import type { Reply } from './reply.ts';
import type { SourceMessage } from './source-message.ts';

/** One use of a command, a button or a form. */
export interface Invocation<Options = unknown, Used extends FeatureName = never> {
  options: Options;
  caller: Caller;
  permissions: Permissions;
  /** The message that the button, the menu or the form stands under; undefined where it stands under none. */
  message?: SourceMessage | undefined;
  reply: Reply;
  texts: Texts;
  context: Context<Used>;
}

/** What the bot can do, by feature: a command is given what it `uses`, and nothing else. */
export interface Features {
  /** Pictures and the jobs that they come from. */
  pictures: {
    tracker: Tracker;
    shownPictures: ShownPictures;
    removedPictures: RemovedPictures;
    publications: Publications;
    thumbnails: Thumbnails;
    /**
     * Deletes a picture by the token of a press, by who pressed and the message (`MEMBER:MESSAGE`): the only way where
     * the bot is no member, or only its reader sees the message. Forgotten with the token.
     */
    deletions: Cache<string, () => Promise<void>>;
    presses: Presses;
    /** What is kept, for a report, of a picture that a member has brought. Never rejects. */
    copyBrought(input: Input): Promise<BroughtPicture>;
  };
  /** What is asked for, before it is a job. */
  requests: {
    drafts: Drafts;
    inspector: Pick<Inspector, 'inspect' | 'parseGraph'>;
    /** Puts a message in place of a question by the token that asked it, by the id of its draft; likewise. */
    questions: Cache<string, (message: Message) => Promise<void>>;
    memberSettings: MemberSettingsStore;
    knownModels: Pick<KnownModels, 'suggest'>;
    prices: Prices;
    limits: Pick<Limits, 'bounds' | 'reservationsOf' | 'allowanceOf'>;
    /**
     * Begins what was asked for and kept under this id, as the answer to this interaction. Rejects with `UserError`
     * where nothing is kept any more. Undefined without the command that can.
     */
    continueDraft: ((invocation: Invocation, draftId: string) => Promise<void>) | undefined;
  };
  offers: Offers;
  /** Who pays, and what they do at the image service. */
  keys: {
    credentials: Credentials;
    attempts: Attempts;
    images: ImageClient;
    /** Whether the service's address sends keys so that others can read them on the way. */
    isReadOnTheWay: boolean;
  };
  /** What servers decide and keep. */
  guilds: {
    guildSettings: GuildSettingsStore;
    guildDirectory: GuildDirectory;
    blockedMembers: BlockedMembers;
    keptGraphs: KeptGraphs;
    /**
     * The names of the commands that are not registered for a server, or of another version. Rejects where Discord
     * does not say.
     */
    outdatedCommands(options: {
      applicationId: string;
      guildId: string;
      signal: AbortSignal;
    }): Promise<string[]>;
  };
  /** Who did what, and what was reported. */
  moderation: {
    auditLog: AuditLog;
    reports: Reports;
  };
  usage: {
    counts: Usage;
    monthChart: MonthChart;
  };
  privacy: {
    keptData: Privacy;
    retention: Retention;
  };
}
export type FeatureName = keyof Features;

/** What a command is given: its features, and what every command may need. */
export type Context<Used extends FeatureName = never> = Pick<Features, Used> & {
  /** Buttons of other commands. */
  nextSteps: OfferedSteps;
  log: Log;
};

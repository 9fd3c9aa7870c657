import type { APIChannel, APIMessage, APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import { z } from 'zod';
import type {
  Answer,
  AutocompleteAnswer,
  HandEvent,
  VisibleCommand,
  VisibleGuild,
} from '../local-discord/hand/hand.ts';
import type { RefusalReason } from '../local-discord/hand/refusal.ts';

/** Somebody whom the visitor can be on the page. */
export interface Person {
  id: string;
  name: string;
  /** What sets this person apart, in a few words. */
  about: string;
}

/** A person's account with the playground's own image service. These secrets are worth nothing elsewhere. */
export interface ServiceAccount {
  username: string;
  /** Credits. */
  balance: number;
  loginToken: string;
  /** `null` until the account has made one. */
  apiKey: string | null;
}

export interface Bot {
  id: string;
  name: string;
  online: boolean;
}

export interface OpenModal {
  interactionId: string;
  channelId: string;
  modal: APIModalInteractionResponseCallbackData;
}

/** Everything that does not belong to one channel, as the chosen person sees it. First event of every connection. */
export interface Hello {
  type: 'hello';
  people: Person[];
  personId: string;
  guilds: VisibleGuild[];
  directMessages: APIChannel[];
  bots: Bot[];
  account: ServiceAccount | null;
  openModal: OpenModal | null;
}

export type PageEvent =
  | Hello
  | HandEvent
  | { type: 'surroundings'; guilds: VisibleGuild[]; directMessages: APIChannel[] }
  | { type: 'bots'; bots: Bot[] }
  | { type: 'account'; account: ServiceAccount | null };

/** What `GET /page/people/:personId/channels/:channelId` answers. Messages: oldest first. */
export interface ChannelView {
  messages: APIMessage[];
  commands: VisibleCommand[];
}

/** Largest request body of the page: ten files of 10 MiB would not fit, one in base64 does, with room to spare. */
export const LARGEST_ACTION_BYTES = 32 * 1024 * 1024;

export const snowflake = z.string().regex(/^\d{17,20}$/);
const upload = z.strictObject({ name: z.string().min(1).max(255), base64: z.base64() });
const optionValue = z.union([z.string().max(6_000), z.number(), z.boolean(), upload]);
const optionValues = z.record(z.string().max(32), optionValue);

/** What a person can do on the page, each as the body of `POST /page/people/:personId/actions`. */
export const action = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('say'),
    channelId: snowflake,
    content: z.string(),
    uploads: z.array(upload).max(10),
  }),
  z.strictObject({
    do: z.literal('invoke'),
    channelId: snowflake,
    command: z.string(),
    options: optionValues,
  }),
  z.strictObject({
    do: z.literal('autocomplete'),
    channelId: snowflake,
    command: z.string(),
    options: optionValues,
    focused: z.string(),
  }),
  z.strictObject({ do: z.literal('press'), messageId: snowflake, customId: z.string() }),
  z.strictObject({
    do: z.literal('select'),
    messageId: snowflake,
    customId: z.string(),
    values: z.array(z.string()),
  }),
  z.strictObject({
    do: z.literal('submit-modal'),
    interactionId: snowflake,
    values: z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())])),
  }),
  z.strictObject({ do: z.literal('close-modal'), interactionId: snowflake }),
  z.strictObject({ do: z.literal('dismiss'), messageId: snowflake }),
  z.strictObject({ do: z.literal('delete'), messageId: snowflake }),
  z.strictObject({ do: z.literal('open-dm'), botId: snowflake }),
]);

export type Action = z.infer<typeof action>;
export type WireUpload = z.infer<typeof upload>;
export type WireOptionValue = z.infer<typeof optionValue>;

/** What each action answers with, by its name. */
export interface ActionReply {
  say: APIMessage;
  invoke: Answer;
  autocomplete: AutocompleteAnswer;
  press: Answer;
  select: Answer;
  'submit-modal': Answer;
  'close-modal': null;
  dismiss: null;
  delete: null;
  'open-dm': APIChannel;
}

/** Body of a 422: Discord's client would not have let the person do this. */
export interface RefusalBody {
  reason: RefusalReason;
  message: string;
  field: string | null;
}

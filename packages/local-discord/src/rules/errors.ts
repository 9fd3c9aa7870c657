import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';

interface ErrorBody {
  message: string;
  code?: number;
  /** Of a body that is refused: see form-errors.ts. */
  errors?: object;
  /** Of a 429: seconds. */
  retry_after?: number;
  global?: boolean;
}

/** An error answer of Discord's REST API: status and JSON body as they go over the wire. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Record<string, string>;

  constructor(status: number, body: ErrorBody, headers: Record<string, string> = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A route that is not built, as Discord's documentation writes it, or what one that is built does not do: `polls`. */
export type Unsupported = { method: string; route: string } | { feature: string };

/** What Discord has and the local Discord has not: 501, so that no test takes it for an answer of Discord's. */
export class UnsupportedError extends ApiError {
  readonly unsupported: Unsupported;

  constructor(unsupported: Unsupported) {
    const name = 'route' in unsupported ? `${unsupported.method} ${unsupported.route}` : unsupported.feature;
    super(501, { message: `the local Discord has no ${name}`, code: 0 });
    this.unsupported = unsupported;
  }
}

/** Source: Discord's documentation, 'Opcodes and Status Codes', JSON error codes. */
const API_ERRORS = {
  [Code.UnknownChannel]: [404, 'Unknown Channel'],
  [Code.UnknownGuild]: [404, 'Unknown Guild'],
  [Code.UnknownMember]: [404, 'Unknown Member'],
  [Code.UnknownMessage]: [404, 'Unknown Message'],
  [Code.UnknownPermissionOverwrite]: [404, 'Unknown Overwrite'],
  [Code.UnknownUser]: [404, 'Unknown User'],
  [Code.UnknownWebhook]: [404, 'Unknown Webhook'],
  [Code.UnknownInteraction]: [404, 'Unknown interaction'],
  [Code.UnknownApplicationCommand]: [404, 'Unknown application command'],
  [Code.UnknownRole]: [404, 'Unknown Role'],
  [Code.UnknownBan]: [404, 'Unknown Ban'],
  [Code.InvalidRole]: [400, 'Invalid Role'],
  [Code.ThreadAlreadyCreatedForMessage]: [400, 'A thread has already been created for this message'],
  [Code.ThreadLocked]: [400, 'This thread is locked'],
  [Code.InvalidActionOnArchivedThread]: [400, 'Thread is archived'],
  [Code.OneOfTheMessagesProvidedWasTooOldForBulkDelete]: [
    400,
    'You can only bulk delete messages that are under 14 days old.',
  ],
  [Code.ProvidedTooFewOrTooManyMessagesToDelete]: [
    400,
    'Provided too few or too many messages to delete. Must provide at least 2 and at most 100 messages to delete.',
  ],
  [Code.MaximumNumberOfWebhooksReached]: [400, 'Maximum number of webhooks reached (15)'],
  [Code.CannotExecuteActionOnThisChannelType]: [400, 'Cannot execute action on this channel type'],
  [Code.WebhooksPostedToForumChannelsMustHaveAThreadNameOrThreadId]: [
    400,
    'Webhooks posted to forum channels must have a thread_name or thread_id',
  ],
  [Code.UnknownEmoji]: [400, 'Unknown Emoji'],
  [Code.MaximumNumberOfReactionsReached]: [400, 'Maximum number of reactions reached (20)'],
  [Code.CannotExecuteActionOnDMChannel]: [403, 'Cannot execute action on a DM channel'],
  [Code.CloudflareIsBlockingYourRequest]: [403, 'internal network error'],
  [Code.MaximumNumberOfApplicationCommandsReached]: [400, 'Maximum number of application commands reached'],
  [Code.RequestEntityTooLarge]: [413, 'Request entity too large'],
  [Code.InteractionHasAlreadyBeenAcknowledged]: [400, 'Interaction has already been acknowledged.'],
  [Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages]: [
    400,
    'This interaction has hit the maximum number of follow-up messages.',
  ],
  [Code.MissingAccess]: [403, 'Missing Access'],
  [Code.CannotEditMessageAuthoredByAnotherUser]: [403, 'Cannot edit a message authored by another user'],
  [Code.CannotSendAnEmptyMessage]: [400, 'Cannot send an empty message'],
  [Code.CannotSendMessagesInNonTextChannel]: [400, 'Cannot send messages in a non-text channel'],
  [Code.CannotSendMessagesToThisUser]: [403, 'Cannot send messages to this user'],
  [Code.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds]: [
    403,
    'Cannot send messages to this user due to having no mutual guilds',
  ],
  [Code.MissingPermissions]: [403, 'Missing Permissions'],
  [Code.InvalidWebhookToken]: [401, 'Invalid Webhook Token'],
  [Code.RequestBodyContainsInvalidJSON]: [400, 'The request body contains invalid JSON.'],
  [Code.CannotReplyWithoutPermissionToReadMessageHistory]: [
    400,
    'Cannot reply without permission to read message history',
  ],
  [Code.MessageWasBlockedByAutomaticModeration]: [400, 'Message was blocked by automatic moderation'],
} as const satisfies Partial<Record<Code, readonly [number, string]>>;

export function apiError(code: keyof typeof API_ERRORS): ApiError {
  const [status, message] = API_ERRORS[code];
  return new ApiError(status, { message, code });
}

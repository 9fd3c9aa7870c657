/** The package publishes its zod schemas without types; these are the ones that this folder uses. */
declare module 'discord-api-spec/zod' {
  import type {
    APIApplicationCommandAutocompleteResponse,
    APIInteractionResponseChannelMessageWithSource,
    APIInteractionResponseDeferredChannelMessageWithSource,
    APIInteractionResponseDeferredMessageUpdate,
    APIInteractionResponseUpdateMessage,
    APIMessage,
    APIModalInteractionResponse,
    RESTGetAPIGatewayBotResult,
    RESTPatchAPIApplicationCommandJSONBody,
    RESTPatchAPIChannelJSONBody,
    RESTPatchAPIChannelMessageJSONBody,
    RESTPostAPIApplicationCommandsJSONBody,
    RESTPostAPIChannelMessageJSONBody,
    RESTPostAPIChannelMessagesThreadsJSONBody,
    RESTPostAPIChannelThreadsJSONBody,
    RESTPostAPICurrentUserCreateDMChannelJSONBody,
    RESTPostAPIGuildForumThreadsJSONBody,
    RESTPostAPIGuildRoleJSONBody,
    RESTPostAPIInteractionCallbackWithResponseResult,
    RESTPostAPIWebhookWithTokenJSONBody,
    RESTPutAPIGuildBanJSONBody,
  } from 'discord-api-types/v10';
  import type { ZodMiniType } from 'zod/mini';

  export const MessageCreateRequestSchema: ZodMiniType<RESTPostAPIChannelMessageJSONBody>;
  export const MessageEditRequestPartialSchema: ZodMiniType<RESTPatchAPIChannelMessageJSONBody>;
  export const IncomingWebhookRequestPartialSchema: ZodMiniType<RESTPostAPIWebhookWithTokenJSONBody>;
  export const IncomingWebhookUpdateRequestPartialSchema: ZodMiniType<RESTPatchAPIChannelMessageJSONBody>;
  export const CreateMessageInteractionCallbackRequestSchema: ZodMiniType<
    APIInteractionResponseChannelMessageWithSource | APIInteractionResponseDeferredChannelMessageWithSource
  >;
  export const UpdateMessageInteractionCallbackRequestSchema: ZodMiniType<
    APIInteractionResponseUpdateMessage | APIInteractionResponseDeferredMessageUpdate
  >;
  type AutocompleteData = APIApplicationCommandAutocompleteResponse['data'];
  export const InteractionApplicationCommandAutocompleteCallbackStringDataSchema: ZodMiniType<AutocompleteData>;
  export const InteractionApplicationCommandAutocompleteCallbackIntegerDataSchema: ZodMiniType<AutocompleteData>;
  export const InteractionApplicationCommandAutocompleteCallbackNumberDataSchema: ZodMiniType<AutocompleteData>;
  export const ModalInteractionCallbackRequestSchema: ZodMiniType<APIModalInteractionResponse>;
  export const ApplicationCommandCreateRequestSchema: ZodMiniType<RESTPostAPIApplicationCommandsJSONBody>;
  export const ApplicationCommandPatchRequestPartialSchema: ZodMiniType<RESTPatchAPIApplicationCommandJSONBody>;
  export const CreatePrivateChannelRequestSchema: ZodMiniType<RESTPostAPICurrentUserCreateDMChannelJSONBody>;
  export const BanUserFromGuildRequestSchema: ZodMiniType<RESTPutAPIGuildBanJSONBody>;
  export const CreateRoleRequestSchema: ZodMiniType<RESTPostAPIGuildRoleJSONBody>;
  export const UpdateRoleRequestPartialSchema: ZodMiniType<RESTPostAPIGuildRoleJSONBody>;
  export const UpdateRolePositionsRequestSchema: ZodMiniType<{
    id?: string | null;
    position?: number | null;
  }>;
  export const CreateGuildChannelRequestSchema: ZodMiniType<RESTPatchAPIChannelJSONBody>;
  export const UpdateGuildChannelRequestPartialSchema: ZodMiniType<RESTPatchAPIChannelJSONBody>;
  export const ChannelPermissionOverwriteRequestSchema: ZodMiniType<object>;
  export const CreateTextThreadWithMessageRequestSchema: ZodMiniType<RESTPostAPIChannelMessagesThreadsJSONBody>;
  export const CreateTextThreadWithoutMessageRequestSchema: ZodMiniType<RESTPostAPIChannelThreadsJSONBody>;
  export const CreateForumThreadRequestSchema: ZodMiniType<RESTPostAPIGuildForumThreadsJSONBody>;
  export const UpdateThreadRequestPartialSchema: ZodMiniType<RESTPatchAPIChannelJSONBody>;
  export const MessageResponseSchema: ZodMiniType<APIMessage>;
  export const InteractionCallbackResponseSchema: ZodMiniType<RESTPostAPIInteractionCallbackWithResponseResult>;
  export const GatewayBotResponseSchema: ZodMiniType<RESTGetAPIGatewayBotResult>;
  export const ErrorResponseSchema: ZodMiniType<{ code: number; message: string; errors?: unknown }>;
}

import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Interactions } from '../interactions/interactions.ts';
import type { RateLimiter, RateLimitSettings } from '../rules/rate-limits.ts';
import type { Messages } from '../state/messages.ts';
import type { Faults } from './faults.ts';
import type { Form } from './form.ts';
import type { RequestRecord, Requests } from './requests.ts';
import type { UnsupportedRequests } from './unsupported.ts';

export interface Services {
  context: Context;
  messages: Messages;
  interactions: Interactions;
  gateway: Gateway;
  rateLimiter: RateLimiter;
  requests: Requests;
  unsupported: UnsupportedRequests;
  faults: Faults;
}

/** The parameters of a path, and of its query. The answer to an id that is none names its field by them. */
export interface At<Names extends string, Queries extends string = never> {
  Params: Record<Names, string>;
  Querystring: Partial<Record<Queries, string>>;
}
export type ChannelRoute = At<'channelId'>;
export type MessageRoute = At<'channelId' | 'messageId'>;
export type GuildRoute = At<'guildId'>;
export type MemberRoute = At<'guildId' | 'userId'>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `token`: the path carries an interaction token instead of an Authorization header. Default `bot`. */
    auth?: 'bot' | 'token';
    /**
     * The bucket of this route, and the path's parameter it is kept for. `announces`: how many calls its headers
     * promise as long as it is not used up.
     */
    bucket?: { name: keyof RateLimitSettings; of: string; announces?: number };
  }
  interface FastifyRequest {
    /** The bot that calls; empty on routes that are opened by an interaction token. */
    applicationId: string;
    record: RequestRecord | undefined;
    losesAnswer: boolean;
    /** How long it waits before its work is done, in milliseconds of the local Discord’s clock. */
    slowMs: number;
  }
}

export function formOf(request: FastifyRequest): Form {
  // The only content-type parser of this API gives a Form; requests without a body have none.
  return (request.body as Form | undefined) ?? { body: undefined, files: [] };
}

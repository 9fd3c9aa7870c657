import type { RequestRecord } from '../../src/rest/requests.ts';

type Asked = Pick<RequestRecord, 'method' | 'path'>;

/** The calls that carry a job to its member. */
export const calls = {
  /** The first answer to an interaction. */
  callback: ({ path }: Asked) => path.endsWith('/callback'),
  /** An edit of the reply by the interaction's token. */
  reply: ({ method, path }: Asked) => method === 'PATCH' && path.startsWith('/webhooks/'),
  /** An edit of the reply that brings a file. */
  upload: ({ hasFiles, ...asked }: Asked & Pick<RequestRecord, 'hasFiles'>) => hasFiles && calls.reply(asked),
  /** A message beside the reply. */
  followUp: ({ method, path }: Asked) => method === 'POST' && path.startsWith('/webhooks/'),
  /** An edit of the reply by the bot's own token. */
  edit: ({ method, path }: Asked) => method === 'PATCH' && path.startsWith('/channels/'),
  /** A new message, in a channel or a conversation. */
  post: ({ method, path }: Asked) => method === 'POST' && /^\/channels\/\d+\/messages$/.test(path),
  /** A look at messages: the reply by its token, one of a channel, or a page of them. */
  look: ({ method, path }: Asked) => method === 'GET' && path.includes('/messages'),
  /** Whatever an interaction's token opens. */
  token: ({ path }: Asked) => path.startsWith('/webhooks/'),
  any: () => true,
};

/** An answer by which Discord refuses, in its own words. */
export const refusal = (status: number, code: number, message = 'No') => ({
  status,
  body: { code, message },
});

/** Discord's 429, whose wait is in seconds. */
export const tooMany = (seconds: number, extra: Record<string, unknown> = {}) => ({
  status: 429,
  headers: { 'retry-after': `${seconds}`, 'content-type': 'application/json' },
  body: { message: 'You are being rate limited.', retry_after: seconds, global: false, ...extra },
});

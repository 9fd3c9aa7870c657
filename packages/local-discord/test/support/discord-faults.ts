import type { Call } from '../../src/rest/faults.ts';
import type { RequestRecord } from '../../src/rest/requests.ts';

type Asked = Pick<RequestRecord, 'method' | 'path'>;
type Brought = Asked & Pick<RequestRecord, 'hasFiles'>;

/** The calls that carry a job to its member. */
export const calls = {
  /** The first answer to an interaction. */
  callback: ({ path }: Asked) => path.endsWith('/callback'),
  /** An edit of the reply by the interaction's token. */
  reply: ({ method, path }: Asked) => method === 'PATCH' && path.startsWith('/webhooks/'),
  /** An edit of the reply that brings a file. */
  upload: ({ hasFiles, ...asked }: Brought) => hasFiles && calls.reply(asked),
  /** A message beside the reply. */
  followUp: ({ method, path }: Asked) => method === 'POST' && path.startsWith('/webhooks/'),
  /** Such a message that brings a file. */
  followUpFiles: ({ hasFiles, ...asked }: Brought) => hasFiles && calls.followUp(asked),
  /** An edit of the reply by the bot's own token. */
  edit: ({ method, path }: Asked) => method === 'PATCH' && path.startsWith('/channels/'),
  /** Such an edit that brings a file; progress may be shown once more by one that does not. */
  editUpload: ({ hasFiles, ...asked }: Brought) => hasFiles && calls.edit(asked),
  /** A new message, in a channel or a conversation. */
  post: ({ method, path }: Asked) => method === 'POST' && /^\/channels\/\d+\/messages$/.test(path),
  /** A look at messages: the reply by its token, one of a channel, or a page of them. */
  look: ({ method, path }: Asked) => method === 'GET' && path.includes('/messages'),
  /** Whatever an interaction's token opens. */
  token: ({ path }: Asked) => path.startsWith('/webhooks/'),
  any: () => true,
};

const REPLY = /^\/webhooks\//;
const MESSAGE = /^\/channels\/\d+\/messages\/\d+$/;
const MESSAGES = /^\/channels\/\d+\/messages$/;

/** The same, one by one: a fault that meets the next of them is not used up by another. */
export const oneCall = {
  callback: { method: 'POST', path: /\/callback$/, hasFiles: false },
  /** Progress, or an end without a picture. */
  replyWords: { method: 'PATCH', path: REPLY, hasFiles: false },
  /** The picture or a preview of it. */
  replyFiles: { method: 'PATCH', path: REPLY, hasFiles: true },
  followUpWords: { method: 'POST', path: REPLY, hasFiles: false },
  followUpFiles: { method: 'POST', path: REPLY, hasFiles: true },
  editFiles: { method: 'PATCH', path: MESSAGE, hasFiles: true },
  postWords: { method: 'POST', path: MESSAGES, hasFiles: false },
  postFiles: { method: 'POST', path: MESSAGES, hasFiles: true },
  look: { method: 'GET', path: /\/messages/, hasFiles: false },
} satisfies Record<string, Call>;

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

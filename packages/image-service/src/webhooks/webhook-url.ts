import { parseCallerUrl } from '../outbound/caller-url.ts';

/** The address that a submission names for its webhook; see `parseCallerUrl`. */
export const webhookUrl = (webhook: string | { url: string }, allowedOrigins: readonly string[]): URL =>
  parseCallerUrl(typeof webhook === 'string' ? webhook : webhook.url, {
    parameter: 'webhook',
    allowedOrigins,
  });

import { randomUUID } from 'node:crypto';
import type { TaskStatusAnswer } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import { success } from '../http/responses.ts';
import type { SendResult, WebhookSender } from './send-webhook.ts';
import { signedHeaders } from './signature.ts';
import type { SigningSecrets } from './signing-secrets.ts';

export type SendTestEvent = ReturnType<typeof createTestEvents>;

/** Sends the end of a task that never was: signed as any other, and once. */
export function createTestEvents({
  secrets,
  sender,
  clock,
}: {
  secrets: Pick<SigningSecrets, 'forSigning'>;
  sender: Pick<WebhookSender, 'send'>;
  clock: Clock;
}) {
  return async (accountId: number, url: URL): Promise<SendResult> => {
    const id = randomUUID();
    const sentAt = clock.now();
    const task: TaskStatusAnswer = {
      id,
      status: 'failed',
      error: 'This is a test of your webhook: there is no such task.',
      error_code: 'test',
      result: null,
      created_at: new Date(sentAt).toISOString(),
      cost: 0,
    };
    const body = JSON.stringify(success(task));
    const headers = signedHeaders(await secrets.forSigning(accountId), { id: `msg_${id}`, sentAt, body });
    // Nobody ends it: an attempt has a timeout of its own.
    return sender.send(url, { headers, body }, new AbortController().signal);
  };
}

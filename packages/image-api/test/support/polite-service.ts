import { randomUUID } from 'node:crypto';
import { submission } from '../../src/contract/submission.ts';
import { answer, bytes, refusal } from './behaviours.ts';
import type { Behaviour, Route } from './exchange.ts';

/** A key of the interface's form that is nobody's. */
export const A_KEY = `sk-${'0123456789abcdef'.repeat(3)}`;

/** The smallest PNG: one grey pixel. */
export const A_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNoaGgAAAMEAYEezv+mAAAAAElFTkSuQmCC',
  'base64',
);

/** Answers as the interface shows them: a task is pending, then processing, then completed, one step per question. */
export function polite(): Readonly<Record<Route, Behaviour>> {
  const asked = new Map<string, number>();
  let numeric = 1_700_000_000_000;
  return {
    submit(exchange) {
      const { workflow } = submission.parse(JSON.parse(exchange.request.body));
      const id = workflow === 'rr3' ? String(numeric++) : randomUUID();
      return answer(
        workflow === 'rr3'
          ? { id, provider: 'rr3', status: 'queued', check_status: `?endpoint=task_status&task_id=${id}` }
          : { id, status: 'queued', message: 'Webhook support is coming.' },
      )(exchange);
    },
    dryRun: answer({ cost: 1, balance: 42.5, queue_position: 1, warnings: [] }),
    status(exchange) {
      const id = exchange.request.query.get('task_id') ?? '';
      const times = (asked.get(id) ?? 0) + 1;
      asked.set(id, times);
      const task = { id, created_at: null, result: null };
      if (times === 1) return answer({ ...task, status: 'pending', progress: 0 })(exchange);
      if (times === 2) return answer({ ...task, status: 'processing', progress: 50 })(exchange);
      const result = { image_url: `${exchange.baseUrl}/pictures/${id}.png` };
      return answer({ ...task, status: 'completed', result })(exchange);
    },
    /** The interface shows no way to end a task. */
    cancel: refusal(404, 'unknown endpoint'),
    list: answer({ tasks: [], next: null }),
    /** It does not know this either. */
    capabilities: refusal(404, 'unknown endpoint'),
    balance: answer({ user_id: 7, username: 'ada', balance: 42.5, currency: 'credits' }),
    generateKey: answer({ api_key: A_KEY }),
    getKey: answer({ api_key: A_KEY }),
    getKeyByGet: answer({ api_key: A_KEY }),
    revokeKey: answer({ revoked: 1 }),
    getWebhookSecret: answer({ webhook_secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=' }),
    rotateWebhookSecret: answer({ webhook_secret: 'whsec_MTEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=' }),
    /** It tests and repeats none. */
    testWebhook: refusal(404, 'unknown endpoint'),
    resendWebhook: refusal(404, 'unknown endpoint'),
    upload: refusal(404, 'unknown endpoint'),
    usage: answer({ days: [], total: { completed: 0, failed: 0, cost: 0 } }),
    /** The address itself has no meaning to it. */
    ping: refusal(404, 'unknown endpoint'),
    picture: bytes(A_PNG, 'image/png'),
  };
}

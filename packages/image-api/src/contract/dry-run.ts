import { z } from 'zod';
import { looseNumber } from './loose.ts';
import { type Operation, v1 } from './operation.ts';
import { schema, taking } from './schema.ts';
import { submission, submit } from './submission.ts';

/** What a submission would cost, what there is, and where its task would be in the queue. */
const sent = schema(
  z
    .object({
      cost: z.number(),
      balance: z.number(),
      queue_position: z.int(),
      eta_seconds: z.number().optional(),
      warnings: z.array(z.string()),
    })
    .meta({ id: 'DryRun' }),
);
export type DryRunAnswer = z.infer<typeof sent>;

/** What the service does not tell is undefined. */
const read = schema(
  z
    .looseObject({
      cost: looseNumber,
      balance: looseNumber,
      queue_position: looseNumber,
      eta_seconds: looseNumber,
      warnings: z.array(z.string()).catch([]),
    })
    .transform(({ cost, balance, queue_position, eta_seconds, warnings }) => ({
      cost,
      balance,
      queuePosition: queue_position,
      etaSeconds: eta_seconds,
      warnings,
    })),
);
export type DryRun = z.infer<typeof read>;

/** An operation of its own and no parameter of a submission: a service that does not know it must not draw. */
export const dryRun = {
  method: 'POST',
  ...v1('dry_run'),
  tag: 'tasks',
  summary: 'Try a submission without making it',
  description:
    'Takes the body of a submission, and is refused as that would be. Nothing is queued or charged.',
  auth: 'key',
  body: taking(submission),
  carriesContent: true,
  example: submit.example,
  answer: { sent, read },
  errors: submit.errors,
} as const satisfies Operation;

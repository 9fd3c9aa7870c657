import type { Job, WaitReason } from '../../src/jobs/job.ts';
import type { JobTask } from '../../src/jobs/job-task.ts';

const fields = { seed: 7, idempotencyKey: '0b5a3f9e-6f0a-4c58-9d7b-6f9a2f0f1c11' };
const accepted = { ...fields, taskId: 'a task', acceptedAt: Date.UTC(2026, 0, 1) };

/** One task in every state. */
export const TASKS = {
  planned: { ...fields, state: 'planned' },
  submitting: { ...fields, state: 'submitting' },
  following: { ...accepted, state: 'following' },
  completed: {
    ...accepted,
    state: 'completed',
    imageUrl: 'https://images.example.com/1.png',
    completedAt: Date.UTC(2026, 0, 1, 0, 0, 9),
  },
  failed: { ...fields, state: 'failed', failure: { kind: 'task-failed', reason: 'out of memory' } },
} as const satisfies Record<JobTask['state'], JobTask>;

/** What a job keeps of who invoked it. */
export const CALLED_BY = {
  member: { id: '200000000000000001', locale: 'en-GB' },
  guildId: '300000000000000001',
  channelId: '400000000000000001',
  applicationId: '500000000000000001',
  attachmentLimit: 10_485_760,
} as const satisfies Partial<Job>;

/** The message that replies to it. */
export const REPLY_ID = '600000000000000001';

/** A job of one completed task. */
export const aJob = ({
  state = 'developing',
  waitReason = 'refused',
  ...rest
}: Partial<Job> & { waitReason?: WaitReason } = {}): Job => ({
  ...CALLED_BY,
  id: '100000000000000001',
  private: false,
  payer: { kind: 'operator' },
  createdAt: Date.UTC(2026, 0, 1),
  deadlineAt: Date.UTC(2026, 0, 1, 0, 30),
  submission: { prompt: 'a red fox', width: 512, height: 768, workflow: 'anime' },
  tasks: [TASKS.completed],
  reply: { messageId: REPLY_ID, tokenExpiresAt: Date.UTC(2026, 0, 1, 0, 15) },
  ...rest,
  ...(state === 'waiting' ? { state, waitReason } : { state }),
});

export const TASK_STATES = ['pending', 'processing', 'completed', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/**
 * The interface's four states and the words that other services use for them, such as
 * https://docs.bfl.ml/api_integration/errors,
 * https://docs.runpod.io/serverless/endpoints/job-states,
 * https://replicate.com/docs/topics/predictions/lifecycle and
 * https://docs.cloud.google.com/vertex-ai/docs/reference/rest/v1/JobState. Any other word means `processing`. Words for
 * `failed` that say why: `stopped` before a picture was there, `withheld` perhaps after.
 */
const STATE_WORDS: ReadonlyMap<string, TaskState | 'stopped' | 'withheld'> = new Map([
  ['pending', 'pending'],
  ['queued', 'pending'],
  ['in queue', 'pending'],
  ['waiting', 'pending'],
  ['completed', 'completed'],
  ['complete', 'completed'],
  ['success', 'completed'],
  ['succeeded', 'completed'],
  ['partially succeeded', 'completed'],
  ['finished', 'completed'],
  ['done', 'completed'],
  ['failed', 'failed'],
  ['failure', 'failed'],
  ['error', 'failed'],
  ['canceled', 'stopped'],
  ['cancelled', 'stopped'],
  ['aborted', 'stopped'],
  ['expired', 'withheld'],
  ['rejected', 'stopped'],
  ['timeout', 'withheld'],
  ['timed out', 'withheld'],
  ['request moderated', 'stopped'],
  ['content moderated', 'withheld'],
]);

/** However it is spelled; of Vertex, `JOB_STATE_SUCCEEDED`. */
const plainWord = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[_-]/g, ' ')
    .replace(/^job state /, '');

interface ReadState {
  state: TaskState;
  /** The word itself, where it says more than its state. */
  why?: string;
  /** Of `failed`, whether there may have been a picture. */
  mayBeDrawn: boolean;
}

/** `ready` may mean ready to begin: only with an address it is the end. */
export function readState(word: string, hasAddress: boolean): ReadState {
  const plain = plainWord(word);
  if (plain === 'ready' && hasAddress) return { state: 'completed', mayBeDrawn: false };
  const state = STATE_WORDS.get(plain) ?? 'processing';
  if (state !== 'stopped' && state !== 'withheld') return { state, mayBeDrawn: false };
  return { state: 'failed', why: word, mayBeDrawn: state === 'withheld' };
}

/** The word of a service, such as BFL's, that knows no such task, where it is told in place of a state. */
export function wordOfNoTask(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('status' in data)) return undefined;
  const { status } = data;
  return typeof status === 'string' && plainWord(status) === 'task not found' ? status : undefined;
}

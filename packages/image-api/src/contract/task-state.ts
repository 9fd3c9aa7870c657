export const TASK_STATES = ['pending', 'processing', 'completed', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/**
 * The interface's four states and the words that other services use for them, such as
 * https://docs.bfl.ml/api_integration/errors,
 * https://docs.runpod.io/serverless/endpoints/job-states,
 * https://replicate.com/docs/topics/predictions/lifecycle and
 * https://docs.cloud.google.com/vertex-ai/docs/reference/rest/v1/JobState. Any other word means `processing`.
 */
const STATE_WORDS: ReadonlyMap<string, TaskState> = new Map([
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
  ['canceled', 'failed'],
  ['cancelled', 'failed'],
  ['aborted', 'failed'],
  ['expired', 'failed'],
  ['rejected', 'failed'],
  ['timeout', 'failed'],
  ['timed out', 'failed'],
  ['request moderated', 'failed'],
  ['content moderated', 'failed'],
]);

/** However it is spelled; of Vertex, `JOB_STATE_SUCCEEDED`. */
const plainWord = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[_-]/g, ' ')
    .replace(/^job state /, '');

/** `ready` may mean ready to begin: only with an address it is the end. */
export function stateOf(word: string, hasAddress: boolean): TaskState {
  const plain = plainWord(word);
  return plain === 'ready' && hasAddress ? 'completed' : (STATE_WORDS.get(plain) ?? 'processing');
}

/** The word of a service, such as BFL's, that knows no such task, where it is told in place of a state. */
export function wordOfNoTask(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('status' in data)) return undefined;
  const { status } = data;
  return typeof status === 'string' && plainWord(status) === 'task not found' ? status : undefined;
}

/** What a task does. All but the first begin with a picture; the interface knows the first alone. */
export const TASK_OPERATIONS = ['generate', 'edit', 'upscale', 'expand', 'remove_background'] as const;
export type TaskOperation = (typeof TASK_OPERATIONS)[number];

/** Those that are told by words what to draw; the others do without. */
export const OPERATIONS_BY_PROMPT: ReadonlySet<TaskOperation> = new Set(['generate', 'edit']);

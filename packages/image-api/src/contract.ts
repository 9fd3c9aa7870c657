export { holdsKey, redactCredentials } from './client/redaction.ts';
export { type Balance, toThousandths } from './contract/balance.ts';
export {
  type Capabilities,
  type CapabilitiesAnswer,
  EFFECTS,
  type WorkflowOffer,
} from './contract/capabilities.ts';
export type { DryRun, DryRunAnswer } from './contract/dry-run.ts';
export { apiError, type ErrorBody, envelope } from './contract/envelope.ts';
export { ANY_REQUEST_ERRORS, ERROR_CODES, type ErrorCode } from './contract/error-codes.ts';
export { type Graph, type GraphNode, graph } from './contract/graph.ts';
export { apiKey, type CurrentKey } from './contract/keys.ts';
export {
  LIMITS,
  POLL_INTERVAL_MS,
  WORKFLOWS,
  WORKFLOWS_SUPPORTING,
  type Workflow,
} from './contract/limits.ts';
export { HEADERS, type Operation, operationName } from './contract/operation.ts';
export * as OPERATIONS from './contract/operations.ts';
export { PICTURE_LIMITS } from './contract/pictures.ts';
export {
  graphTaskQueued,
  type QueuedAnswer,
  type QueuedTask,
  rr3TaskQueued,
  type Submission,
  submission,
  workflowName,
} from './contract/submission.ts';
export type {
  CompletedTask,
  FailedTask,
  ListedTaskAnswer,
  Task,
  TaskPage,
  TaskStatusAnswer,
  TaskUnderWay,
} from './contract/task.ts';
export { taskEnded } from './contract/task.ts';
export { OPERATIONS_BY_PROMPT, TASK_OPERATIONS, type TaskOperation } from './contract/task-operation.ts';
export type { Upload } from './contract/upload.ts';
export type { Usage } from './contract/usage.ts';
export type { WebhookStatus } from './contract/webhook.ts';
export { SERVICE_ERROR_KINDS, ServiceError, type ServiceErrorKind } from './service-error.ts';

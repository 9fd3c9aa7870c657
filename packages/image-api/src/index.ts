export { createGuardedConnector, isPublicAddress } from './client/address-guard.ts';
export { createImageClient, type ImageClient } from './client/client.ts';
export { USER_AGENT } from './client/http-request.ts';
export { redactCredentials } from './client/redaction.ts';
export { readRetryAfter } from './client/retry-after.ts';
export type { Capabilities, CapabilitiesAnswer } from './contract/capabilities.ts';
export type { DryRunAnswer } from './contract/dry-run.ts';
export { type ErrorBody, envelope, errorEnvelope } from './contract/envelope.ts';
export { ANY_REQUEST_ERRORS, ERROR_CODES, type ErrorCode } from './contract/error-codes.ts';
export { type Graph, type GraphNode, graph } from './contract/graph.ts';
export { apiKey } from './contract/keys.ts';
export {
  LIMITS,
  POLL_INTERVAL_MS,
  WORKFLOWS,
  WORKFLOWS_SUPPORTING,
  type Workflow,
} from './contract/limits.ts';
export { HEADERS, type Operation, operationName } from './contract/operation.ts';
export { OPERATIONS } from './contract/operations.ts';
export {
  graphTaskQueued,
  type QueuedAnswer,
  rr3TaskQueued,
  type Submission,
  submission,
  workflowName,
} from './contract/submission.ts';
export type { ListedTaskAnswer, Task, TaskStatusAnswer } from './contract/task.ts';
export type { WebhookStatus } from './contract/webhook.ts';
export { SERVICE_ERROR_KINDS, ServiceError, type ServiceErrorKind } from './service-error.ts';

export { openEngines } from './engines/open-engines.ts';
export { examineWorkflow } from './workflows/missing-models.ts';
export { createWorkflows } from './workflows/workflows.ts';

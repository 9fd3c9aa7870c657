export { ALL_ABILITIES, DrawingError, type Engine } from './engines/engine.ts';
export { openEngines } from './engines/open-engines.ts';
export { createFolder } from './files/folder.ts';
export { toCredits, toMilli } from './ledger/ledger.ts';
export { openService } from './open-service.ts';
export { createService, type Service } from './service.ts';
export { examineWorkflow } from './workflows/missing-models.ts';
export { createWorkflows } from './workflows/workflows.ts';

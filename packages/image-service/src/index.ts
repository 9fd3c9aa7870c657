export { ALL_ABILITIES, DrawingError, type Engine } from './engines/engine.ts';
export { createFolder } from './files/folder.ts';
export { toCredits, toMilli } from './ledger/credits.ts';
export { openService } from './open-service.ts';
export { examineDatabase } from './operator/examine-database.ts';
export { createService, type Service } from './service.ts';

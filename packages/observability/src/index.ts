export { type Check, createReadiness, type Finding } from './readiness.ts';

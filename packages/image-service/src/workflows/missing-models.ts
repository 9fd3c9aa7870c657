import { OperatorError } from '@darkroom/process';
import type { Rejection } from '../engines/engine.ts';
import type { OfferedWorkflow } from './workflows.ts';

/** That a workflow is not offered, as nobody has its models, and what its operator can do. */
export function explainNotOffered(
  { name, engine, defaults }: OfferedWorkflow,
  { reason }: Rejection,
): string {
  const setting =
    engine.name === 'comfyui' && defaults.model === undefined ? 'COMFYUI_MODELS' : 'SERVICE_WORKFLOWS';
  return `The workflow ${name} is not offered. ${reason} Check ${setting}.`;
}

/** Rejects with an `OperatorError` where nobody has the models of a workflow that its operator counts on. */
export async function examineWorkflow(workflow: OfferedWorkflow): Promise<void> {
  const { engine, like, defaults, isExpected } = workflow;
  if (!isExpected) return;
  const found = await engine.rejection?.({ prompt: '', workflow: like, model: defaults.model });
  if (found && !('retryAfterMs' in found)) throw new OperatorError(explainNotOffered(workflow, found));
}

import type { Submission } from '@darkroom/image-api';
import type { Away, Rejection, RequestedDrawing } from '../engines/engine.ts';
import type { Expenses } from '../ledger/expenses.ts';
import type { OfferedWorkflow, Workflows } from './workflows.ts';

/** Why something would not be drawn, before it costs anything; undefined where it may be. */
export function createRejections({
  workflows,
  expenses,
}: {
  workflows: Pick<Workflows, 'get'>;
  expenses: Pick<Expenses, 'noRoomFor'>;
}) {
  /** As far as its engine and the operator's budget are concerned. */
  const ofEngine = async (
    { engine, like, defaults }: OfferedWorkflow,
    { prompt, model }: Pick<RequestedDrawing, 'prompt' | 'model'>,
  ): Promise<Rejection | Away | undefined> =>
    (engine.pictureCost && (await expenses.noRoomFor(engine.pictureCost))) ||
    engine.rejection?.({ prompt, workflow: like, model: model ?? defaults.model });

  return {
    ofEngine,

    async ofSubmission({
      prompt,
      workflow: named = 'default',
      model,
    }: Submission): Promise<Rejection | Away | undefined> {
      const workflow = workflows.get(named);
      const { name, like, abilities, effects } = workflow;
      if (typeof prompt !== 'string' && (!abilities.graphs || like === 'rr3'))
        return { field: 'prompt', reason: `The workflow ${name} takes a text prompt, not a graph.` };
      return ofEngine(workflow, { prompt, model: effects.includes('model') ? model : undefined });
    },
  };
}

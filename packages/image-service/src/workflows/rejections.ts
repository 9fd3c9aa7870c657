import type { Submission } from '@darkroom/image-api';
import type { Away, Rejection } from '../engines/engine.ts';
import type { Workflows } from './workflows.ts';

/** Why a submission would not be drawn, before it costs anything; undefined where it may be. */
export const createRejections =
  ({ get }: Pick<Workflows, 'get'>) =>
  async ({
    prompt,
    workflow: named = 'default',
    model,
  }: Submission): Promise<Rejection | Away | undefined> => {
    const { name, like, engine, abilities, effects, defaults } = get(named);
    if (typeof prompt !== 'string' && (!abilities.graphs || like === 'rr3'))
      return { field: 'prompt', reason: `The workflow ${name} takes a text prompt, not a graph.` };
    return engine.rejection?.({
      prompt,
      workflow: like,
      model: (effects.includes('model') ? model : undefined) ?? defaults.model,
    });
  };

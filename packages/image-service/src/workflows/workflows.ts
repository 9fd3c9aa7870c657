import { LIMITS, WORKFLOWS, WORKFLOWS_SUPPORTING, type Workflow } from '@darkroom/image-api/contract';
import { OperatorError } from '@darkroom/process';
import { ApiError } from '../api-error.ts';
import type { Effect, Engine } from '../engines/engine.ts';
import { ENGINES } from '../engines/engine-names.ts';
import { fitSize } from '../engines/fit-drawing.ts';
import type { Budget } from '../ledger/budget.ts';
import type { WorkflowChoice } from './workflow-settings.ts';

const NEGATIVE_PROMPT =
  'lowres, blurry, bad anatomy, bad hands, extra fingers, text, watermark, jpeg artifacts';

/**
 * The interface says which workflows use `cfg` and `model`, and that `cfg` is 6 or 7, but not which has which.
 * Z-Image Turbo is distilled: it samples in 8 steps at a guidance of 1, where a negative prompt has no effect.
 */
const RULES: Readonly<Record<Workflow, { steps: number; cfg: number; negativePrompt: boolean }>> = {
  default: { steps: LIMITS.steps.default, cfg: 7, negativePrompt: true },
  anime: { steps: LIMITS.steps.default, cfg: 6, negativePrompt: true },
  'z-image': { steps: 8, cfg: 1, negativePrompt: false },
  rr3: { steps: LIMITS.steps.default, cfg: 7, negativePrompt: true },
};

/** The workflow of the interface that one of this name is drawn as. */
export const drawnAs = (name: string, { like = 'default' }: Pick<WorkflowChoice, 'like'>): Workflow =>
  WORKFLOWS.find((known) => known === name) ?? like;

export type Workflows = ReturnType<typeof createWorkflows>;
/** A workflow that can be asked for: one of the interface, or one that the operator defines. */
export type OfferedWorkflow = ReturnType<Workflows['get']>;

/**
 * The workflows of a service: those of the interface, each drawn by the first engine that can, and what the operator
 * says about them or adds. Throws an `OperatorError` where a workflow names an engine that is not there or cannot
 * draw it, has a cost although its engine has none, or has none where a budget would have to be reduced by it.
 */
export function createWorkflows({
  engines,
  settings = {},
  pictureCost,
  budget,
}: {
  /** In the order in which they are preferred. */
  engines: readonly Engine[];
  settings?: Readonly<Record<string, WorkflowChoice>> | undefined;
  /** What a picture of an engine that is paid costs the operator in money, where a workflow does not say it. */
  pictureCost?: number | undefined;
  budget?: Budget | undefined;
}) {
  const names = [...new Set([...WORKFLOWS, ...Object.keys(settings)])];
  const offered = new Map(names.map((name) => [name, offer(name, settings[name] ?? {})]));
  const all = [...offered.values()];
  const unpriced = all.find(({ engine, pictureCost }) => engine.isPaid && pictureCost === undefined);
  if (budget && unpriced)
    throw new OperatorError(
      `SERVICE_BUDGET: bounds what pictures cost, and nobody says what one of the workflow ${unpriced.name} does: set HOSTED_COST, or its cost in SERVICE_WORKFLOWS.`,
    );

  function offer(name: string, choice: WorkflowChoice) {
    const own = WORKFLOWS.find((known) => known === name);
    const like = drawnAs(name, choice);
    const { engine, abilities } = engineOf(name, like, choice);
    if (choice.cost !== undefined && !engine.isPaid)
      throw new OperatorError(
        `SERVICE_WORKFLOWS: ${name} has a cost, but is drawn by ${engine.name}, which has none. Leave it out, or name an engine that is paid.`,
      );
    const rules = RULES[like];
    const has: Record<Effect, boolean> = {
      negative_prompt: rules.negativePrompt,
      steps: true,
      seed: true,
      variation_of: true,
      nsfw: true,
      cfg: WORKFLOWS_SUPPORTING.cfg.includes(like),
      // A workflow that the operator has made for one model has no other.
      model: WORKFLOWS_SUPPORTING.model.includes(like) && (own !== undefined || choice.model === undefined),
    };
    return {
      name,
      /** The workflow of the interface that it is drawn as. */
      like,
      /** Whether its operator counts on it: the usual one, and those that they say something about. */
      isExpected: name === 'default' || Object.hasOwn(settings, name),
      engine,
      abilities,
      /** Whether it takes a node graph in place of words. */
      graphs: abilities.graphs && like !== 'rr3',
      get effects() {
        return (engine.abilities(like, choice.model) ?? abilities).effects.filter((effect) => has[effect]);
      },
      /** What a picture costs the operator in money, where they say so. */
      pictureCost: engine.isPaid ? (choice.cost ?? pictureCost) : undefined,
      /** What is drawn where a submission does not say it. Sizes in pixels. */
      defaults: {
        ...fitSize(
          {
            width: choice.width ?? LIMITS.width.default,
            height: choice.height ?? LIMITS.height.default,
          },
          abilities,
        ),
        steps: choice.steps ?? rules.steps,
        cfg: choice.cfg ?? rules.cfg,
        negativePrompt: choice.negative_prompt ?? NEGATIVE_PROMPT,
        /** The engine's own where it is undefined. */
        model: choice.model,
      },
    };
  }

  function engineOf(name: string, like: Workflow, { engine: wanted, model }: WorkflowChoice) {
    for (const engine of engines) {
      const abilities =
        wanted === undefined || engine.name === wanted ? engine.abilities(like, model) : undefined;
      if (abilities) return { engine, abilities };
    }
    const setting = Object.entries(ENGINES).find(([known]) => known === wanted)?.[1];
    const missing = wanted !== undefined && !engines.some((engine) => engine.name === wanted);
    throw new OperatorError(
      missing
        ? `SERVICE_WORKFLOWS: ${name} is to be drawn by ${wanted}, which is not set up: set ${setting}.`
        : `SERVICE_WORKFLOWS: ${name} is to be drawn by ${wanted ?? 'some engine'}, which cannot draw it. Leave its engine out, or name another one.`,
    );
  }

  return {
    names,
    all,
    engines,

    /** Undefined where there is none of that name: a task may be older than the settings. */
    find: (name: string) => offered.get(name),

    /** Throws an API error where there is none of that name. */
    get(name: string) {
      const found = offered.get(name);
      if (found) return found;
      throw new ApiError('unknown_workflow', `workflow must be one of ${names.join(', ')}.`, {
        details: { field: 'workflow', received: name, allowed: names },
      });
    },
  };
}

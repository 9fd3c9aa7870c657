import { randomInt } from 'node:crypto';
import {
  type Graph,
  LIMITS,
  type Submission,
  WORKFLOWS_SUPPORTING,
  type Workflow,
} from '@darkroom/image-api';
import { type DrawingParameters, UNKNOWN_SEED } from '../engines/engine.ts';
import { readGraphParameters } from '../engines/graph-parameters.ts';

/** One more than the largest seed that is drawn here: seeds are unsigned 32-bit integers. */
const SEEDS = 2 ** 32;

/** The defaults of a workflow, and what it supports. */
interface WorkflowRules {
  /** Sampling steps where the submission names none. */
  steps: number;
  cfg: number;
  /** Whether a negative prompt takes effect; `WORKFLOWS_SUPPORTING` says it of `cfg` and `model`. */
  negativePrompt: boolean;
}

/** The interface says which workflows use `cfg` and `model`, and that `cfg` is 6 or 7, but not which has which. */
const WORKFLOW_RULES: Readonly<Record<Workflow, WorkflowRules>> = {
  default: {
    steps: LIMITS.steps.default,
    cfg: 7,
    negativePrompt: true,
  },
  anime: {
    steps: LIMITS.steps.default,
    cfg: 6,
    negativePrompt: true,
  },
  // Z-Image Turbo is distilled: it samples in 8 steps at a guidance of 1, where a negative prompt has no effect.
  'z-image': {
    steps: 8,
    cfg: 1,
    negativePrompt: false,
  },
  rr3: {
    steps: LIMITS.steps.default,
    cfg: 7,
    negativePrompt: true,
  },
};

/** The negative prompt of a submission without one. */
const NEGATIVE_PROMPT =
  'lowres, blurry, bad anatomy, bad hands, extra fingers, text, watermark, jpeg artifacts';

/** Fills in the defaults of a submission; with a warning for each parameter that has no effect. */
export function resolveParameters(submission: Submission): {
  parameters: DrawingParameters;
  warnings: string[];
} {
  const { prompt, workflow = 'default', ...others } = submission;
  if (typeof prompt !== 'string') return resolveGraph(prompt, workflow, others);
  const { steps, cfg, negativePrompt } = WORKFLOW_RULES[workflow];
  const supports = (field: 'cfg' | 'model') => WORKFLOWS_SUPPORTING[field].includes(workflow);
  const seed = submission.seed ?? LIMITS.seed.default;
  const ignored = [
    submission.negative_prompt !== undefined && !negativePrompt && 'negative_prompt',
    submission.cfg !== undefined && !supports('cfg') && 'cfg',
    submission.model !== undefined && !supports('model') && 'model',
  ].filter((parameter) => parameter !== false);
  return {
    parameters: {
      workflow,
      prompt,
      negativePrompt: submission.negative_prompt ?? NEGATIVE_PROMPT,
      width: submission.width ?? LIMITS.width.default,
      height: submission.height ?? LIMITS.height.default,
      steps: submission.steps ?? steps,
      seed: seed === -1 ? randomInt(SEEDS) : seed,
      cfg: supports('cfg') ? (submission.cfg ?? cfg) : cfg,
      model: supports('model') ? submission.model : undefined,
    },
    warnings: ignored.map((parameter) => `${parameter} has no effect in the workflow ${workflow}`),
  };
}

/** A complete graph has its own parameters. What cannot be read from it is the workflow's default; its seed is unknown. */
function resolveGraph(
  graph: Graph,
  workflow: Workflow,
  others: object,
): ReturnType<typeof resolveParameters> {
  const ignored = Object.entries(others).filter(([, value]) => value !== undefined);
  const { parameters } = resolveParameters({ prompt: '', workflow });
  return {
    parameters: { ...parameters, seed: UNKNOWN_SEED, ...readGraphParameters(graph), prompt: graph },
    warnings: ignored.map(([parameter]) => `${parameter} has no effect beside a complete graph`),
  };
}

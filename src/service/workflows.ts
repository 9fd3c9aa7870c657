import { LIMITS, type Workflow } from '../contract/limits.ts';

/** What a workflow does with a submission. */
interface WorkflowRules {
  /** Sampling steps where the submission names none. */
  steps: number;
  cfg: number;
  /** Whether a negative prompt takes effect; `HONOURED_BY` says it of `cfg` and `model`. */
  negativePrompt: boolean;
}

/** The interface says which workflows use `cfg` and `model`, and that `cfg` is 6 or 7; which is which is ours. */
export const WORKFLOW_RULES: Readonly<Record<Workflow, WorkflowRules>> = {
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

/** The built-in negative prompt, for a submission without one. */
export const NEGATIVE_PROMPT =
  'lowres, blurry, bad anatomy, bad hands, extra fingers, text, watermark, jpeg artifacts';

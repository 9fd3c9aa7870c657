import type { Effect } from '../engine.ts';
import { EXTRA_EFFECTS } from '../extra-arguments.ts';
import type { Size } from '../size.ts';
import { type Ending, endByModeration, endOfPrediction } from './ending.ts';
import type { FieldName } from './field-name.ts';
import { readModelList } from './model-list.ts';

/** A size that a model has, and the ratio that it is asked for by, where it is asked for so. */
export type ModelSize = Size & { ratio?: `${number}:${number}` };

/** As many pixels as every model draws that takes any size. */
const LARGEST = 1536 ** 2;

/** What is known of the models of a provider, beside what its package says itself. */
export interface Provider {
  /** As people know it. */
  title: string;
  /** A model that is usual there, which set-up offers; undefined where each server has its own. */
  usualModel: string | undefined;
  /** The line of the package `@ai-sdk/NAME` that goes with `ai` 6, and what it exports. */
  line: number;
  factory: string;
  keySetting: 'apiKey' | 'apiToken';
  /**
   * Where a key is asked for that costs nothing, from the address of a picture's request; undefined where nothing is
   * known.
   */
  keyPath?: string;
  /** Whether what it says there is the answer of such a server; of some of them nobody knows it. */
  isOwnAnswer?(text: string): boolean;
  /** Where a model is asked for likewise, which is missing where the answer is 404. */
  modelPath?(model: string): string;
  /** Whether its server reads parameters from a block in the words, whatever its package makes of them. */
  extraArguments?: true;
  effects(model: string): readonly Effect[];
  /** The largest seed that it takes, where ours may be larger. */
  maxSeed?: number;
  /** The pictures that a model takes with the words; undefined where it takes none. */
  edits?(model: string): Edits | undefined;
  /** The sizes that a model has; undefined where it takes any. */
  sizes?(model: string): readonly ModelSize[];
  sizeStep: number;
  maxPixels: number;
  /** What an answer tells beyond what its package makes of it. */
  endingOf?(answer: unknown): Ending | undefined;
  /** Under which name its package takes options, and what it calls those that there are. */
  options?: { of: string; always?: Record<string, number> } & Partial<
    Readonly<Record<'negative_prompt' | 'steps' | 'cfg', string>>
  >;
}

export interface Edits {
  /** The most of them. */
  images: number;
  /** Whether it draws nothing without one. */
  needed?: boolean;
  /** How it is told what is to change, where it can be; where not, the words say it. */
  mask?: 'transparent' | 'white';
  /** What the package calls the picture, where the model calls it otherwise. */
  field?: FieldName;
}

/** What begins with a picture at all at a provider whose models each have a name for what they do. */
const byName =
  (inWords: RegExp, images: number, masked?: RegExp) =>
  (model: string): Edits | undefined =>
    masked?.test(model)
      ? { images: 1, mask: 'white', needed: true }
      : inWords.test(model)
        ? { images }
        : undefined;

/** https://platform.openai.com/docs/guides/image-generation#size-and-quality-options */
const GPT_IMAGE_SIZES: readonly ModelSize[] = [
  { width: 1024, height: 1024 },
  { width: 1536, height: 1024 },
  { width: 1024, height: 1536 },
];

/** https://ai.google.dev/gemini-api/docs/image-generation, of the third generation at 1K. */
const GEMINI_SIZES: readonly ModelSize[] = [
  { width: 1024, height: 1024, ratio: '1:1' },
  { width: 848, height: 1264, ratio: '2:3' },
  { width: 1264, height: 848, ratio: '3:2' },
  { width: 896, height: 1200, ratio: '3:4' },
  { width: 1200, height: 896, ratio: '4:3' },
  { width: 768, height: 1376, ratio: '9:16' },
  { width: 1376, height: 768, ratio: '16:9' },
];
/** The ratios that image models of Replicate share, at about a megapixel. */
const REPLICATE_SIZES: readonly ModelSize[] = [
  { width: 1024, height: 1024, ratio: '1:1' },
  { width: 832, height: 1216, ratio: '2:3' },
  { width: 1216, height: 832, ratio: '3:2' },
  { width: 896, height: 1152, ratio: '3:4' },
  { width: 1152, height: 896, ratio: '4:3' },
  { width: 768, height: 1344, ratio: '9:16' },
  { width: 1344, height: 768, ratio: '16:9' },
];

/** https://replicate.com/black-forest-labs/flux-kontext-pro/api/schema */
const REPLICATE_KONTEXT = /^black-forest-labs\/flux-kontext-/;

/**
 * Models that follow a negative prompt, steps and guidance; of what others make of them too little is known to
 * promise it.
 */
const follows = (model: string): readonly Effect[] =>
  /stable-?diffusion|sdxl|\bsd-?3/i.test(model) ? ['negative_prompt', 'steps', 'seed', 'cfg'] : ['seed'];

const ANY_SIZE = { keySetting: 'apiKey', sizeStep: 16, maxPixels: LARGEST } as const;

export const PROVIDERS = {
  openai: {
    ...ANY_SIZE,
    title: 'OpenAI',
    usualModel: 'gpt-image-2.6-flare',
    line: 3,
    factory: 'createOpenAI',
    keyPath: '../models',
    modelPath: (model) => `../models/${model}`,
    effects: () => [],
    edits: () => ({ images: 4, mask: 'transparent' }),
    sizes: () => GPT_IMAGE_SIZES,
  },
  'openai-compatible': {
    ...ANY_SIZE,
    title: 'The server of HOSTED_BASE_URL',
    usualModel: undefined,
    line: 2,
    factory: 'createOpenAICompatible',
    keyPath: '../models',
    isOwnAnswer: (text) => readModelList(text) !== undefined,
    effects: () => [],
    sizeStep: 64,
    maxPixels: 2048 ** 2,
  },
  google: {
    ...ANY_SIZE,
    title: 'Google',
    usualModel: 'gemini-3.1-flash-image',
    line: 3,
    factory: 'createGoogleGenerativeAI',
    keyPath: '../models',
    modelPath: (model) => `../models/${model}`,
    effects: () => ['seed'],
    // It answers larger ones with 400: "Invalid value at 'generation_config.seed' (TYPE_INT32)".
    maxSeed: 2 ** 31 - 1,
    edits: () => ({ images: 4 }),
    sizes: () => GEMINI_SIZES,
  },
  fal: {
    ...ANY_SIZE,
    title: 'fal',
    usualModel: 'fal-ai/flux/dev',
    line: 2,
    factory: 'createFal',
    effects: follows,
    // Of a family each task is a model of its own.
    edits(model) {
      if (/text-to-image/i.test(model)) return undefined;
      const edits = byName(/kontext|edit|image-to-image|redux/i, 1, /inpaint|fill/i)(model);
      return edits && { ...edits, needed: true };
    },
    options: {
      of: 'fal',
      negative_prompt: 'negative_prompt',
      steps: 'numInferenceSteps',
      cfg: 'guidanceScale',
    },
  },
  replicate: {
    ...ANY_SIZE,
    title: 'Replicate',
    usualModel: 'black-forest-labs/flux-schnell',
    line: 2,
    factory: 'createReplicate',
    keySetting: 'apiToken',
    keyPath: '/v1/account',
    // After a colon stands a version.
    modelPath: (model) => `/v1/models/${model.replace(/:.*/, '')}`,
    effects: follows,
    edits: (model) =>
      REPLICATE_KONTEXT.test(model)
        ? { images: 1, field: { package: 'image', model: 'input_image' } }
        : byName(/flux-2/i, 4, /inpaint|fill/i)(model),
    sizes: () => REPLICATE_SIZES,
    endingOf: endOfPrediction,
    options: {
      of: 'replicate',
      negative_prompt: 'negative_prompt',
      steps: 'num_inference_steps',
      cfg: 'guidance_scale',
    },
  },
  'black-forest-labs': {
    ...ANY_SIZE,
    title: 'Black Forest Labs',
    usualModel: 'flux-pro-1.1',
    line: 1,
    factory: 'createBlackForestLabs',
    keyPath: '/v1/credits',
    endingOf: endByModeration,
    effects: () => ['seed'],
    edits: (model) =>
      /fill/i.test(model)
        ? { images: 1, mask: 'white', needed: true, field: { package: 'input_image', model: 'image' } }
        : byName(/kontext|flux-2/i, 4)(model),
    sizeStep: 32,
    maxPixels: 1440 ** 2,
    // A minute, as its package has it, is too short where many wait.
    options: { of: 'blackForestLabs', always: { pollTimeoutMillis: 4 * 60_000 } },
  },
  togetherai: {
    ...ANY_SIZE,
    title: 'Together AI',
    usualModel: 'black-forest-labs/FLUX.1-schnell',
    line: 2,
    factory: 'createTogetherAI',
    keyPath: '../models',
    effects: follows,
    edits: byName(/kontext/i, 1),
    options: { of: 'togetherai', negative_prompt: 'negative_prompt', steps: 'steps', cfg: 'guidance' },
  },
} as const satisfies Readonly<Record<string, Provider>>;

/** Its server speaks OpenAI's routes. It takes one picture, and no words say how it reads a mask. */
export const STABLE_DIFFUSION_CPP: Provider = {
  ...PROVIDERS['openai-compatible'],
  extraArguments: true,
  effects: () => EXTRA_EFFECTS,
  edits: () => ({ images: 1 }),
};

export type ProviderName = keyof typeof PROVIDERS;

/** The line of `ai` that runs on Node 20. */
const LINE = 6;

/** What is installed for a provider: the AI SDK, and the provider's own package. */
export const hostedPackages = (provider: ProviderName): [ai: string, provider: string] => [
  `ai@${LINE}`,
  `@ai-sdk/${provider}@${PROVIDERS[provider].line}`,
];

export const PROVIDER_NAMES = Object.keys(PROVIDERS);
export const isProvider = (name: string): name is ProviderName => Object.hasOwn(PROVIDERS, name);

export const USUAL_MODELS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PROVIDERS).flatMap(([name, { usualModel }]) => (usualModel ? [[name, usualModel]] : [])),
);

import {
  type Capabilities,
  type ImageClient,
  LIMITS,
  PICTURE_LIMITS,
  ServiceError,
  type ServiceErrorKind,
  type Submission,
  type TaskOperation,
  WORKFLOWS,
  WORKFLOWS_SUPPORTING,
  type WorkflowOffer,
} from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, steadyClock, withTimeout } from '@darkroom/time';
import { sizeOfResult } from '../jobs/input.ts';
import type { Job } from '../jobs/job.ts';
import { areaOf, type Size } from '../limits/size.ts';
import { foreignText } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { OfferedActions } from '../messages/next-steps.ts';

/** How long an answer holds, and how long the service is not asked again after none. */
const FRESH_MS = 10 * 60_000;
const AWAY_MS = 60_000;
/** How long whoever needs an answer waits for it, in real milliseconds. */
const QUICKLY_MS = 1_000;

/** What the service answers where the key is to blame. */
const OF_KEY: ReadonlySet<ServiceErrorKind> = new Set(['unauthorized', 'insufficient-balance']);

/** Options that have no effect in some workflows. */
const OPTIONS = ['negative_prompt', 'steps', 'seed', 'cfg', 'model', 'variation_of'] as const;
type Option = (typeof OPTIONS)[number];
type Options = { workflow?: string | undefined } & { [Name in Option]?: string | number | undefined };

/** A workflow that can be asked for. */
export type Offer = Omit<WorkflowOffer, 'engine' | 'available' | 'width' | 'height' | 'steps'> & {
  /** What is drawn where nothing is said. Pixels. */
  usual: { width: number; height: number; steps: number };
};

export const PICTURE_OPERATIONS = ['edit', 'upscale', 'expand', 'remove_background'] as const;
export type PictureOperation = Exclude<TaskOperation, 'generate'>;

/**
 * Those of these workflows that can do this with a picture, its own first. What works only with what an engine has
 * drawn itself works in the workflow of the picture: `drawnIn`, where the service can name it as one that it has drawn.
 */
export const offersFor = (
  operation: PictureOperation,
  offers: readonly Offer[],
  { drawnIn, strength = false }: { drawnIn?: string | undefined; strength?: boolean } = {},
): Offer[] =>
  offers
    .filter(({ name, operations: { [operation]: offered } }) => {
      if (!offered || (strength && !offered.strength)) return false;
      return !offered.onlyDrawn || name === drawnIn;
    })
    .toSorted((one, other) => Number(other.name === drawnIn) - Number(one.name === drawnIn));

/** Whether something may become so large. `mostPixels`: where anybody limits it. */
export const mayBecome = ({ width, height }: Size, mostPixels = Number.POSITIVE_INFINITY): boolean =>
  Math.max(width, height) <= PICTURE_LIMITS.resultSide && areaOf({ width, height }) <= mostPixels;

/**
 * What can be made of the pictures of a job by whoever reads its outcome: where that is everybody, by those who have
 * to bring them, too. `mostPixels`: as of `mayBecome`.
 */
export function offeredActions(
  job: Pick<Job, 'submission' | 'input' | 'graph' | 'private'>,
  offers: readonly Offer[],
  mostPixels: number | undefined,
): OfferedActions {
  const { prompt, workflow } = job.submission;
  const drawnIn = job.graph || !job.private ? undefined : workflow;
  const { width = 0, height = 0 } = sizeOfResult(job) ?? {};
  return {
    upscales:
      mayBecome({ width: 2 * width, height: 2 * height }, mostPixels) &&
      offersFor('upscale', offers, { drawnIn }).length > 0,
    varies:
      !job.graph &&
      prompt !== '' &&
      mayBecome({ width, height }, mostPixels) &&
      offersFor('edit', offers, { drawnIn, strength: true }).length > 0,
  };
}

/** What is drawn where nobody says anything, by the interface. */
const USUAL_SIZE: Size = { width: LIMITS.width.default, height: LIMITS.height.default };
export const USUAL: Offer['usual'] = { ...USUAL_SIZE, steps: LIMITS.steps.default };

/** What every service has, by the interface. */
export const EVERYWHERE_OFFERED: readonly Offer[] = WORKFLOWS.map((name) => ({
  name,
  effects: OPTIONS.filter((option) => {
    if (option === 'variation_of') return false;
    return option === 'cfg' || option === 'model' ? WORKFLOWS_SUPPORTING[option].includes(name) : true;
  }),
  models: [],
  usual: USUAL,
  fromWords: true,
  seenByStrangers: false,
  sentTo: undefined,
  cost: undefined,
  operations: {},
}));

/** Whether an option has an effect in any of these workflows. */
export const hasEffect = (option: Option, offers: readonly Offer[]): boolean =>
  offers.some(({ effects }) => effects.includes(option));

/** The options among `given` that have no effect in any of these workflows. */
export const idleOptions = (given: Options, offers: readonly Offer[]): Option[] =>
  OPTIONS.filter((option) => given[option] !== undefined && !hasEffect(option, offers));

const EXAMPLES = { steps: '--steps 30', seed: '--seed 7', cfg: '--cfg 5', model: '--model NAME' } as const;

/** Flags that have an effect, as examples of what can be typed. `without`: one that has none where it is typed. */
export const exampleFlags = (offers: readonly Offer[], without?: keyof typeof EXAMPLES): string[] =>
  (Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[])
    .filter((name) => name !== without && hasEffect(name, offers))
    .map((name) => EXAMPLES[name]);

/** The workflow of who names none. */
export function usualWorkflow(offers: readonly Offer[]): string {
  const able = offers.filter(({ fromWords }) => fromWords);
  return (able.find(({ name }) => name === 'default') ?? able[0])?.name ?? 'default';
}

/** What the image service offers, as it has said lately; where it says nothing, what every service has. */
export type Offers = ReturnType<typeof createOffers>;

export function createOffers({
  images,
  clock: machineClock,
  log,
}: {
  images: Pick<ImageClient, 'capabilities'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}) {
  const clock = steadyClock(machineClock);
  let latest = EVERYWHERE_OFFERED;
  let isAnswered = false;
  let askAgainAt = 0;
  /** Until it is answered, or a second has passed. */
  let asking: Promise<void> = Promise.resolve();

  async function ask(keyOf: () => Promise<string | undefined>): Promise<void> {
    const apiKey = await keyOf().catch(() => undefined);
    askAgainAt = clock.now() + (apiKey === undefined ? 0 : FRESH_MS);
    if (apiKey === undefined) return;
    try {
      latest = offersOf(await images.capabilities({ apiKey }));
      isAnswered = true;
    } catch (error) {
      log.debug({ err: error }, 'the image service does not say what can be asked for');
      if (mayAnswerLater(error)) askAgainAt = clock.now() + AWAY_MS;
      else {
        latest = EVERYWHERE_OFFERED;
        isAnswered = true;
      }
    }
  }

  async function learn(keyOf: () => Promise<string | undefined>): Promise<void> {
    if (clock.now() >= askAgainAt) {
      askAgainAt = Number.POSITIVE_INFINITY;
      asking = withTimeout(QUICKLY_MS, () => ask(keyOf)).catch(() => undefined);
    }
    if (!isAnswered) await asking;
  }

  return {
    /**
     * Asks the service, unless it has answered within ten minutes. Resolves once anything is known, or after a second;
     * never rejects. `keyOf`: the key to ask it with, where there is one.
     */
    learn,

    /** The same with this key; resolves when what is being asked is answered, or after a second. */
    async upToDate(apiKey: string): Promise<void> {
      // That another key was refused says nothing of this one.
      if (!isAnswered && Number.isFinite(askAgainAt)) askAgainAt = 0;
      await learn(async () => apiKey);
      await asking;
    },

    /** The workflows that there are; where a server has `chosen` some, those of them. */
    of: (chosen: readonly string[] = []): readonly Offer[] =>
      chosen.length > 0 ? latest.filter(({ name }) => chosen.includes(name)) : latest,

    /** What was `given`, without what has no effect in its workflow. */
    effective<Given extends Options>(given: Given): Given {
      const { workflow = 'default' } = given;
      const offer = latest.find(({ name }) => name === workflow);
      const effective = { ...given };
      // What has an effect in a workflow that is not offered is not known: what has one anywhere is left to the
      // service.
      for (const option of idleOptions(given, offer ? [offer] : EVERYWHERE_OFFERED)) delete effective[option];
      return effective;
    },

    /** Whose machines prompts and pictures are sent to; a name as the service has it, each once. */
    sentTo: (): string[] => [...new Set(latest.flatMap(({ sentTo }) => sentTo ?? []))],

    /** What the service says that something usually costs, in credits; undefined where it does not. */
    usualCost({ workflow = 'default', operation = 'generate' }: Pick<Submission, 'workflow' | 'operation'>) {
      const offer = latest.find(({ name }) => name === workflow);
      return offer?.operations[operation]?.cost ?? offer?.cost;
    },

    /** Whether a workflow draws what is for adults only, where that is asked for. */
    drawsForAdults: (workflow: string = 'default'): boolean =>
      latest.some(({ name, effects }) => name === workflow && effects.includes('nsfw')),

    /** Whether prompts and pictures of a workflow, or of any, pass through the hands of strangers. */
    seenByStrangers: (workflow?: string): boolean =>
      latest.some(
        ({ name, seenByStrangers }) => seenByStrangers && (workflow === undefined || name === workflow),
      ),
  };
}

/** No menu may have a value twice: of workflows of one name the last counts. */
function offersOf({ workflows }: Capabilities): readonly Offer[] {
  if (workflows.length === 0) return EVERYWHERE_OFFERED;
  const byName = new Map(workflows.map((workflow) => [workflow.name, workflow]));
  return [...byName.values()].map(({ width, height, steps, ...told }) => ({
    ...told,
    usual: {
      ...(mayBe('width', width) && mayBe('height', height) ? { width, height } : USUAL_SIZE),
      steps: mayBe('steps', steps) ? steps : USUAL.steps,
    },
  }));
}

/** Whether what a service says that it draws with may be asked for: nobody is refused for what they did not say. */
const mayBe = (name: keyof Offer['usual'], value: number | undefined): value is number =>
  Number.isInteger(value) && Number(value) >= LIMITS[name].min && Number(value) <= LIMITS[name].max;

/** Whether a service that was asked for an addition may know it all the same: it was prevented, or the key was. */
export const mayAnswerLater = (error: unknown): boolean =>
  error instanceof ServiceError && (OF_KEY.has(error.kind) || (error.retryable && error.kind !== 'protocol'));

/** Names of who draws that fit beside what else is said. */
const MOST_NAMED = 10;

/** Who sees the words and pictures of members beside Discord and the image service: a sentence for each. */
export function whoSees(
  { seenByStrangers, sentTo }: Pick<Offers, 'seenByStrangers' | 'sentTo'>,
  { privacy }: Texts,
): string[] {
  const all = sentTo();
  const names = all.slice(0, MOST_NAMED).map((name) => foreignText(name));
  if (all.length > MOST_NAMED) names.push('…');
  return [
    ...(seenByStrangers() ? [privacy.strangers] : []),
    ...(names.length > 0 ? [privacy.sentTo(names)] : []),
  ];
}

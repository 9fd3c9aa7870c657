import { isIP } from 'node:net';
import { isPublicAddress } from '@darkroom/image-api';
import { type Log, messageOf, OperatorError } from '@darkroom/process';
import { type Clock, repeat, retry, withTimeout } from '@darkroom/time';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';
import { cleanPicture } from '../clean-picture.ts';
import {
  type Abilities,
  ALL_ABILITIES,
  ASKED,
  DrawingError,
  type DrawnPicture,
  type DrawOptions,
  type Effect,
  type Engine,
  NOT_ASKED,
  type PromptedDrawing,
  type Unavailable,
} from '../engine.ts';
import { type Inputs, readInputs } from '../inputs.ts';
import { percentByTime } from '../percent-by-time.ts';
import { createAttendance } from './attendance.ts';
import { withEnding } from './ending.ts';
import { createExchange } from './exchange.ts';
import { NotNow, readFailure } from './failure.ts';
import { withFieldName } from './field-name.ts';
import { learn } from './learn.ts';
import { PROVIDERS, type Provider, type ProviderName } from './providers.ts';
import { createRecognition } from './recognition.ts';
import { requestOf } from './request.ts';
import { expensesIn, isCensored } from './result.ts';
import { loadSdk } from './sdk.ts';
import { withheld } from './withheld.ts';

export interface HostedOptions {
  provider: ProviderName;
  /** Drawn with where a workflow names no other. */
  model: string;
  /** Those that workflows name. */
  others?: readonly string[];
  /** The provider's usual variable unless given. */
  key: string | undefined;
  /** The provider's own address unless given. */
  baseUrl: string | undefined;
  /** Origins of pictures that are fetched although they are on this machine, in a private network or not https. */
  pictureOrigins?: readonly string[] | undefined;
  clock: Clock;
  log: Log;
  /** Milliseconds for a picture; 5 minutes unless given, as the finest ones take two. */
  callMs?: number;
}

const CALL_MS = 5 * 60_000;
const CONNECT_MS = 10_000;
/** For what is asked besides pictures. */
const QUESTION_MS = 5_000;
/** Providers take a few requests at once. */
const SLOTS = 4;
/** Waits after refusals that concern the moment; they go on until the task's deadline. */
const AGAIN = { firstMs: 2_000, maxMs: 60_000 };
/** However long a provider asks to be left alone, it is asked again after so long: what waits here holds a slot. */
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A provider says nothing while it draws: progress is the time that has passed of about so much. */
const USUAL_MS = 20_000;
const PROGRESS_MS = 1_000;

type Asking = Pick<DrawOptions, 'signal' | 'cost' | 'hold' | 'remember' | 'spend' | 'onProgress'>;

/** The provider's usual variable, where its package says that neither this nor a key is given. */
const missingKey = (error: unknown): string | undefined =>
  /[kK]ey is missing.*?\b([A-Z_]+_(?:KEY|TOKEN))\b/s.exec(messageOf(error))?.[1];

/**
 * Draws with a model that somebody hosts, by the AI SDK. A picture is asked for once, and again only after a refusal:
 * whatever else happens may have been charged. Rejects with an `OperatorError` where the model cannot be asked at
 * all.
 */
export async function createHostedEngine({
  provider: name,
  model: usualModel,
  others = [],
  key,
  baseUrl,
  pictureOrigins = [],
  clock,
  log,
  callMs = CALL_MS,
}: HostedOptions): Promise<Engine> {
  const { title, sizeStep, maxPixels }: Provider = PROVIDERS[name];
  const { sdk, modelOf } = await loadSdk(name);
  const settings = { key, baseUrl };
  const learnOf = (model: string, said: string) =>
    learn(sdk, (fetch) => modelOf({ ...settings, model, fetch })).catch((error: unknown) => {
      const variable = missingKey(error);
      throw new OperatorError(
        variable
          ? `HOSTED_API_KEY: missing; ${title} draws for whoever has a key: set it there, or in ${variable}`
          : `${said}: ${title} cannot be asked: ${messageOf(error)}`,
      );
    });
  const learnt = await learnOf(usualModel, 'HOSTED_MODEL');
  const ignored = new Map([[usualModel, learnt.unsupported]]);
  for (const model of others)
    ignored.set(model, (await learnOf(model, `SERVICE_WORKFLOWS: ${model}`)).unsupported);
  const sentTo = name === 'openai-compatible' ? publicHostOf(learnt.url) : title;
  const secrets = Object.entries(learnt.headers).flatMap(([header, value]) =>
    /key|authorization/.test(header) ? [value.replace(/^\S+ /, '')] : [],
  );
  // On a connection that the other side has just closed, nobody knows whether a picture was asked for: each has its
  // own. The model, which may be a stranger's, says where its picture is: not in the operator's own network.
  const agent = createGuardedAgent({
    trustedOrigins: [new URL(learnt.url).origin, ...pictureOrigins],
    connectTimeoutMs: CONNECT_MS,
    reconnects: true,
  });
  const newExchange = () => createExchange({ dispatcher: agent.dispatcher, clock });
  const question = (path: string): Promise<Response> =>
    withTimeout(QUESTION_MS, (signal) =>
      newExchange().fetch(new URL(path, learnt.url), { headers: learnt.headers, signal }),
    );
  const recognition = await createRecognition({ name, question, clock });
  const attendance = createAttendance({
    provider: PROVIDERS[name],
    models: [usualModel, ...others],
    hasKey: secrets.length > 0,
    question,
    clock,
    log,
  });
  void attendance.ask();

  /** Why nothing is drawn with a model now; where nothing keeps it from that, what its server can is learnt. */
  async function unavailable(model: string): Promise<Unavailable | undefined> {
    const found = await attendance.unavailable(model);
    if (!found) await recognition.learn();
    return found;
  }

  const effectsOf = (model: string, { effects, extraArguments }: Provider): readonly Effect[] =>
    effects(model).filter((effect) => extraArguments || !ignored.get(model)?.includes(effect));

  function abilitiesOf(model: string): Abilities {
    const provider = recognition.provider();
    const sizes = provider.sizes?.(model);
    return {
      ...ALL_ABILITIES,
      effects: effectsOf(model, provider),
      graphs: false,
      fromWords: !provider.edits?.(model)?.needed,
      sizeStep,
      maxPixels,
      ...(sizes && { sizes, maxPixels: Math.max(...sizes.map(({ width, height }) => width * height)) }),
      previews: false,
      cancelling: false,
      sentTo,
    };
  }

  /** Makes one attempt. Rejects with `NotNow` where another may follow, with a `DrawingError` where not. */
  async function attempt(
    drawing: PromptedDrawing,
    inputs: Inputs | undefined,
    { signal, cost, hold, remember, spend, onProgress }: Asking,
  ): Promise<DrawnPicture> {
    const model = drawing.model ?? usualModel;
    await recognition.learn();
    const provider = recognition.provider();
    const effects = effectsOf(model, provider);
    const request = await requestOf(drawing, inputs, { model, provider, effects });
    const exchange = newExchange();
    const followed = withEnding(exchange.fetch, provider.endingOf, { title, clock });
    const fetch = withFieldName(followed, inputs && provider.edits?.(model)?.field);
    const release = hold();
    const ended = new AbortController();
    let takeBack: (() => Promise<void>) | undefined;
    try {
      if (cost !== undefined) takeBack = await spend({ unit: 'money', amount: cost });
      await remember(ASKED);
      const startedAt = clock.now();
      const reportTime = async () =>
        onProgress({ percent: percentByTime(clock.now() - startedAt, USUAL_MS) });
      void repeat(reportTime, { everyMs: PROGRESS_MS, clock, signal: ended.signal });
      const result = await withTimeout(
        callMs,
        (abortSignal) =>
          sdk.generateImage({
            model: modelOf({ ...settings, model, fetch }),
            ...request,
            maxRetries: 0,
            abortSignal,
          }),
        { signal },
      );
      attendance.noteAnswer(model);
      for (const expense of expensesIn(result)) await spend(expense);
      if (isCensored(result)) throw withheld(`${title} censored this picture`);
      const picture = await cleanPicture(result.image.uint8Array);
      return inputs ? await inputs.finish(picture) : picture;
    } catch (error) {
      if (['unsent', 'refused'].includes(exchange.standing())) {
        await Promise.allSettled([remember(NOT_ASKED), takeBack?.()]);
        release();
      }
      signal.throwIfAborted();
      if (error instanceof DrawingError) throw error;
      throw readFailure(error, exchange, { title, secrets, now: clock.now() });
    } finally {
      ended.abort();
    }
  }

  return {
    name: 'hosted',

    servers: [
      {
        name: new URL(learnt.url).host,
        async isHealthy() {
          await attendance.ask();
          return (await attendance.unavailable(usualModel)) === undefined;
        },
        problem: attendance.problem,
      },
    ],

    isPaid: true,

    slots: SLOTS,

    abilities: (workflow, model) => (workflow === 'z-image' ? undefined : abilitiesOf(model ?? usualModel)),

    async operations(_, model = usualModel) {
      await unavailable(model);
      const edits = recognition.provider().edits?.(model);
      if (!edits) return {};
      const mask = edits.mask !== undefined;
      return { edit: { images: edits.images, mask, strength: false }, ...(mask && { expand: {} }) };
    },

    rejection: ({ model }) => unavailable(model ?? usualModel),

    examine: attendance.examine,

    async draw({ prompt, ...drawing }, { remembered, readInput, ...asking }) {
      if (typeof prompt !== 'string') throw new DrawingError(`${title} runs no graphs.`);
      if (remembered === ASKED)
        throw new DrawingError(
          `The service was restarted while ${title} was asked for this picture. Whether it charges for that cannot be known, so it is not asked again.`,
        );
      const inputs = await readInputs(drawing, readInput);
      return retry(() => attempt({ ...drawing, prompt }, inputs, asking), {
        policy: {
          ...AGAIN,
          isRetryable: (error) => error instanceof NotNow,
          retryAfterMs: (error) =>
            error instanceof NotNow ? Math.min(error.retryAfterMs ?? 0, LONGEST_PAUSE_MS) : undefined,
        },
        clock,
        signal: asking.signal,
        onRetry(error) {
          asking.onProgress({ percent: 0, anew: true });
          attendance.noteFailure(error, drawing.model ?? usualModel);
          recognition.forget();
        },
      });
    },

    close: agent.close,
  };
}

/** The host of an address; undefined for one in the operator's own network, as far as its name tells. */
function publicHostOf(url: string): string | undefined {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isOwn = isIP(host)
    ? !isPublicAddress(host)
    : !host.includes('.') || /\.(local|internal|lan)$/.test(host);
  return isOwn ? undefined : host;
}

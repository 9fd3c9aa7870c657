import { type Log, OperatorError } from '@darkroom/process';
import { backoffMs, type Clock, retry, withEither } from '@darkroom/time';
import {
  type Abilities,
  ALL_ABILITIES,
  type Drawing,
  DrawingError,
  type DrawnPicture,
  type DrawOptions,
  type Engine,
  isLeftRunning,
  type Operations,
  type PromptedDrawing,
} from '../engine.ts';
import { type Inputs, readInputs } from '../inputs.ts';
import { inTime } from '../servers/in-time.ts';
import { alchemyBody, awaitAlchemy, createPictureFetcher, isAlchemy } from './alchemy.ts';
import { createAttendance } from './attendance.ts';
import { awaitPicture } from './await-picture.ts';
import { ANONYMOUS_KEY, createHordeClient } from './client.ts';
import { explainRefusal, isForNow } from './explain.ts';
import { modelsFor } from './models.ts';
import { asWebp, requestBody, SIZE_STEP } from './request-body.ts';

interface HordeOptions {
  key: string;
  /** Without a slash at its end. */
  url: string;
  /** See `createHordeClient`. */
  contact?: string | undefined;
  /** Whether what is indecent is drawn for whoever asks for it; never unless given. */
  nsfw?: boolean | undefined;
  clock: Clock;
  log: Log;
  /** Milliseconds for one call; 20 s unless given. */
  timeoutMs?: number | undefined;
}

/** So many drawings that are polled every two seconds stay far below ten calls a second. */
const SLOTS = 10;
/** Waits between attempts to hand in a request, which go on until the task's deadline: the Horde says no time. */
const SUBMIT_AGAIN = { firstMs: 5_000, maxMs: 60_000 };
/** So many requests of a drawing may be gone before it fails: each may cost kudos. */
const MOST_GONE = 5;

/** Which of them is done by whose machine, the Horde sees to. */
const OPERATIONS: Operations = {
  edit: { images: 1, mask: true, strength: true },
  upscale: {},
  expand: {},
  remove_background: {},
};

interface Job {
  /** Returns the request's id: one that is on its way is not stopped, as nobody could take it back. */
  submit(): Promise<string>;
  /** Undefined where the Horde knows it no more. */
  wait(request: string): Promise<DrawnPicture | undefined>;
  cancel(request: string): Promise<unknown>;
}

/** What nobody has to pay kudos for. */
const WITHOUT_KUDOS = { maxPixels: 1024 ** 2, maxSteps: 40 };

/**
 * Draws on the machines of volunteers, who see prompts and pictures. A request's id is remembered before it is relied
 * upon, so that a task of an earlier process is followed and not asked for twice.
 */
export function createHordeEngine({
  key,
  url,
  contact,
  nsfw = false,
  clock,
  log,
  timeoutMs,
}: HordeOptions): Engine {
  const client = createHordeClient({ url, key, contact, timeoutMs });
  const fetcher = createPictureFetcher(url);
  const closing = new AbortController();
  const abilities: Abilities = {
    ...ALL_ABILITIES,
    effects: nsfw ? [...ALL_ABILITIES.effects, 'nsfw'] : ALL_ABILITIES.effects,
    graphs: false,
    sizeStep: SIZE_STEP,
    ...(key === ANONYMOUS_KEY && WITHOUT_KUDOS),
    previews: false,
    seenByStrangers: true,
  };
  const attendance = createAttendance({ client, closing: closing.signal, clock, log });

  /** Hands a request in, as often as it takes; returns its id. */
  const submitted = (submit: () => Promise<string>, signal: AbortSignal): Promise<string> =>
    retry(
      () =>
        submit().catch((error: unknown) => {
          throw explainRefusal(error);
        }),
      {
        policy: { ...SUBMIT_AGAIN, isRetryable: isForNow },
        clock,
        signal,
        onRetry: attendance.noteRefusal,
      },
    );

  async function modelsOf(drawing: Drawing): Promise<readonly string[]> {
    const names = modelsFor(drawing.workflow, await attendance.models(), drawing);
    if (names) return names;
    throw new DrawingError(
      `No machine of the AI Horde has a model for the workflow ${drawing.workflow} now.`,
    );
  }

  /** How a drawing is handed in, waited for and taken back. */
  function jobOf(
    drawing: PromptedDrawing,
    inputs: Inputs | undefined,
    options: Pick<DrawOptions, 'signal' | 'onProgress' | 'spend'>,
  ): Job {
    const { signal, onProgress, spend } = options;
    const { source } = drawing;
    if (inputs && isAlchemy(source))
      return {
        submit: async () => client.submitForm(alchemyBody(source, await asWebp(inputs.picture))),
        wait: (request) =>
          awaitAlchemy(request, source, { client, fetcher, inputs, clock, signal, onProgress }),
        cancel: client.cancelForm,
      };
    return {
      async submit() {
        const names = drawing.model ? [drawing.model] : await modelsOf(drawing);
        const { maxPixels } = abilities;
        return client.submit(await requestBody(drawing, names, { inputs, maxPixels }));
      },
      async wait(request) {
        const drawn = await awaitPicture(request, { client, clock, signal, onProgress });
        if (drawn && drawn.kudos > 0) await spend({ unit: 'kudos', amount: drawn.kudos });
        return drawn && inputs ? inputs.finish(drawn.picture) : drawn?.picture;
      },
      cancel: client.cancel,
    };
  }

  /** The signal of its options aborts when the engine is closed, too. */
  async function drawOpen(drawing: Drawing, options: DrawOptions): Promise<DrawnPicture> {
    const { signal } = options;
    const { prompt } = drawing;
    if (typeof prompt !== 'string') throw new DrawingError('The AI Horde runs no graphs.');
    const inputs = await readInputs(drawing, options.readInput);
    // It may have been queued under another setting.
    const allowed = { ...drawing, prompt, nsfw: nsfw && drawing.nsfw };
    const job = jobOf(allowed, inputs, options);
    const takeBack = (id: string) =>
      job
        .cancel(id)
        .catch((err: unknown) =>
          log.debug({ taskId: drawing.taskId, err }, 'a request could not be cancelled'),
        );
    let request = options.remembered;
    async function submit(): Promise<string> {
      const release = options.hold();
      try {
        const id = await job.submit();
        await options.remember(id).catch(async (error: unknown) => {
          // No later run would find it.
          await takeBack(id);
          throw error;
        });
        return id;
      } finally {
        release();
      }
    }
    if (request !== undefined)
      log.info({ taskId: drawing.taskId }, 'a drawing of an earlier process is looked for at the AI Horde');
    try {
      for (let gone = 1; ; gone += 1) {
        request ??= await submitted(submit, signal);
        const picture = await job.wait(request);
        if (picture) return picture;
        options.onProgress({ percent: 0, anew: true });
        if (gone === MOST_GONE)
          throw new DrawingError(`The AI Horde lost this ${MOST_GONE} times. Try again later.`);
        await takeBack(request);
        request = undefined;
        await clock.sleep(backoffMs({ attempt: gone, ...SUBMIT_AGAIN }), signal);
      }
    } catch (error) {
      if (request !== undefined && !isLeftRunning(signal)) await takeBack(request);
      throw error;
    }
  }

  return {
    name: 'horde',

    servers: [
      {
        name: client.name,
        isHealthy: async () => {
          await attendance.models().catch(() => undefined);
          return attendance.absence() === undefined;
        },
        problem: () => attendance.absence()?.reason,
      },
    ],

    slots: SLOTS,

    abilities: () => abilities,

    operations: async () => OPERATIONS,

    models: async (workflow) =>
      workflow === 'z-image' || workflow === 'rr3'
        ? []
        : ((await inTime(attendance.models, closing.signal)) ?? []),

    async rejection({ workflow, model, source }) {
      const absence = attendance.absence();
      if (absence && clock.now() < absence.until) return absence;
      const names = await inTime(attendance.models, closing.signal);
      if (!names) return attendance.absence();
      // Alchemists need no model.
      if (isAlchemy(source)) return undefined;
      if (model !== undefined && !names.includes(model))
        return {
          field: 'model',
          reason: `No machine of the AI Horde has the model ${model.slice(0, 100)} now.`,
          allowed: names,
        };
      if (model === undefined && !modelsFor(workflow, names, { width: 512, height: 512 }))
        return {
          field: 'workflow',
          reason: `No machine of the AI Horde has a model for the workflow ${workflow} now.`,
        };
      return undefined;
    },

    async examine() {
      const [user] = await Promise.all([client.user(closing.signal), attendance.models()]).catch(
        (error: unknown) => {
          const { reason, mend } = attendance.noteFailure(error);
          throw new OperatorError(`${reason} ${mend}.`, { cause: error });
        },
      );
      return user
        ? `the key of ${user.username} has ${Math.floor(user.kudos)} kudos`
        : 'the key is shared by its owner';
    },

    draw: (drawing, options) =>
      withEither([options.signal, closing.signal], (signal) => drawOpen(drawing, { ...options, signal })),

    async close() {
      closing.abort('closing');
      await Promise.all([client.close(), fetcher.close()]);
    },
  };
}

import { resolve } from 'node:path';
import { apiKey } from '@darkroom/image-api';
import { causeOf, OperatorError, ownCommand, WrongSettings } from '@darkroom/process';
import { loadConfig } from '../config.ts';
import { diagnose } from '../operator/doctor/checkup.ts';
import { engineCheckups } from '../operator/doctor/engine-checkups.ts';
import { serviceCheckups } from '../operator/doctor/service-checkups.ts';
import type { Words } from '../operator/words/words.ts';
import { Stopped } from './ask.ts';
import { type FoundEngine, findEngines, type LocalEngine, lookAt } from './engine-search.ts';
import type { EnvFile } from './env-file.ts';
import { withSecret } from './payer.ts';
import { type Settings, withoutPassword } from './settings.ts';
import type { StepContext } from './step.ts';
import { drawTestPicture } from './test-picture.ts';

/** Where pictures can come from, and the settings that say so, the telling one first. */
const SOURCES = {
  service: ['IMAGE_API_URL', 'IMAGE_API_KEY'],
  comfyui: ['COMFYUI_URL'],
  webui: ['SDWEBUI_URL'],
  hosted: ['HOSTED_MODEL', 'HOSTED_API_KEY', 'HOSTED_BASE_URL'],
  horde: ['AI_HORDE_KEY'],
} as const;
type Source = keyof typeof SOURCES;
const ALL = Object.keys(SOURCES) as Source[];

/** A server that speaks as OpenAI, as `HOSTED_MODEL` names it. */
const COMPATIBLE = 'openai-compatible';

/** Providers that the AI SDK draws with, as `HOSTED_MODEL` names them, each with a model that is usual there. */
const PROVIDERS = {
  openai: 'gpt-image-1',
  google: 'imagen-4.0-generate-001',
  fal: 'fal-ai/flux/dev',
  replicate: 'black-forest-labs/flux-schnell',
  'black-forest-labs': 'flux-pro-1.1',
  togetherai: 'black-forest-labs/FLUX.1-schnell',
} as const;
type Provider = keyof typeof PROVIDERS;

/** Where the test picture lies, without its ending. */
const TEST_PICTURE = 'data/test-picture';

export interface PictureWishes {
  /** Settings that flags give: a source among them is meant, whatever else is set. */
  flags: Readonly<Record<string, string>>;
  /** Sketches are enough, so that nobody is asked. */
  sketch: boolean;
  /** Whether somebody would rather choose again than go on with the source that is set. */
  isChosenAnew: boolean;
  /** Whether a picture is drawn to see that it works; where it costs, somebody is asked, unless it is given. */
  testPicture: boolean | undefined;
}

/** The source that is set; the first of several. */
export const sourceIn = (settings: Pick<Settings, 'get'>): Source | undefined =>
  ALL.find((source) => settings.get(SOURCES[source][0]) !== undefined);

/** Whether a run before this one went on with sketches: what it writes after that question stands in the file, and no source does. */
export const areSketchesChosen = (file: Pick<EnvFile, 'get'>, settings: Pick<Settings, 'get'>): boolean =>
  sourceIn(settings) === undefined && file.get('SECRET_KEY') !== undefined;

/** Asks who draws until somebody does, and shows it by a picture. */
export async function settlePictures(wishes: PictureWishes, dependencies: StepContext): Promise<void> {
  const { ask, settings, words } = dependencies;
  const { pictures } = words;
  ask.topic(pictures.topic);
  const given = wishes.sketch
    ? undefined
    : (sourceIn({ get: (name) => wishes.flags[name] }) ?? sourceIn(settings));
  let isGiven = wishes.sketch || (given !== undefined && !wishes.isChosenAnew);
  while (true) {
    const answer = isGiven ? answerGiven(given, settings) : await askSource(dependencies);
    const wrong = await problemOf(answer, dependencies);
    if (wrong !== undefined) {
      ask.wrong(wrong);
      isGiven = false;
      continue;
    }
    if (!(await settings.save(withoutOthers(answer, settings)))) {
      isGiven = false;
      continue;
    }
    ask.right(described(answer, words));
    if (isGiven && ask.isAttended) ask.tell(pictures.chooseAnew(ownCommand('setup', '--choose')));
    if (await isShown(answer, wishes, dependencies)) return;
    isGiven = false;
  }
}

/** Settings by name. */
type Values = Readonly<Record<string, string>>;

/** What somebody answered: nothing for sketches. */
interface Answer {
  source: Source | undefined;
  values: Values;
}

function answerGiven(source: Source | undefined, settings: Settings): Answer {
  const names = source === undefined ? [] : SOURCES[source];
  return {
    source,
    values: Object.fromEntries(
      names.flatMap((name) => {
        const value = settings.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/** An answer with everything emptied that would draw instead of it, or belongs to another address or key of its kind. */
function withoutOthers({ values }: Answer, settings: Settings): Record<string, string> {
  const others = ALL.flatMap((source) => [...SOURCES[source]]).filter((name) => values[name] === undefined);
  // Without another service the key is the included one's, and stays.
  const isIncluded = settings.get('IMAGE_API_URL') === undefined;
  const emptied = others.filter(
    (name) => settings.get(name) !== undefined && !(isIncluded && name === 'IMAGE_API_KEY'),
  );
  return { ...Object.fromEntries(emptied.map((name) => [name, ''])), ...values };
}

function described({ source, values }: Answer, { pictures }: Words): string {
  if (source === undefined) return pictures.areSketches;
  if (source === 'horde') return pictures.isSet(pictures.theHorde);
  const value = values[SOURCES[source][0]] ?? '';
  if (source === 'hosted') return pictures.isSet(value);
  const name = source === 'service' ? pictures.theService : pictures.found[source];
  return pictures.isSet(pictures.at(name, withoutPassword(value)));
}

async function askSource(dependencies: StepContext): Promise<Answer> {
  const { ask, words } = dependencies;
  const { pictures } = words;
  const found = await ask.during(pictures.searching, (_, signal) => findEngines(signal));
  if (found.length === 0) ask.tell(pictures.nothingFound);
  const choice = await ask.choose<`found:${number}` | Source | 'sketch'>(pictures.question, [
    ...found.map(({ engine, url, about }, nth) => ({
      value: `found:${nth}` as const,
      label: pictures.at(pictures.found[engine], url),
      hint: about,
    })),
    { value: 'hosted', label: pictures.hosted, hint: pictures.hostedHint },
    { value: 'horde', label: pictures.horde, hint: pictures.hordeHint },
    { value: 'comfyui', label: pictures.comfyui },
    { value: 'webui', label: pictures.webui },
    { value: 'service', label: pictures.service },
    { value: 'sketch', label: pictures.sketch, hint: pictures.sketchHint },
  ]);
  if (choice === 'sketch') return { source: undefined, values: {} };
  const engine = found.find((_, nth) => choice === `found:${nth}`);
  if (engine !== undefined) return answerFor(engine, dependencies);
  // What is left are the sources.
  const source = choice as Source;
  const values = await askValues(source, dependencies);
  return values ? { source, values } : askSource(dependencies);
}

async function answerFor({ engine, url, models }: FoundEngine, context: StepContext): Promise<Answer> {
  if (engine === 'comfyui') return { source: 'comfyui', values: { COMFYUI_URL: url } };
  if (engine === 'webui') return { source: 'webui', values: { SDWEBUI_URL: url } };
  const model = await askModel(models, context);
  return {
    source: 'hosted',
    values: { HOSTED_MODEL: `${COMPATIBLE}:${model}`, HOSTED_BASE_URL: `${url}/v1` },
  };
}

const askModel = (models: readonly string[], { ask, words: { pictures } }: StepContext): Promise<string> =>
  models.length === 0
    ? ask.text(pictures.model, { problem: required(pictures.noModel) })
    : ask.choose(
        pictures.model,
        models.map((name) => ({ value: name, label: name })),
      );

/**
 * The key is asked for until the server takes it; undefined where somebody has none, and rather chooses again. A server
 * that names no models has some all the same.
 */
async function askCompatible(address: string, context: StepContext): Promise<Values | undefined> {
  const { ask, words } = context;
  const { pictures } = words;
  while (true) {
    const key = await ask.secret(pictures.serverKey, { problem: () => undefined });
    const models = await ask.during(pictures.asking, (_, signal) =>
      lookAt('openai', address, { key: key || undefined, signal }).then(
        (found) => found.models,
        (error: unknown) => (isAnswered(401, error) ? undefined : []),
      ),
    );
    if (models !== undefined) {
      const model = await askModel(models, context);
      const base = address.replace(/\/(v1)?\/*$/, '');
      return {
        HOSTED_MODEL: `${COMPATIBLE}:${model}`,
        HOSTED_BASE_URL: `${base}/v1`,
        ...(key !== '' && { HOSTED_API_KEY: key }),
      };
    }
    ask.wrong(key === '' ? pictures.wantsKey : pictures.refusedKey);
    const next = await ask.choose(pictures.next, [
      { value: 'key', label: pictures.anotherKey },
      { value: 'other', label: pictures.other },
    ]);
    if (next === 'other') return undefined;
  }
}

/** Undefined where somebody rather chooses another source. */
async function askValues(source: Source, context: StepContext): Promise<Values | undefined> {
  const { ask, words } = context;
  const { pictures } = words;
  const address = (of: keyof typeof pictures.inAddress) =>
    ask.text(pictures.address, {
      problem: (text) =>
        withoutPassword(text) === text ? addressProblem(text, of, words) : pictures.inAddress[of],
    });
  switch (source) {
    case 'comfyui':
      return { COMFYUI_URL: await address(source) };
    case 'webui':
      return { SDWEBUI_URL: await withLogins(await address(source), context) };
    case 'service':
      return {
        IMAGE_API_URL: await address(source),
        IMAGE_API_KEY: await ask.secret(pictures.serviceKey, {
          problem: (text) => (apiKey.safeParse(text).success ? undefined : pictures.badServiceKey),
        }),
      };
    case 'horde':
      return { AI_HORDE_KEY: await ask.secret(pictures.hordeKey, { problem: required(pictures.noKey) }) };
    case 'hosted': {
      const provider = await ask.choose<Provider | typeof COMPATIBLE>(pictures.provider, [
        // The keys of `PROVIDERS` are all of its type's.
        ...(Object.keys(PROVIDERS) as Provider[]).map((name) => ({ value: name, label: name })),
        { value: COMPATIBLE, label: pictures.compatible },
      ]);
      if (provider === COMPATIBLE) return askCompatible(await address(source), context);
      const model = await ask.text(pictures.model, {
        initial: PROVIDERS[provider],
        problem: required(pictures.noModel),
      });
      const key = await ask.secret(pictures.key, { problem: required(pictures.noKey) });
      return { HOSTED_MODEL: `${provider}:${model}`, HOSTED_API_KEY: key };
    }
  }
}

/** These addresses, each that wants them with a name and a password. */
async function withLogins(urls: string, { ask, words: { pictures } }: StepContext): Promise<string> {
  const each: string[] = [];
  for (const url of urls.split(',').map((one) => one.trim())) {
    const isLocked = await ask.during(pictures.asking, (_, signal) =>
      lookAt('webui', url, { signal }).then(() => false, isLockedOut),
    );
    const login = isLocked
      ? await ask.secret(pictures.login(url), {
          problem: (text) => (/^[^:]+:./.test(text) ? undefined : pictures.badLogin),
        })
      : '';
    const [name, ...password] = login.split(':');
    const credentials = [name ?? '', password.join(':')].map(encodeURIComponent).join(':');
    each.push(isLocked ? url.replace('//', `//${credentials}@`) : url);
  }
  return each.join(',');
}

const isAnswered = (status: number, error: unknown): boolean =>
  error instanceof OperatorError && error.message === `${status}`;

const isLockedOut = (error: unknown): boolean => isAnswered(401, error) || isAnswered(403, error);

const required = (otherwise: string) => (text: string) => (text === '' ? otherwise : undefined);

/** Only machines of one's own can be several. */
function addressProblem(text: string, source: Source, { pictures }: Words): string | undefined {
  const urls = text.split(',').map((url) => url.trim());
  if (urls.length > 1 && !isOwnEngine(source)) return pictures.oneAddress;
  return urls.every((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
    ? undefined
    : pictures.notAnAddress;
}

const isOwnEngine = (source: Source | undefined): source is LocalEngine & Source =>
  source === 'comfyui' || source === 'webui';

/** What is wrong with an answer, as far as that is known before a picture is drawn. */
async function problemOf(answer: Answer, { ask, settings, words }: StepContext): Promise<string | undefined> {
  const { source, values } = answer;
  const { pictures } = words;
  if (source === undefined) return undefined;
  const urls = values[SOURCES[source].find((name) => name.endsWith('_URL')) ?? ''];
  const wrong = urls && addressProblem(urls, source, words);
  if (wrong) return wrong;
  try {
    loadConfig({ ...withSecret(settings), ...withoutOthers(answer, settings) });
  } catch (error) {
    if (error instanceof WrongSettings) return error.problems.map(words.said).join('\n');
    throw error;
  }
  if (!isOwnEngine(source) || urls === undefined) return undefined;
  for (const url of urls.split(',').map((one) => one.trim())) {
    try {
      await ask.during(pictures.asking, (_, signal) => lookAt(source, url, { signal }));
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'Stopped') throw error;
      const shown = withoutPassword(url);
      return isLockedOut(error)
        ? pictures.needsPassword[source](shown)
        : pictures.noAnswer(shown, causeOf(error));
    }
  }
  return undefined;
}

/** Whether a picture was drawn, or need not be. False where somebody rather chooses again. */
async function isShown(
  { source }: Answer,
  { testPicture }: PictureWishes,
  { ask, settings, words }: StepContext,
): Promise<boolean> {
  const { pictures } = words;
  const mayCost = source === 'hosted' || source === 'service';
  const isKept = async () =>
    (await ask.choose(pictures.next, [
      { value: 'other', label: pictures.other },
      { value: 'keep', label: pictures.keep },
    ])) === 'keep';
  if (mayCost && ask.isAttended) {
    const unwell = await ask.during(pictures.asking, (_, signal) => unwellIn(settings, words, signal));
    if (unwell.length > 0) {
      ask.wrong(unwell.join('\n'));
      return isKept();
    }
  }
  const isWished = testPicture ?? (!mayCost || (ask.isAttended && (await ask.confirm(pictures.mayDraw))));
  if (!isWished) return true;
  try {
    const { file, seconds, credits } = await ask.during(pictures.drawing, (progress, signal) =>
      drawTestPicture(settings.all(), {
        file: resolve(TEST_PICTURE),
        words,
        onProgress: (percent) => progress(`${Math.round(percent)} %`),
        onWait: (why) => ask.tell(pictures.notThereYet(why)),
        signal,
      }),
    );
    ask.right(pictures.drawn(file, seconds, credits === undefined ? '' : pictures.cost(`${credits}`)));
    return true;
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof Stopped)) throw error;
    ask.wrong(pictures.notDrawn(error instanceof Stopped ? pictures.isStopped : error.message));
    return isKept();
  }
}

/** What the doctor finds wrong of who draws, without a picture: that costs nothing. */
async function unwellIn(settings: Settings, words: Words, signal: AbortSignal): Promise<string[]> {
  const config = loadConfig(withSecret(settings));
  const found = await diagnose([...serviceCheckups(config, words), ...engineCheckups(config, words)], {
    signal,
  });
  const unwell = found.filter(({ isWell }) => !isWell);
  // Of a service that is away its key cannot be known either: that is said once.
  const first = unwell.filter(
    ({ sentence }, nth) => unwell.findIndex((other) => other.sentence === sentence) === nth,
  );
  return first.map(({ name, sentence }) => `${words.doctor.names[name]}: ${sentence}`);
}

import { USUAL_MODELS } from '@darkroom/image-service/config';
import { WrongSettings } from '@darkroom/process';
import { loadConfig } from '../config.ts';
import type { Words } from '../operator/words/words.ts';
import {
  COMPATIBLE,
  type FoundEngine,
  findEngines,
  isLockedOut,
  lookAt,
  lookAtCompatible,
} from './engine-search.ts';
import { Unwritable, withSettings } from './env-file.ts';
import { withoutPassword } from './settings.ts';
import { type Answer, addressProblem, type Source, urlSettingOf, urlsIn, type Values } from './source.ts';
import { type StepContext, triesAgain } from './step.ts';

/**
 * Asks where pictures come from, and what that wants to know, with what is found on this machine first. `before`:
 * what was answered and does not hold; what may be shown of it can be mended where it stands.
 */
export async function askSource(dependencies: StepContext, before: Values = {}): Promise<Answer> {
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
    { value: 'sdwebui', label: pictures.sdwebui },
    { value: 'service', label: pictures.service },
    { value: 'sketch', label: pictures.sketch, hint: pictures.sketchHint },
  ]);
  if (choice === 'sketch') return { source: undefined, values: {} };
  const engine = found.find((_, nth) => choice === `found:${nth}`);
  if (engine !== undefined) return answerFor(engine, { ...dependencies, before });
  // What is left are the sources.
  const source = choice as Source;
  const values = await askValues(source, { ...dependencies, before });
  return values ? { source, values } : askSource(dependencies, before);
}

/** What a question is given: also what was answered before. */
interface QuestionContext extends StepContext {
  before: Values;
}

async function answerFor({ engine, url, models }: FoundEngine, context: QuestionContext): Promise<Answer> {
  if (engine !== 'openai') return { source: engine, values: { [urlSettingOf(engine)]: url } };
  const model = await askModel(models, context);
  return { source: 'hosted', values: { HOSTED_MODEL: model, HOSTED_BASE_URL: `${url}/v1` } };
}

/** As `HOSTED_MODEL` has it; one of these, where a server names some. */
async function askModel(
  models: readonly string[],
  { ask, words, before }: QuestionContext,
  provider: string = COMPATIBLE,
): Promise<string> {
  const { pictures } = words;
  const [of, ...former] = before.HOSTED_MODEL?.split(':') ?? [];
  const model =
    models.length === 0
      ? await ask.text(pictures.model, {
          initial: of === provider ? former.join(':') : USUAL_MODELS[provider],
          problem: (text) =>
            text === '' ? pictures.noModel : valueProblem('HOSTED_MODEL', `${provider}:${text}`, words),
        })
      : await ask.choose(
          pictures.model,
          models.map((name) => ({ value: name, label: name })),
        );
  return `${provider}:${model}`;
}

/** A secret that a setting can be. `otherwise` is said of none; without it there may be none. */
const askKey = (
  name: string,
  message: string,
  { ask, words }: StepContext,
  otherwise?: string,
): Promise<string> =>
  ask.secret(message, {
    problem: (text) => (text === '' ? otherwise : valueProblem(name, text, words)),
  });

const askAddress = (
  source: keyof Words['pictures']['inAddress'],
  { ask, words, before }: QuestionContext,
): Promise<string> => {
  const { pictures } = words;
  const name = urlSettingOf(source);
  return ask.text(pictures.address, {
    initial: before[name] && withoutPassword(before[name]),
    problem: (text) =>
      withoutPassword(text) === text
        ? (addressProblem(text, source, words) ?? valueProblem(name, text, words))
        : pictures.inAddress[source],
  });
};

/** Asked for until the server takes the key; undefined where somebody has none, and rather chooses again. */
async function askCompatible(context: QuestionContext): Promise<Values | undefined> {
  const { ask, words } = context;
  const { pictures } = words;
  let address = await askAddress('hosted', context);
  while (true) {
    const key = await askKey('HOSTED_API_KEY', pictures.serverKey, context);
    const found = await lookAtCompatible(address, key, context);
    if ('models' in found)
      return {
        HOSTED_MODEL: await askModel(found.models, context),
        HOSTED_BASE_URL: `${address.replace(/\/(v1)?\/*$/, '')}/v1`,
        ...(key !== '' && { HOSTED_API_KEY: key }),
      };
    ask.wrong(found.problem);
    const again = found.isOfKey ? pictures.anotherKey : pictures.anotherAddress;
    if (!(await triesAgain(context, again, pictures.other))) return undefined;
    if (!found.isOfKey)
      address = await askAddress('hosted', { ...context, before: { HOSTED_BASE_URL: address } });
  }
}

/** Undefined where somebody rather chooses another source. */
async function askValues(source: Source, context: QuestionContext): Promise<Values | undefined> {
  const { ask, words } = context;
  const { pictures } = words;
  switch (source) {
    case 'comfyui':
      return { COMFYUI_URL: await askAddress(source, context) };
    case 'sdwebui':
      return { SDWEBUI_URL: await withLogins(await askAddress(source, context), context) };
    case 'service':
      return {
        IMAGE_API_URL: await askAddress(source, context),
        IMAGE_API_KEY: await askKey('IMAGE_API_KEY', pictures.serviceKey, context, pictures.noKey),
      };
    case 'horde':
      return { AI_HORDE_KEY: await askKey('AI_HORDE_KEY', pictures.hordeKey, context, pictures.noKey) };
    case 'hosted': {
      const provider = await ask.choose(pictures.provider, [
        ...Object.keys(USUAL_MODELS).map((name) => ({ value: name, label: name })),
        { value: COMPATIBLE, label: pictures.compatible },
      ]);
      if (provider === COMPATIBLE) return askCompatible(context);
      return {
        HOSTED_MODEL: await askModel([], context, provider),
        HOSTED_API_KEY: await askKey('HOSTED_API_KEY', pictures.key, context, pictures.noKey),
      };
    }
  }
}

/** These addresses, each that wants them with a name and a password. */
async function withLogins(urls: string, { ask, words: { pictures } }: StepContext): Promise<string> {
  const each: string[] = [];
  for (const url of urlsIn(urls)) {
    const isLocked = await ask.during(pictures.asking, (_, signal) =>
      lookAt('sdwebui', url, { signal }).then(() => false, isLockedOut),
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

/** Why a setting cannot be this, in a sentence; undefined where it can, as far as that is known without trying it. */
function valueProblem(name: string, value: string, words: Words): string | undefined {
  try {
    withSettings('', { [name]: value });
    loadConfig({ [name]: value });
  } catch (error) {
    if (error instanceof Unwritable) return words.file.noValue(name);
    if (!(error instanceof WrongSettings)) throw error;
    // What it wants beside it is asked for later.
    const own = error.problems.filter((problem) => problem.startsWith(`${name}:`));
    if (own.length > 0) return own.map(words.said).join('\n');
  }
  return undefined;
}

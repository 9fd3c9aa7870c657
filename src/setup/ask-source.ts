import { apiKey } from '@darkroom/image-api';
import { type FoundEngine, findEngines, isLockedOut, lookAt, statusOf } from './engine-search.ts';
import { withoutPassword } from './settings.ts';
import { type Answer, addressProblem, type Source, type Values } from './source.ts';
import type { StepContext } from './step.ts';

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

/** Asks where pictures come from, and what that wants to know, with what is found on this machine first. */
export async function askSource(dependencies: StepContext): Promise<Answer> {
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
        (error: unknown) => (statusOf(error) === 401 ? undefined : []),
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

const required = (otherwise: string) => (text: string) => (text === '' ? otherwise : undefined);

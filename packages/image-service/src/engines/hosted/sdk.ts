import { OperatorError } from '@darkroom/process';
import type { generateImage } from 'ai';
import { importOptional, installing } from '../../optional-packages.ts';
import { hostedPackages, PROVIDERS, type Provider, type ProviderName } from './providers.ts';

/** What is used of the AI SDK, which is installed only where it is used. */
export interface Sdk {
  generateImage: typeof generateImage;
}

export type Model = Exclude<Parameters<typeof generateImage>[0]['model'], string>;

/** Loads the AI SDK and the package of a provider. Rejects with an `OperatorError` where one is missing. */
export async function loadSdk(name: ProviderName): Promise<{
  sdk: Sdk;
  modelOf(settings: ModelSettings): Model;
}> {
  const { factory, keySetting }: Provider = PROVIDERS[name];
  const packages = hostedPackages(name);
  const [sdk, provider] = await Promise.all(
    packages.map((each) =>
      importOptional((): Promise<unknown> => import(each.replace(/@\d+$/, '')), {
        setting: 'HOSTED_MODEL',
        packages,
      }),
    ),
  );
  // They have their own types; what is used of them is checked by what they answer before the first picture.
  const create = (
    provider as Readonly<Record<string, (options: object) => { imageModel(id: string): Model }>>
  )[factory];
  if (!create)
    throw new OperatorError(`HOSTED_MODEL: ${packages[1]} is another version: ${installing(packages)}`);
  // Its warnings go to whoever asks for a picture, and not to standard error.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return {
    sdk: sdk as Sdk,
    modelOf: ({ model, key, baseUrl, fetch }) =>
      create({
        name: OPTIONS_NAME,
        fetch,
        ...(key !== undefined && { [keySetting]: key }),
        ...(baseUrl !== undefined && { baseURL: baseUrl }),
      }).imageModel(model),
  };
}

/** Under which name `openai-compatible` takes options. */
const OPTIONS_NAME = 'compatible';

interface ModelSettings {
  model: string;
  /** The provider's usual variable unless given. */
  key: string | undefined;
  /** The provider's own unless given. */
  baseUrl: string | undefined;
  fetch: typeof globalThis.fetch;
}

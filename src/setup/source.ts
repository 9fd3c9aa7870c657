import { ENGINES, type EngineName } from '@darkroom/image-service/config';
import type { Words } from '../operator/words/words.ts';
import type { LocalEngine } from './engine-search.ts';
import type { EnvFile } from './env-file.ts';
import type { Flags } from './flags.ts';
import { type Settings, withoutPassword } from './settings.ts';

/** Where pictures can come from, and the settings that say so, the telling one first. */
export const SOURCES = {
  service: ['IMAGE_API_URL', 'IMAGE_API_KEY'],
  comfyui: [ENGINES.comfyui],
  sdwebui: [ENGINES.sdwebui],
  hosted: [ENGINES.hosted, 'HOSTED_API_KEY', 'HOSTED_BASE_URL'],
  horde: [ENGINES.horde],
} as const satisfies Record<'service' | Exclude<EngineName, 'sketch'>, readonly [string, ...string[]]>;
export type Source = keyof typeof SOURCES;
export const urlSettingOf = (source: Source): string =>
  SOURCES[source].find((name) => name.endsWith('_URL')) ?? '';
const ALL = Object.keys(SOURCES) as Source[];

/** The source that is set; the first of several. */
export const sourceIn = (settings: Pick<Settings, 'get'>): Source | undefined =>
  ALL.find((source) => settings.get(SOURCES[source][0]) !== undefined);

/** The source that nobody has to choose: that of a flag, else the one that is set. */
export const sourceGiven = (
  flags: Pick<Flags, 'settings' | 'sketch' | 'choose'>,
  settings: Pick<Settings, 'get'>,
): Source | undefined =>
  flags.sketch
    ? undefined
    : (sourceIn({ get: (name) => flags.settings[name] }) ?? (flags.choose ? undefined : sourceIn(settings)));

/**
 * Whether a run before this one went on with sketches: what it writes after that question stands in the file, and no
 * source does.
 */
export const areSketchesChosen = (file: Pick<EnvFile, 'get'>, settings: Pick<Settings, 'get'>): boolean =>
  sourceIn(settings) === undefined && file.get('SECRET_KEY') !== undefined;

export type Values = Readonly<Record<string, string>>;

/** What somebody answered: nothing for sketches. */
export interface Answer {
  source: Source | undefined;
  values: Values;
}

/**
 * An answer with everything emptied that would draw instead of it, or belongs to another address or key of its kind.
 */
export function withoutOthers({ values }: Answer, settings: Settings): Record<string, string> {
  const others = ALL.flatMap((source) => [...SOURCES[source]]).filter((name) => values[name] === undefined);
  // Without another service the key is the included one's, and stays.
  const isIncluded = settings.get('IMAGE_API_URL') === undefined;
  const emptied = others.filter(
    (name) => settings.get(name) !== undefined && !(isIncluded && name === 'IMAGE_API_KEY'),
  );
  return { ...Object.fromEntries(emptied.map((name) => [name, ''])), ...values };
}

export function described({ source, values }: Answer, { pictures }: Words): string {
  if (source === undefined) return pictures.areSketches;
  if (source === 'horde') return pictures.isSet(pictures.theHorde);
  const value = values[SOURCES[source][0]] ?? '';
  if (source === 'hosted') return pictures.isSet(value);
  const name = source === 'service' ? pictures.theService : pictures.found[source];
  return pictures.isSet(pictures.at(name, withoutPassword(value)));
}

export const urlsIn = (text: string): string[] => text.split(',').map((url) => url.trim());

/** Only machines of one's own can be several. */
export function addressProblem(text: string, source: Source, { pictures }: Words): string | undefined {
  const urls = urlsIn(text);
  if (urls.length > 1 && !isOwnEngine(source)) return pictures.oneAddress;
  return urls.every((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
    ? undefined
    : pictures.notAnAddress;
}

export const isOwnEngine = (source: Source | undefined): source is LocalEngine & Source =>
  source === 'comfyui' || source === 'sdwebui';

import { lookup } from 'node:dns/promises';
import type { Environment } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';

/** What a container calls the machine that it runs on, which on Linux does not know itself by that name. */
const NAME = 'host.docker.internal';

/** For a name service that does not answer, in milliseconds. */
const LOOKUP_MS = 2_000;

/** Settings that hold addresses, several of them separated by commas. */
const ADDRESSES = [
  'COMFYUI_URL',
  'SDWEBUI_URL',
  'HOSTED_BASE_URL',
  'AI_HORDE_URL',
  'IMAGE_API_URL',
  'PICTURES_ENDPOINT',
];

/** These addresses, with other machines in place of some. */
const moved = (urls: string, from: RegExp, to: string): string =>
  urls.replace(/(\/\/(?:[^/?#,]*@)?)([^/?#,:@]+)/g, (found, start: string, host: string) =>
    from.test(host) ? `${start}${to}` : found,
  );

/** The settings among `get` whose addresses a container reaches by other ones, and these. */
export const addressesInContainer = (get: (name: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    ADDRESSES.flatMap((name) => {
      const urls = get(name) ?? '';
      const seen = moved(urls, /^(127\.0\.0\.1|localhost)$/, NAME);
      return seen === urls ? [] : [[name, seen]];
    }),
  );

/** These addresses as this machine itself reaches them, also where they are written for a container of it. */
export async function addressHere(urls: string): Promise<string> {
  if (!urls.includes(NAME)) return urls;
  const isKnown = await withTimeout(LOOKUP_MS, () => lookup(NAME)).then(
    () => true,
    () => false,
  );
  return isKnown ? urls : moved(urls, /^host\.docker\.internal$/, '127.0.0.1');
}

/** `settings` with addresses as this machine itself reaches them. */
export async function addressedHere<Settings extends Environment>(settings: Settings): Promise<Settings> {
  const here = ADDRESSES.map(async (name) => [name, await addressHere(settings[name] ?? '')] as const);
  return { ...settings, ...Object.fromEntries((await Promise.all(here)).filter(([, urls]) => urls !== '')) };
}

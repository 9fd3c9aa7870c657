import { readAddress, readModelList, refusesKey } from '@darkroom/image-service/model-list';
import { causeOf } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import { z } from 'zod';
import { addressHere } from '../container-host.ts';
import type { Words } from '../operator/words/words.ts';
import { withoutPassword } from './settings.ts';
import type { StepContext } from './step.ts';

/** What can draw and listens at an address. */
export type LocalEngine = 'comfyui' | 'sdwebui' | 'openai';

export interface FoundEngine {
  engine: LocalEngine;
  url: string;
  /** Its version, or what it offers, in a few words. */
  about: string;
  models: readonly string[];
}

const TIMEOUT_MS = 3_000;

/** How each of them is known, and the ports that it listens on unless told otherwise. */
const KINDS: Readonly<
  Record<
    LocalEngine,
    {
      ports: readonly number[];
      path: string;
      read(answer: string): Omit<FoundEngine, 'engine' | 'url'> | undefined;
    }
  >
> = {
  comfyui: {
    ports: [8188],
    path: '/system_stats',
    read: (answer) => {
      const { system } = z
        .object({ system: z.object({ comfyui_version: z.string() }) })
        .parse(JSON.parse(answer));
      return { about: `ComfyUI ${system.comfyui_version}`, models: [] };
    },
  },
  sdwebui: {
    ports: [7860, 1234],
    path: '/sdapi/v1/sd-models',
    read: (answer) => {
      const models = z
        .array(z.object({ model_name: z.string() }))
        .parse(JSON.parse(answer))
        .map((model) => model.model_name);
      return { about: models.slice(0, 3).join(', '), models };
    },
  },
  openai: {
    ports: [8080, 11434],
    path: '/v1/models',
    read: (answer) => {
      const models = readModelList(answer);
      return models && { about: models.slice(0, 3).join(', '), models };
    },
  },
};

/** An address has answered, but not as an engine of the kind does. */
class OtherAnswer extends Error {
  override readonly name = 'OtherAnswer';
  readonly status: number;
  readonly text: string;

  constructor(status: number, text: string) {
    super(`${status}`);
    this.status = status;
    this.text = text;
  }
}

/** Looks at one address. Rejects where nothing of the kind is there: with an `OtherAnswer` where something is. */
export async function lookAt(
  engine: LocalEngine,
  url: string,
  { key, signal }: { key?: string | undefined; signal: AbortSignal },
): Promise<FoundEngine> {
  const { path, read } = KINDS[engine];
  const { origin, base, headers } = readAddress(await addressHere(url));
  const root = `${origin}${base}`.replace(/\/v1$/, '');
  return withTimeout(
    TIMEOUT_MS,
    async (bounded) => {
      const response = await fetch(`${root}${path}`, {
        signal: bounded,
        headers: key === undefined ? headers : { authorization: `Bearer ${key}` },
      });
      const text = await response.text();
      try {
        const found = response.ok && read(text);
        if (found) return { engine, url, ...found };
      } catch {
        // It is none of its answers either way.
      }
      throw new OtherAnswer(response.status, text);
    },
    { signal },
  );
}

/** Those that listen on this machine, on the ports that they usually have. */
export async function findEngines(signal: AbortSignal): Promise<FoundEngine[]> {
  const looks = Object.entries(KINDS).flatMap(([engine, { ports }]) =>
    // The keys of `KINDS` are all of its type's.
    ports.map((port) => lookAt(engine as LocalEngine, `http://127.0.0.1:${port}`, { signal })),
  );
  const seen = await Promise.allSettled(looks);
  signal.throwIfAborted();
  return seen.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
}

/** Whether an address answers only whoever has a name and a password. */
export const isLockedOut = (error: unknown): boolean =>
  error instanceof OtherAnswer && [401, 403].includes(error.status);

/** Why a look at an address has found no such engine, and what mends it, in a sentence. */
export function engineProblem(
  error: unknown,
  { engine, url }: { engine: LocalEngine; url: string },
  { pictures, said }: Words,
): string {
  const shown = withoutPassword(url);
  if (engine !== 'openai' && isLockedOut(error)) return pictures.needsPassword[engine](shown);
  if (error instanceof OtherAnswer && (error.status < 300 || error.status === 404))
    return pictures.somethingElse[engine](shown);
  return pictures.noAnswer(shown, said(causeOf(error)));
}

/** A server that speaks as OpenAI, as `HOSTED_MODEL` names it. */
export const COMPATIBLE = 'openai-compatible';

/** What a server that speaks as OpenAI says to a key; a server that names no models has some all the same. */
export async function lookAtCompatible(
  url: string,
  key: string,
  { ask, words }: Pick<StepContext, 'ask' | 'words'>,
): Promise<{ models: readonly string[] } | { problem: string; isOfKey: boolean }> {
  const { pictures } = words;
  return ask.during(pictures.asking, (_, signal) =>
    lookAt('openai', url, { key: key || undefined, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof OtherAnswer) || error.status < 300)
        return { problem: engineProblem(error, { engine: 'openai', url }, words), isOfKey: false };
      if (!refusesKey(error.status, error.text)) return { models: [] };
      return { problem: key === '' ? pictures.wantsKey : pictures.refusedKey, isOfKey: true };
    }),
  );
}

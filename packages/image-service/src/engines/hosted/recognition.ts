import { type Clock, createCache } from '@darkroom/time';
import { PROVIDERS, type Provider, type ProviderName, STABLE_DIFFUSION_CPP } from './providers.ts';

/** How long a server that has not said what it is is left alone. */
const AGAIN_MS = 30_000;

/**
 * What a provider can: of a server that speaks OpenAI's routes, as far as it has said what it is. It is asked for the
 * first time before this resolves.
 */
export async function createRecognition({
  name,
  question,
  clock,
}: {
  name: ProviderName;
  /** Asks for something that costs nothing, in bounded time. */
  question(path: string): Promise<Response>;
  clock: Clock;
}) {
  const usual: Provider = PROVIDERS[name];
  let known = name === 'openai-compatible' ? undefined : usual;
  const asked = createCache<'it', Promise<void>>({ max: 1, ttlMs: AGAIN_MS, clock });
  let first: Promise<void> | undefined;

  /** Never rejects. */
  async function ask(): Promise<void> {
    const answer = await question('/sdcpp/v1/capabilities').catch(() => undefined);
    // Where it is down, a proxy may answer in its place.
    if (answer && answer.status < 500) known = answer.ok ? STABLE_DIFFUSION_CPP : usual;
  }

  if (!known) await ask();
  return {
    provider: (): Provider => known ?? usual,

    /** For whoever has found it there: waits for one answer; a server that gave none is asked beside after that. */
    async learn(): Promise<void> {
      if (known) return;
      const asking = asked.recall('it', ask);
      first ??= asking;
      await first;
    },

    /** It was down: the next answer is waited for. */
    forget(): void {
      asked.delete('it');
      first = undefined;
    },
  };
}

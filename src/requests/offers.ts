import { type Capabilities, type ImageClient, type Submission, WORKFLOWS } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, createCache, withTimeout } from '@darkroom/time';

/** How long an answer holds, also that there is none. */
const FRESH_MS = 10 * 60_000;
/** How long whoever needs an answer waits for it, in real milliseconds. */
const QUICKLY_MS = 1_000;

/** What the image service offers, as it has said lately; where it says nothing, what every service has. */
export interface Offers {
  /** Asks the service, unless it was asked within ten minutes. Resolves after a second at the latest; never rejects. */
  learn(apiKey: string): Promise<void>;
  /** The names that `workflow` may have. */
  workflows(): readonly string[];
  /** The models that any workflow takes. */
  models(): readonly string[];
  /** The submission without our additions that the service has not said to know in its workflow. */
  known(submission: Submission): Submission;
  /** Whether prompts and pictures of a workflow, or of any, pass through the hands of strangers. */
  seenByStrangers(workflow?: string): boolean;
}

export function createOffers({
  images,
  clock,
  log,
}: {
  images: Pick<ImageClient, 'capabilities'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}): Offers {
  const asked = createCache<'service', Promise<void>>({ max: 1, ttlMs: FRESH_MS, clock });
  let latest: Capabilities['workflows'] = [];

  async function ask(apiKey: string): Promise<void> {
    try {
      latest = (await images.capabilities({ apiKey })).workflows;
    } catch (error) {
      latest = [];
      log.debug({ err: error }, 'the image service does not say what can be asked for');
    }
  }

  return {
    async learn(apiKey) {
      const answer = asked.recall('service', () => ask(apiKey));
      await withTimeout(QUICKLY_MS, () => answer).catch(() => undefined);
    },

    workflows: () => (latest.length > 0 ? latest.map(({ name }) => name) : WORKFLOWS),

    models: () => [...new Set(latest.flatMap(({ models }) => models))],

    known(submission) {
      const { variation_of: _, ...others } = submission;
      const { workflow = 'default' } = submission;
      const effects = latest.find(({ name }) => name === workflow)?.effects;
      return effects?.includes('variation_of') ? submission : others;
    },

    seenByStrangers: (workflow) =>
      latest.some(
        ({ name, seenByStrangers }) => seenByStrangers && (workflow === undefined || name === workflow),
      ),
  };
}

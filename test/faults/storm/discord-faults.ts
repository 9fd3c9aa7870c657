import type { Fault, FaultKind } from '../../../src/local-discord/rest/faults.ts';
import { calls, tooMany } from '../../support/discord-faults.ts';
import type { Random } from './random.ts';

/** How often what goes wrong, of all calls. */
const FAULTS: readonly (readonly [number, FaultKind])[] = [
  [0.03, { status: 500 }],
  [0.02, { status: 502, body: '<html>Bad Gateway</html>' }],
  [0.03, 'reset'],
  [0.04, 'answer-lost'],
  [0.03, { slowMs: 1_000 }],
  [0.02, tooMany(0.2)],
];

/** New messages are rare, and the one call that could be made twice. */
const LOST_POST = 0.25;

/** Silence takes a bot its whole patience, which the first answer to an interaction does not have. */
const SILENCE = 0.01;

const isInteraction = (path: string) => /^\/(interactions|webhooks|channels|users)\//.test(path);

/** Lets calls to Discord fail at random between `begin` and `end`. */
export function createDiscordFaults(
  faults: { add(fault: Fault): void; clear(): void },
  random: Random,
): { begin(): void; end(): void } {
  return {
    begin() {
      for (const [probability, effect] of FAULTS) {
        faults.add({
          match: ({ path }) => isInteraction(path) && random.chance(probability),
          effect,
          times: Number.POSITIVE_INFINITY,
        });
      }
      faults.add({
        match: (asked) => calls.post(asked) && random.chance(LOST_POST),
        effect: 'answer-lost',
        times: Number.POSITIVE_INFINITY,
      });
      faults.add({
        match: ({ path }) => isInteraction(path) && !path.endsWith('/callback') && random.chance(SILENCE),
        effect: 'hang',
        times: Number.POSITIVE_INFINITY,
      });
    },
    end: () => faults.clear(),
  };
}

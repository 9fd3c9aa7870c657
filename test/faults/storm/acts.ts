import type { Random } from './random.ts';

/** What one of the people does. `who` and `where` count people and channels; `nth` picks among what there is then. */
export type Act =
  | {
      kind: 'ask';
      who: number;
      where: number;
      options: { prompt: string; size: string; count: number; private: boolean };
      /** Somebody deletes the reply so many real milliseconds after it has appeared. */
      erasedAfterMs: number | undefined;
    }
  | { kind: 'again' | 'delete'; who: number; nth: number }
  /** Runs /jobs, and presses one of its buttons. */
  | { kind: 'jobs'; who: number; where: number; press: 'stop' | 'show'; nth: number };

export const PEOPLE = 8;
/** Three channels of servers, and each one's own conversation with the bot. */
export const PLACES = 4;

/** AutoMod, where it is at work, refuses this word. */
export const BLOCKED_WORD = 'thunder';

const ANY = 1_000_000;

/** What people do in a life of the bot. */
export function drawActs(random: Random, life: number): Act[] {
  const who = () => random.between(0, PEOPLE - 1);
  const where = () => random.between(0, PLACES - 1);
  const asks = Array.from({ length: random.between(2, 6) }, (_, group) => {
    const person = who();
    // Several at once of the same person.
    return Array.from({ length: random.pick([1, 1, 2, 3]) }, (_, index): Act => {
      const hidden = random.chance(0.2);
      const words = random.chance(0.25) ? `${BLOCKED_WORD} fox` : 'fox';
      const erased = !hidden && random.chance(0.15);
      return {
        kind: 'ask',
        who: person,
        where: where(),
        options: {
          prompt: `${words} ${life}.${group}.${index}`,
          size: '64x64',
          count: random.between(1, 4),
          private: hidden,
        },
        erasedAfterMs: erased ? random.between(0, 1_500) : undefined,
      };
    });
  }).flat();
  const presses = Array.from({ length: random.between(0, 3) }, (): Act => {
    const kind = random.pick(['again', 'delete', 'jobs', 'jobs'] as const);
    if (kind !== 'jobs') return { kind, who: who(), nth: random.between(0, ANY) };
    const press = random.pick(['stop', 'show'] as const);
    return { kind, who: who(), where: where(), press, nth: random.between(0, ANY) };
  });
  return [...asks, ...presses];
}

import type { Random } from '@darkroom/testing';
import type { LimitForm } from '../../commands/settings/forms.ts';

/** What a simulated user does. `user` and `channel` are indexes; `nth` picks among what there is at that moment. */
export type UserAction =
  | {
      kind: 'imagine';
      user: number;
      channel: number;
      options: { prompt: string; size?: string; count: number; private: boolean };
      /** Whether it begins with a picture of their own. */
      begins: boolean;
      /** Somebody deletes the reply this many real milliseconds after it has appeared. */
      deletedAfterMs: number | undefined;
    }
  | { kind: 'again' | 'delete'; user: number; nth: number }
  /** Whoever has a picture makes something of it. */
  | { kind: 'make'; making: Making; nth: number }
  /** Presses Cancel under a reply of anybody: who may not is refused. */
  | { kind: 'cancel'; user: number; channel: number; nth: number }
  /** Links a key of their own, or unlinks it. */
  | { kind: 'key'; user: number; change: KeyChange }
  /** A moderator stops everything in the first server. */
  | { kind: 'stop' }
  /** A moderator fills in a form with limits of the first server. */
  | { kind: 'limits'; form: LimitForm; limits: Record<string, string> }
  /** Runs /jobs and presses one of its buttons. */
  | { kind: 'jobs'; user: number; channel: number; press: 'stop' | 'show'; nth: number };

export const MAKINGS = ['vary', 'upscale', 'change', 'expand', 'background'] as const;
export type Making = (typeof MAKINGS)[number];
/** Of every process: each of them comes as often as the others. */
const MADE_OF_EACH = 2;

export type KeyChange = 'link' | 'unlink';

/** Those that are counted are never without a limit: then nobody would count. */
const UNREACHED = '1000000';
/** The first of each is the widest. */
const LIMITS = {
  member: { openRequests: ['5', '3', '2'], memberHour: ['', '20'], memberDay: [UNREACHED, '30'] },
  guild: { guildHour: ['', '60'], guildDay: [UNREACHED, '200'] },
  key: {
    keyDay: ['', '200'],
    keyMonth: [UNREACHED, '100'],
    keyCreditsDay: ['', '50'],
    keyCreditsMonth: [UNREACHED, '20'],
  },
} satisfies Record<LimitForm, Record<string, [string, string, ...string[]]>>;

const LIMIT_FORMS = ['member', 'guild', 'key'] as const;

/** Fills in a form with one of the values of each limit. */
function fillIn(form: LimitForm, choose: (values: [string, ...string[]]) => string) {
  const limits = Object.entries<[string, ...string[]]>(LIMITS[form]).map(([name, values]) => [
    name,
    choose(values),
  ]);
  return { kind: 'limits', form, limits: Object.fromEntries(limits) } as const;
}

const drawLimits = (random: Random): UserAction => fillIn(random.pick(LIMIT_FORMS), random.pick);

/** With these there is room for another picture, however many there have been. */
export const WIDEST_LIMITS = LIMIT_FORMS.map((form) => fillIn(form, ([widest]) => widest));

export const USERS = 8;
/** From this one on, users change keys. */
const FIRST_WITH_KEY = 5;
/** Three channels of servers, and each user's direct conversation with the bot. */
const CHANNEL_COUNT = 4;

/** AutoMod, while it is on, refuses this word. */
export const BLOCKED_WORD = 'thunder';

const KINDS = ['again', 'delete', 'jobs', 'jobs', 'cancel', 'cancel', 'key', 'key', 'key', 'stop'] as const;

const ANY = 1_000_000;

/** What users do while one bot process runs. */
export function drawActions(random: Random, lifetime: number): UserAction[] {
  const anyUser = () => random.between(0, USERS - 1);
  const anyChannel = () => random.between(0, CHANNEL_COUNT - 1);
  const requests = Array.from({ length: random.between(2, 6) }, (_, group) => {
    const user = anyUser();
    // One user may send several at once.
    return Array.from({ length: random.pick([1, 1, 2, 3]) }, (_, index): UserAction => {
      const isPrivate = random.chance(0.2);
      const words = random.chance(0.25) ? `${BLOCKED_WORD} fox` : 'fox';
      const deleted = !isPrivate && random.chance(0.15);
      const begins = random.chance(0.25);
      return {
        kind: 'imagine',
        user,
        channel: anyChannel(),
        options: {
          prompt: `${words} ${lifetime}.${group}.${index}`,
          ...(!begins && { size: '64x64' }),
          count: random.between(1, 4),
          private: isPrivate,
        },
        begins,
        deletedAfterMs: deleted ? random.between(0, 1_500) : undefined,
      };
    });
  }).flat();
  const presses = Array.from({ length: random.between(0, 3) }, (): UserAction => {
    const kind = random.pick([...KINDS]);
    if (kind === 'stop') return { kind };
    if (kind === 'key') {
      const user = random.between(FIRST_WITH_KEY, USERS - 1);
      return { kind, user, change: random.pick(['link', 'link', 'unlink'] as const) };
    }
    if (kind === 'cancel')
      return { kind, user: anyUser(), channel: anyChannel(), nth: random.between(0, ANY) };
    if (kind !== 'jobs') return { kind, user: anyUser(), nth: random.between(0, ANY) };
    const press = random.pick(['stop', 'show'] as const);
    return { kind, user: anyUser(), channel: anyChannel(), press, nth: random.between(0, ANY) };
  });
  const limits = random.chance(0.6) ? [drawLimits(random)] : [];
  const ofPictures = Array.from({ length: MADE_OF_EACH }, (_, index): UserAction => {
    const making = MAKINGS[(MADE_OF_EACH * lifetime + index) % MAKINGS.length] ?? MAKINGS[0];
    return { kind: 'make', making, nth: random.between(0, ANY) };
  });
  return [...requests, ...presses, ...limits, ...ofPictures];
}

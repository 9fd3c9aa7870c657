import type { Submission } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { createCache, DAY_MS } from '@darkroom/time';
import type { Payer } from '../credentials/key-owner.ts';
import { believedCost, countedCost, expectedIn, LEAST_COST } from './counted-cost.ts';
import type { LimitSet } from './limit-set.ts';
import type { Limited, LimitedReservation, Reservation } from './reservation.ts';
import type { Size } from './size.ts';
import { type Window, windowAt } from './window.ts';

/** How long an open request counts where nobody says that it is over: longer than any job is followed. */
const OPEN_MS = DAY_MS;

/** How many costs are remembered, and for how long. */
const REMEMBERED = { max: 1_000, ttlMs: DAY_MS };

/** What decides what a picture costs. */
interface PricedPicture
  extends Pick<Submission, 'workflow' | 'width' | 'height' | 'steps' | 'operation' | 'scale'> {
  payer: Payer;
  /** The name of the graph that draws it. */
  graph?: string | undefined;
}

/** Who asks for pictures, where, and whose key pays. */
export interface LimitedRequest {
  memberId: string;
  guildId: string | null;
  /** How many pictures. */
  count: number;
  /** In how many submissions, each with a price of its own; as many as pictures unless given. */
  submissions?: number | undefined;
  /** Each of them. */
  picture: PricedPicture;
  /** How many pictures a day a shared key pays for one member. */
  keyMemberDay?: number | undefined;
}

/** How large and how fine one picture may be. */
export interface PictureBounds {
  /** It may have no more pixels than one of this size. */
  largestSize?: Size | undefined;
  mostSteps?: number | undefined;
}

/** What the request of a picture has taken, and for how many pictures. */
interface SettledReservations {
  reservations: readonly Reservation[];
  pictures: number;
}

export type OperatorLimits = LimitSet & PictureBounds;

/** What may be asked for: by the operator everywhere, by a server in it. */
export interface Limits {
  /** What the operator allows. */
  bounds: OperatorLimits;
  /** What a request takes. `guild`: what its server allows. */
  reservationsOf(request: LimitedRequest, guild: LimitSet): LimitedReservation[];
  /** Remembers what a picture has cost, for the budgets of the next ones like it that the same key pays. */
  learnCost(picture: PricedPicture, credits: number, settled: SettledReservations): void;
}

/** The calendar windows in which something is limited, by the name of the limit. */
const PICTURES = [
  { limited: 'member', window: 'hour', of: 'memberHour' },
  { limited: 'member', window: 'day', of: 'memberDay' },
  { limited: 'guild', window: 'hour', of: 'guildHour' },
  { limited: 'guild', window: 'day', of: 'guildDay' },
] as const satisfies readonly { limited: Limited; window: Window; of: keyof LimitSet }[];

const BUDGETS = [
  { per: 'picture', window: 'day', of: 'keyDay' },
  { per: 'picture', window: 'month', of: 'keyMonth' },
  { per: 'credit', window: 'day', of: 'keyCreditsDay' },
  { per: 'credit', window: 'month', of: 'keyCreditsMonth' },
] as const satisfies readonly { per: Reservation['per']; window: Window; of: keyof LimitSet }[];

export function createLimits({
  operator,
  clock,
  log,
}: {
  operator: OperatorLimits;
  clock: { now(): number };
  log: Log;
}): Limits {
  const costs = createCache<string, number>({ ...REMEMBERED, clock });
  const likeOf = ({ payer, workflow, width, height, steps, graph, operation, scale }: PricedPicture) =>
    JSON.stringify([payer, workflow, width, height, steps, graph, operation, scale]);

  return {
    bounds: operator,

    learnCost(picture, credits, { reservations, pictures }) {
      const like = likeOf(picture);
      costs.set(like, believedCost(credits, costs.get(like) ?? LEAST_COST));
      const counted = reservations
        .filter(({ per }) => per === 'credit')
        .map((reservation) => countedCost(credits, expectedIn(reservation, pictures)));
      if (counted.some((cost) => cost < credits))
        log.warn(
          { credits, counted: Math.max(...counted) },
          'the image service says that a picture has cost far more than the last one like it, or than a budget: it counts with less',
        );
    },

    reservationsOf({ memberId, guildId, count, submissions = count, picture, keyMemberDay }, guild) {
      const now = clock.now();
      const expected = costs.get(likeOf(picture)) ?? LEAST_COST;

      /** Undefined where nobody limits it. */
      function reservationOf(
        limited: Limited,
        per: Reservation['per'],
        whose: string,
        limit: number | undefined,
        window?: Window,
      ): LimitedReservation | undefined {
        if (limit === undefined) return undefined;
        // A budget of which nothing is used admits whatever is asked for, and a cost that passes it is not
        // believed.
        const each = expected > limit ? LEAST_COST : expected;
        const amount = { request: 1, picture: count, credit: Math.min(submissions * each, limit) }[per];
        const { name, endsAt } = window ? windowAt(window, now) : { name: 'open', endsAt: undefined };
        const key = `${per}:${name}:${whose}`;
        return { key, per, amount, limit, limited, expires: endsAt ?? now + OPEN_MS, endsAt };
      }

      const member = `member:${memberId}`;
      const here = guildId === null ? [] : [{ set: guild, member: `guild:${guildId}:${member}` }];
      const open = [{ set: operator, member }, ...here].map(({ set, member: whose }) =>
        reservationOf('member', 'request', whose, set.openRequests),
      );
      const pictures = PICTURES.flatMap(({ limited, window, of }) => {
        const reservation = (whose: string, limit: number | undefined) =>
          reservationOf(limited, 'picture', whose, limit, window);
        if (limited === 'member') {
          return [
            reservation(member, operator[of]),
            ...here.map(({ set, member: whose }) => reservation(whose, set[of])),
          ];
        }
        return guildId === null ? [] : [reservation(`guild:${guildId}`, lowest(operator[of], guild[of]))];
      });
      const budget = budgetOf(picture.payer, operator, guild);
      const budgets = budget
        ? [
            reservationOf('key', 'picture', `${budget.key}:${member}`, keyMemberDay, 'day'),
            ...BUDGETS.map(({ per, window, of }) =>
              reservationOf('key', per, budget.key, budget.set[of], window),
            ),
          ]
        : [];
      return [...open, ...pictures, ...budgets].filter((reservation) => reservation !== undefined);
    },
  };
}

/** What limits the key that pays: a member's own is their own business. */
function budgetOf(
  payer: Payer,
  operator: LimitSet,
  guild: LimitSet,
): { key: string; set: LimitSet } | undefined {
  switch (payer.kind) {
    case 'member':
      return undefined;
    case 'guild':
      return { key: `key:guild:${payer.id}`, set: guild };
    case 'operator':
      return { key: 'key:operator', set: operator };
  }
}

const lowest = (...limits: (number | undefined)[]): number | undefined => {
  const given = limits.filter((limit) => limit !== undefined);
  return given.length > 0 ? Math.min(...given) : undefined;
};

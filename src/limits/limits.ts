import type { Submission } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { createCache, DAY_MS } from '@darkroom/time';
import type { Payer } from '../credentials/key-owner.ts';
import type { Store } from '../storage/store.ts';
import { believedCost, countedCost, expectedIn, LEAST_COST } from './counted-cost.ts';
import type { LimitSet } from './limit-set.ts';
import { type Period, periodAt } from './period.ts';
import type { Limited, LimitedReservation, Reservation } from './reservation.ts';
import type { Size } from './size.ts';

/** How long an open request counts where nobody says that it is over: longer than any job is followed. */
const OPEN_MS = DAY_MS;

/** How many costs are remembered, and for how long. */
const REMEMBERED = { max: 1_000, ttlMs: DAY_MS };

/** What decides what a picture costs. */
interface PricedPicture
  extends Pick<Submission, 'workflow' | 'width' | 'height' | 'steps' | 'operation' | 'scale'> {
  payer: Payer;
  graph?: string | undefined;
}

interface LimitedPicture extends PricedPicture {
  /** Credits: what the service says that one of its kind usually costs. */
  usualCost?: number | undefined;
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
  picture: LimitedPicture;
  /** How many pictures a day a shared key pays for one member. */
  keyMemberDay?: number | undefined;
}

export interface PictureBounds {
  /** It may have no more pixels than one of this size. */
  largestSize?: Size | undefined;
  mostSteps?: number | undefined;
}

export type OperatorLimits = LimitSet & PictureBounds;

/** What each limit counts, of whom, and in which period of the calendar; without one, until a request is over. */
const COUNTED: readonly { limited: Limited; per: Reservation['per']; period?: Period; of: keyof LimitSet }[] =
  [
    { limited: 'member', per: 'request', of: 'openRequests' },
    { limited: 'member', per: 'picture', period: 'hour', of: 'memberHour' },
    { limited: 'member', per: 'picture', period: 'day', of: 'memberDay' },
    { limited: 'guild', per: 'picture', period: 'hour', of: 'guildHour' },
    { limited: 'guild', per: 'picture', period: 'day', of: 'guildDay' },
    { limited: 'share', per: 'picture', period: 'day', of: 'keyDay' },
    { limited: 'key', per: 'picture', period: 'day', of: 'keyDay' },
    { limited: 'key', per: 'picture', period: 'month', of: 'keyMonth' },
    { limited: 'key', per: 'credit', period: 'day', of: 'keyCreditsDay' },
    { limited: 'key', per: 'credit', period: 'month', of: 'keyCreditsMonth' },
  ];

/** Whose counters those of a request are, and what limits them. */
type Counters = Readonly<Record<Limited, readonly { whose: string; set: LimitSet }[]>>;

/** What may be asked for: by the operator everywhere, by a server in it. */
export type Limits = ReturnType<typeof createLimits>;

export function createLimits({
  operator,
  store,
  clock,
  log,
}: {
  operator: OperatorLimits;
  store: Pick<Store, 'counted'>;
  clock: { now(): number };
  log: Log;
}) {
  const costs = createCache<string, number>({ ...REMEMBERED, clock });
  const likeOf = ({ payer, workflow, width, height, steps, graph, operation, scale }: PricedPicture) =>
    JSON.stringify([payer, workflow, width, height, steps, graph, operation, scale]);
  /** Of whatever size, and in however many steps. */
  const kindOf = ({ payer, workflow, graph, operation }: PricedPicture) =>
    JSON.stringify([payer, workflow, graph, operation]);

  function expectedCost(picture: LimitedPicture): number {
    const known = costs.get(likeOf(picture));
    if (known !== undefined) return known;
    return Math.max(LEAST_COST, picture.usualCost ?? costs.get(kindOf(picture)) ?? 0);
  }

  /** What a request takes. `guild`: what its server allows. */
  function reservationsOf(request: LimitedRequest, guild: LimitSet): LimitedReservation[] {
    const { count, submissions = count, picture } = request;
    const now = clock.now();
    const expected = expectedCost(picture);
    const counters = countersOf(request, operator, guild);
    return COUNTED.flatMap(({ limited, per, period, of }) =>
      counters[limited].flatMap(({ whose, set: { [of]: limit } }) => {
        if (limit === undefined) return [];
        // A budget of which nothing is used admits whatever is asked for, and a cost that passes it is not believed.
        const each = expected > limit ? LEAST_COST : expected;
        const amount = { request: 1, picture: count, credit: Math.min(submissions * each, limit) }[per];
        const { name, endsAt } = period ? periodAt(period, now) : { name: 'open', endsAt: now + OPEN_MS };
        return [{ key: `${per}:${name}:${whose}`, per, amount, limit, limited, expires: endsAt }];
      }),
    );
  }

  return {
    bounds: operator,

    reservationsOf,

    /**
     * How many pictures the limits of a request leave, and until when, in milliseconds since the epoch; undefined where
     * nothing limits it.
     */
    async allowanceOf(request: Omit<LimitedRequest, 'count'>, guild: LimitSet) {
      const all = reservationsOf({ ...request, count: 1 }, guild);
      const ofPictures = all.filter(({ per }) => per === 'picture');
      const used = await store.counted(ofPictures.map(({ key }) => key));
      const allowances = ofPictures.map(({ limit, expires: endsAt }, nth) => ({
        left: Math.max(0, limit - (used[nth] ?? 0)),
        endsAt,
      }));
      return allowances.toSorted((one, other) => one.left - other.left || other.endsAt - one.endsAt)[0];
    },

    /**
     * Remembers what a picture has cost, for the budgets of the next ones like it that the same key pays.
     * `reservations`: what its request has taken, for so many `pictures`.
     */
    learnCost(
      picture: PricedPicture,
      credits: number,
      { reservations, pictures }: { reservations: readonly Reservation[]; pictures: number },
    ): void {
      const like = likeOf(picture);
      const believed = believedCost(credits, costs.get(like) ?? LEAST_COST);
      costs.set(like, believed);
      costs.set(kindOf(picture), believed);
      const counted = reservations
        .filter(({ per }) => per === 'credit')
        .map((reservation) => countedCost(credits, expectedIn(reservation, pictures)));
      if (counted.some((cost) => cost < credits))
        log.warn(
          { credits, counted: Math.max(...counted) },
          'the image service says that a picture has cost far more than the last one like it, or than a budget: it counts with less',
        );
    },
  };
}

function countersOf(
  { memberId, guildId, picture: { payer }, keyMemberDay }: LimitedRequest,
  operator: LimitSet,
  guild: LimitSet,
): Counters {
  const member = `member:${memberId}`;
  const here = `guild:${guildId}`;
  const key = payer.kind === 'guild' ? `key:guild:${payer.id}` : 'key:operator';
  return {
    member: [
      { whose: member, set: operator },
      ...(guildId === null ? [] : [{ whose: `${here}:${member}`, set: guild }]),
    ],
    guild: guildId === null ? [] : [{ whose: here, set: stricter(operator, guild) }],
    // A member's own key is their own business.
    ...(payer.kind === 'member'
      ? { share: [], key: [] }
      : {
          share: [{ whose: `${key}:${member}`, set: { keyDay: keyMemberDay } }],
          key: [{ whose: key, set: payer.kind === 'guild' ? guild : operator }],
        }),
  };
}

/** Of what a server as a whole may ask for. */
const stricter = (one: LimitSet, other: LimitSet): LimitSet => ({
  guildHour: lowest(one.guildHour, other.guildHour),
  guildDay: lowest(one.guildDay, other.guildDay),
});

const lowest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

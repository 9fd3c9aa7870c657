import type { Payer } from '../credentials/key-owner.ts';
import type { Size } from '../messages/size.ts';
import type { Claim, Limited, LimitedClaim } from './claim.ts';
import type { LimitSet } from './limit-set.ts';
import { type Window, windowAt } from './window.ts';

/** How long an open request counts where nobody says that it is over: longer than any job is followed. */
const OPEN_MS = 24 * 3600_000;

/** What a request of unknown cost is counted with: enough that nothing passes a budget that is used up. */
const LEAST_COST = 0.001;

/** Who asks for pictures, where, and whose key pays. */
export interface LimitedRequest {
  memberId: string;
  guildId: string | null;
  /** How many pictures. */
  count: number;
  workflow: string | undefined;
  payer: Payer;
  /** How many pictures a day a shared key pays for one member. */
  keyMemberDay?: number | undefined;
}

/** How large and how fine one picture may be. */
export interface PictureBounds {
  /** It may have no more pixels than one of this size. */
  largestSize?: Size | undefined;
  mostSteps?: number | undefined;
}

export type OperatorLimits = LimitSet & PictureBounds;

/** What may be asked for: by the operator everywhere, by a server in it. */
export interface Limits {
  /** What the operator allows of one picture. */
  bounds: PictureBounds;
  /** What a request takes. `guild`: what its server allows. */
  claimsOf(request: LimitedRequest, guild: LimitSet): LimitedClaim[];
  /** Remembers what a picture of this workflow costs, for the budgets of those that follow. */
  learnCost(workflow: string | undefined, credits: number): void;
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
] as const satisfies readonly { per: Claim['per']; window: Window; of: keyof LimitSet }[];

export function createLimits({
  operator,
  clock,
}: {
  operator: OperatorLimits;
  clock: { now(): number };
}): Limits {
  const costs = new Map<string | undefined, number>();

  return {
    bounds: operator,

    learnCost: (workflow, credits) => void costs.set(workflow, credits),

    claimsOf({ memberId, guildId, count, workflow, payer, keyMemberDay }, guild) {
      const now = clock.now();
      const expected = costs.get(workflow) ?? LEAST_COST;

      /** Undefined where nobody limits it. */
      function claimOf(
        limited: Limited,
        per: Claim['per'],
        whose: string,
        limit: number | undefined,
        window?: Window,
      ): LimitedClaim | undefined {
        if (limit === undefined) return undefined;
        const amount = { request: 1, picture: count, credit: count * expected }[per];
        const { name, endsAt } = window ? windowAt(window, now) : { name: 'open', endsAt: undefined };
        const key = `${per}:${name}:${whose}`;
        return { key, per, amount, limit, limited, expires: endsAt ?? now + OPEN_MS, endsAt };
      }

      const member = `member:${memberId}`;
      const here = guildId === null ? [] : [{ set: guild, member: `guild:${guildId}:${member}` }];
      const open = [{ set: operator, member }, ...here].map(({ set, member: whose }) =>
        claimOf('member', 'request', whose, set.openRequests),
      );
      const pictures = PICTURES.flatMap(({ limited, window, of }) => {
        const claim = (whose: string, limit: number | undefined) =>
          claimOf(limited, 'picture', whose, limit, window);
        if (limited === 'member') {
          return [
            claim(member, operator[of]),
            ...here.map(({ set, member: whose }) => claim(whose, set[of])),
          ];
        }
        return guildId === null ? [] : [claim(`guild:${guildId}`, lowest(operator[of], guild[of]))];
      });
      const budget = budgetOf(payer, operator, guild);
      const budgets = budget
        ? [
            claimOf('key', 'picture', `${budget.key}:${member}`, keyMemberDay, 'day'),
            ...BUDGETS.map(({ per, window, of }) => claimOf('key', per, budget.key, budget.set[of], window)),
          ]
        : [];
      return [...open, ...pictures, ...budgets].filter((claim) => claim !== undefined);
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

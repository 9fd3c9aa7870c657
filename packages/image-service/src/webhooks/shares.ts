import { type Clock, createCache, HOUR_MS } from '@darkroom/time';

/** Webhooks that a process sends at once. */
const SLOTS = 512;
/** Of them, those of one receiver. */
const MOST_OF_RECEIVER = 8;

/** How many receivers are remembered, and for how long. */
const MAX_RECEIVERS = 10_000;
const REMEMBERED_MS = HOUR_MS;

/** Whose a webhook is: that of an account, to one of its receivers. */
export interface Owner {
  accountId: number;
  receiver: string;
}

/**
 * Shares the slots out. An account may hold as many as it leaves free: however many accounts have receivers that
 * hang, there is room for one more. A receiver begins with one slot and gets one more for each answer in a row.
 */
export function createShares({ clock, slots = SLOTS }: { clock: Pick<Clock, 'now'>; slots?: number }) {
  const ofAccount = createTally<number>();
  const ofReceiver = createTally<string>();
  const answers = createCache<string, number>({ max: MAX_RECEIVERS, ttlMs: REMEMBERED_MS, clock });

  const free = () => slots - ofAccount.total();
  const accountIsBusy = (accountId: number) => ofAccount.of(accountId) >= free();
  const receiverIsBusy = (receiver: string) =>
    ofReceiver.of(receiver) >= Math.min(1 + (answers.get(receiver) ?? 0), MOST_OF_RECEIVER);

  return {
    /** Takes a slot; false where the account or the receiver has all that it may have. */
    take({ accountId, receiver }: Owner): boolean {
      if (accountIsBusy(accountId) || receiverIsBusy(receiver)) return false;
      ofAccount.add(accountId, 1);
      ofReceiver.add(receiver, 1);
      return true;
    },

    /** Gives a slot back. `answered`: whether the receiver did; undefined where it was not asked. */
    release({ accountId, receiver }: Owner, answered?: boolean): void {
      ofAccount.add(accountId, -1);
      ofReceiver.add(receiver, -1);
      if (answered !== undefined) answers.set(receiver, answered ? (answers.get(receiver) ?? 0) + 1 : 0);
    },

    /** Those that may not have another slot at the moment. */
    busy: () => ({
      accounts: ofAccount.all().filter(accountIsBusy),
      receivers: ofReceiver.all().filter(receiverIsBusy),
    }),
  };
}

/** Counts by subject; one that has come down to 0 is forgotten. */
function createTally<Subject>() {
  const counts = new Map<Subject, number>();
  let total = 0;
  return {
    total: () => total,
    of: (subject: Subject) => counts.get(subject) ?? 0,
    all: () => [...counts.keys()],
    add(subject: Subject, more: 1 | -1): void {
      total += more;
      const count = (counts.get(subject) ?? 0) + more;
      if (count === 0) counts.delete(subject);
      else counts.set(subject, count);
    },
  };
}

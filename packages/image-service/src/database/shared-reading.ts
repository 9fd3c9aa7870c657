/**
 * A reading that is expensive, and so shared: it takes at most `part` of the time. Callers that ask meanwhile get the
 * latest, which may be as old as that implies.
 */
export function createSharedReading<Reading>(part: number, read: () => Promise<Reading>) {
  let latest: Promise<Reading> | undefined;
  let next: Promise<Reading> | undefined;
  let until = 0;

  function begin(): Promise<Reading> {
    const startedAt = performance.now();
    until = Number.POSITIVE_INFINITY;
    const reading = read();
    latest = reading;
    const settle = (lastsMs: number) => {
      until = performance.now() + lastsMs;
    };
    reading.then(
      () => settle((performance.now() - startedAt) / part),
      () => settle(0),
    );
    return reading;
  }

  /** A reading that begins after this call, once the last one has ended: one for all who call before it begins. */
  function refresh(): Promise<Reading> {
    next ??= Promise.resolve(latest)
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  }

  return {
    latest: (): Promise<Reading> => (latest && performance.now() < until ? latest : refresh()),
    refresh,
  };
}

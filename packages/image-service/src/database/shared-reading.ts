/**
 * A reading that is expensive, and so shared: it takes at most `part` of the time. Callers that ask meanwhile get the
 * latest, which may be as old as that implies.
 */
export function createSharedReading<Reading>(part: number, read: () => Promise<Reading>) {
  let latest: Promise<Reading> | undefined;
  let until = 0;

  function refresh(): Promise<Reading> {
    const startedAt = performance.now();
    until = Number.POSITIVE_INFINITY;
    const reading = read();
    latest = reading;
    const settle = (lastsMs: number) => {
      if (latest === reading) until = performance.now() + lastsMs;
    };
    reading.then(
      () => settle((performance.now() - startedAt) / part),
      () => settle(0),
    );
    return reading;
  }

  return {
    latest: (): Promise<Reading> => (latest && performance.now() < until ? latest : refresh()),
    refresh,
  };
}

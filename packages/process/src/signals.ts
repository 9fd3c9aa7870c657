/** How long stopping may take before the process ends anyway, unless told. */
const GRACE_PERIOD_MS = 10_000;

/**
 * A second signal within so long is the same wish: Ctrl-C reaches every process of a terminal, and npm passes on what
 * it gets itself.
 */
const SAME_SIGNAL_MS = 1_000;

/** For how long whoever reads what the program prints may read nothing of the last of it. */
const LAST_LINES_MS = 1_000;

/** Resolves once everything that was printed is read, or nobody reads it any more. */
const written = (): Promise<void> =>
  new Promise((resolve) => {
    const { stdout } = process;
    // A file has none, and takes everything at once. It begins anew with whatever is read.
    if ('setTimeout' in stdout) stdout.setTimeout(LAST_LINES_MS, resolve);
    stdout.write('', () => resolve());
  });

/**
 * Starts what `start` starts, and stops it at the first SIGINT or SIGTERM, then ends the process; another signal a
 * second later, or too long a stop, ends it at once. A signal before everything has started ends it at once as well:
 * what is written down is taken up by the next start, as after a crash. `fail` ends it like a first signal, with exit
 * code 1.
 */
export async function runUntilSignal(
  start: (fail: () => void) => Promise<() => Promise<void>>,
  { graceMs = GRACE_PERIOD_MS }: { graceMs?: number } = {},
): Promise<void> {
  let stop = async (): Promise<void> => undefined;
  let stoppingSince: number | undefined;
  const end = (code: number) => {
    stoppingSince = performance.now();
    setTimeout(() => process.exit(1), graceMs).unref();
    stop()
      .then(
        () => code,
        () => 1,
      )
      .then(async (last) => {
        await written();
        process.exit(last);
      });
  };
  const onSignal = () => {
    if (stoppingSince === undefined) end(0);
    else if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  stop = await start(() => {
    if (stoppingSince === undefined) end(1);
  });
}

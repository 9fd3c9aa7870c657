/** How long stopping may take before the process ends anyway. */
const PATIENCE_MS = 10_000;

/**
 * Starts what `start` starts, and stops it at the first SIGINT or SIGTERM, then ends the process; a second signal, or too
 * long a stop, ends it at once. A signal before everything has started ends it at once as well: what is written down is
 * taken up by the next start, as after a crash. `fail` ends it like a first signal, with exit code 1.
 */
export async function runUntilSignal(
  start: (fail: () => void) => Promise<() => Promise<void>>,
): Promise<void> {
  let stop = async (): Promise<void> => undefined;
  let stopping = false;
  const end = (code: number) => {
    stopping = true;
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    stop().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  const onSignal = () => (stopping ? process.exit(1) : end(0));
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  stop = await start(() => {
    if (!stopping) end(1);
  });
}

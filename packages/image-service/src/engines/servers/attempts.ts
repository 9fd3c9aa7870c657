import type { Log } from '@darkroom/process';
import { backoffMs, type Clock } from '@darkroom/time';
import { DrawingError, type DrawOptions } from '../engine.ts';
import { DrawingLost, NotTaken } from './drawing-lost.ts';
import type { createServerPool, ServerSlot } from './pool.ts';
import type { RequiredModel } from './required-model.ts';
import type { Server } from './server.ts';

/** A drawing whose server is lost gets another attempt. */
const MAX_ATTEMPTS = 2;
const SERVER_LOST = 'The image server was lost while it was drawing, and a second attempt failed too.';

/**
 * Draws on the least loaded server, and once more, on another one if there is one, where that loses the drawing: then
 * its progress begins anew. A server that takes none now is asked again until the signal aborts. Rejects with a
 * `DrawingError` after the last attempt.
 */
export async function drawOnServers<Kind extends Server, Result>(
  {
    pool,
    required,
    first,
    taskId,
    signal,
    onProgress,
    clock,
    log,
  }: {
    pool: Pick<ReturnType<typeof createServerPool<Kind>>, 'acquire' | 'take'>;
    required: readonly RequiredModel[];
    /** The server of the first attempt, even where it has no room. */
    first?: Kind | undefined;
    taskId: string;
    clock: Clock;
    log: Log;
  } & Pick<DrawOptions, 'signal' | 'onProgress'>,
  draw: (slot: ServerSlot<Kind>, attempt: number) => Promise<Result>,
): Promise<Result> {
  let given = first;
  let lostOn: Kind | undefined;
  let losses = 0;
  let refusals = 0;
  for (;;) {
    const slot = given ? pool.take(given) : await pool.acquire(required, signal, lostOn);
    given = undefined;
    const { server } = slot;
    try {
      const drawn = await draw(slot, losses + refusals + 1);
      server.keepDrawing();
      return drawn;
    } catch (error) {
      // A wait that is ended rejects with an error of its own.
      signal.throwIfAborted();
      if (error instanceof NotTaken) {
        refusals += 1;
        server.invalidateHealth();
        if (refusals === 1)
          log.warn({ server: server.name, taskId, reason: error.message }, 'a server takes no drawing now');
      } else if (error instanceof DrawingLost) {
        losses += 1;
        server.loseDrawing(error.message);
        log.warn({ server: server.name, taskId, err: error }, 'a server has lost a drawing');
        if (losses >= MAX_ATTEMPTS) throw new DrawingError(SERVER_LOST, { cause: error });
      } else throw error;
      lostOn = server;
      onProgress({ percent: 0, anew: true });
    } finally {
      slot.release();
    }
    if (refusals > 0) await clock.sleep(backoffMs({ attempt: refusals }), signal);
  }
}

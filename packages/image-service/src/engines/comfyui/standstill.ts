import type { Clock } from '@darkroom/time';
import { DrawingLost } from '../servers/drawing-lost.ts';
import type { ComfyServer } from './server.ts';

/** How often a server is asked whether it draws anything: the answer has every graph of its queue. */
const ASK_MS = 10_000;
/** For so long nothing may run while prompts wait, of which a server takes up the next at once. */
const STANDSTILL_MS = 30_000;

/**
 * Watches a server on which a prompt waits; what it returns is called at every poll, and rejects with `DrawingLost` once
 * nothing runs there, but not because of what somebody else seems to have left there, unless the prompt may move. A
 * ComfyUI whose worker thread has died accepts prompts as before and runs none, with the one at which it died in its
 * queue for ever or with nothing (Comfy-Org/ComfyUI#16312, #11023, #10514).
 */
export function createStandstill(
  { client, isLeftOver }: ComfyServer,
  { mayMove, clock }: { mayMove(): Promise<boolean>; clock: Clock },
) {
  let askedAt = clock.now();
  let idleSince: number | undefined;
  return async (signal: AbortSignal): Promise<void> => {
    if (clock.now() - askedAt < ASK_MS) return;
    askedAt = clock.now();
    const { running, foreign } = await client.queue(signal);
    const isIdle =
      running.every((id) => isLeftOver(id, foreign.includes(id))) &&
      (foreign.length === 0 || (await mayMove()));
    if (isIdle) idleSince ??= clock.now();
    else idleSince = undefined;
    if (idleSince !== undefined && clock.now() - idleSince >= STANDSTILL_MS)
      throw new DrawingLost('the server takes up no prompt any more');
  };
}

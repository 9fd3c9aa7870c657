import { within } from '../../../deadline.ts';
import type { Objection } from '../engine.ts';
import { type createFleet, wanting } from './fleet.ts';
import { CHECKPOINTS, forbidden } from './models.ts';

/** How long a caller is kept waiting for what the servers say. They are asked on, so that a silent one comes to rest. */
const ASK_MS = 2_000;

/**
 * Why a model that a caller names is not used. Undefined where it may be, and where not every server can be asked: then
 * the drawing itself will tell.
 */
export async function objectionToModel(
  model: string,
  {
    allowed,
    fleet,
    signal,
  }: { allowed: ReadonlySet<string> | undefined; fleet: ReturnType<typeof createFleet>; signal: AbortSignal },
): Promise<Objection | undefined> {
  if (allowed && !allowed.has(model))
    return { field: 'model', reason: forbidden(model), allowed: [...allowed] };
  const need = { folder: CHECKPOINTS, name: model };
  const lack = await within(ASK_MS, signal, () => fleet.lack(need, signal)).catch(() => undefined);
  if (!lack) return undefined;
  const listed = lack.listed.filter((name) => allowed?.has(name) ?? true);
  return { field: 'model', reason: wanting({ ...lack, listed }), allowed: listed };
}

import { MINUTE_MS } from '@darkroom/time';
import { z } from 'zod';
import type { Store } from './store.ts';

/** Rejects where the store takes no writes, as on a full disk, which can still be read. */
export async function proveWritable(store: Store): Promise<void> {
  const probes = store.collection('probes', z.string());
  await probes.set('probe', 'written', MINUTE_MS);
  await probes.delete('probe');
}

import type { ServiceDatabase } from './database.ts';

/** Whether the database takes a write, as a full disk can still be read. Changes nothing; rejects where it does not. */
export async function tryWrite(db: ServiceDatabase): Promise<void> {
  await db
    .updateTable('installation')
    .set((eb) => ({ picturesProof: eb.ref('picturesProof') }))
    .execute();
}

import type { Vault } from '@darkroom/storage';
import { z } from 'zod';
import type { SealedField } from '../storage/sealed-field.ts';
import { type Job, job, jobSecrets } from './job.ts';

/** A job as it is stored: `secrets` is the vault's seal over them. */
export const jobRow = z.intersection(job, z.object({ secrets: z.string().optional() }));
type JobRow = z.output<typeof jobRow>;

export const sealedJobSecrets = {
  collection: 'jobs',
  field: 'secrets',
  contextOf: (id) => `job:${id}`,
} as const satisfies SealedField;

/** Between a job and its row: the one place where the secrets of jobs are sealed and opened. */
export function createJobCodec(vault: Vault) {
  const { contextOf } = sealedJobSecrets;
  return {
    encode({ secrets, ...rest }: Job): JobRow {
      if (!secrets) return rest;
      return { ...rest, secrets: vault.seal(JSON.stringify(secrets), contextOf(rest.id)) };
    },

    /** Without secrets where their seal cannot be opened. */
    decode({ secrets, ...rest }: JobRow): Job {
      if (secrets === undefined) return rest;
      try {
        return { ...rest, secrets: jobSecrets.parse(JSON.parse(vault.open(secrets, contextOf(rest.id)))) };
      } catch {
        return rest;
      }
    },
  };
}

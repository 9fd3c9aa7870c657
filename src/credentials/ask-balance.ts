import { type Balance, type ImageClient, ServiceError } from '@darkroom/image-api';
import type { Credentials } from './credentials.ts';
import type { Payer } from './key-owner.ts';

/**
 * What the account of a linked key has left. Notes whether the service accepts the key. Rejects as `ImageClient.balance`
 * does.
 */
export async function askBalance(
  payer: Payer,
  apiKey: string,
  {
    credentials,
    images,
    signal,
  }: {
    credentials: Pick<Credentials, 'noteUse'>;
    images: Pick<ImageClient, 'balance'>;
    signal?: AbortSignal | undefined;
  },
): Promise<Balance> {
  try {
    const balance = await images.balance({ apiKey, signal });
    await credentials.noteUse(payer, apiKey, 'accepted');
    return balance;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unauthorized')
      await credentials.noteUse(payer, apiKey, 'rejected');
    throw error;
  }
}

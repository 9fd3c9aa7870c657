import { randomBytes } from 'node:crypto';
import { addressesInContainer } from '../container-host.ts';
import { isKeyOfAccount, secretsOfThisMachine } from './payer.ts';
import type { StepContext } from './step.ts';

/** Writes what compose.yaml wants, and takes away what only holds outside of containers. */
export async function settleContainers({ settings, ask, words }: StepContext): Promise<void> {
  await settings.save({
    SECRET_KEY: settings.get('SECRET_KEY') ?? (await secretsOfThisMachine(settings)).join(','),
    POSTGRES_PASSWORD: settings.get('POSTGRES_PASSWORD') ?? randomBytes(16).toString('hex'),
  });
  await settings.save(addressesInContainer(settings.get));
  if (await isKeyOfAccount(settings)) {
    ask.tell(words.run.otherAccounts);
    await settings.save({ IMAGE_API_KEY: '' });
  }
}

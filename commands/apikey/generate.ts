import { withTimeout } from '@darkroom/time';
import type { FormOptions, Invocation } from '../../src/bot/command.ts';
import { catchRejectedKey, UserError } from '../../src/bot/user-error.ts';
import type { LinkedKey } from '../../src/credentials/credentials.ts';
import { customId } from '../../src/messages/buttons.ts';
import { fromArgs, type KeyTarget, keyOwner, toArg } from './key-target.ts';
import { describeLinked, saveKey } from './link.ts';
import { secretForm, secretOf } from './secret-form.ts';

/** How long the name of the account is waited for: the key works without it. */
const USERNAME_TIMEOUT_MS = 5_000;

/** Opens the form for a login token. */
export const openGenerateForm = (
  { reply, texts: { apiKey } }: Invocation,
  target: KeyTarget,
): Promise<void> =>
  reply.showModal(secretForm(customId('apikey', 'generate', toArg(target)), apiKey.generateForm));

/** Makes a key from the login token that was typed into that form, and links it. */
export async function submitGenerateForm(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, reply, texts, context } = invocation;
  const target = fromArgs(options.args);
  await reply.promise();
  const { apiKey } = await catchRejectedKey(
    context.images.generateKey({ token: secretOf(invocation) }),
    (cause) => new UserError(texts.refusal.tokenRejected, { cause }),
  );
  // Saved at once: a key that was made and is dropped here stays valid at the service, and nobody knows it.
  const linked = await saveKey(invocation, target, { apiKey, username: undefined });
  const named = await addUsername(invocation, apiKey, linked);
  await reply.editReply({ content: describeLinked(target, named, texts) });
}

/** With the name of its account, where the service tells it in time. */
async function addUsername(invocation: Invocation, apiKey: string, linked: LinkedKey): Promise<LinkedKey> {
  const { credentials, images, log } = invocation.context;
  try {
    const { username } = await withTimeout(USERNAME_TIMEOUT_MS, (signal) =>
      images.balance({ apiKey, signal }),
    );
    if (username === undefined) return linked;
    await credentials.setUsername(keyOwner('member', invocation), linked, username);
    return { ...linked, username };
  } catch (error) {
    log.warn({ err: error }, 'a new key is linked without the name of its account');
    return linked;
  }
}

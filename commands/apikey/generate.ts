import { hash } from 'node:crypto';
import { apiKey as keyForm, ServiceError } from '@darkroom/image-api';
import { withTimeout } from '@darkroom/time';
import { type FormOptions, holdsKey } from '../../src/bot/command.ts';
import { catchRejectedKey, takeAttempt } from '../../src/bot/key-errors.ts';
import type { LinkedKey } from '../../src/credentials/linked-key.ts';
import { customId } from '../../src/messages/buttons.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { describeLinked } from './describe.ts';
import type { Invocation } from './invocation.ts';
import { argsOf, createKeyButton, draftOf, ownerWithRight } from './key-target.ts';
import { continueRequest, linkButton, saveKey } from './link.ts';
import { consentField, MAX_LENGTH, secretForm, secretOf } from './secret-form.ts';

/** How long the name of the account is waited for: the key works without it. */
const USERNAME_TIMEOUT_MS = 5_000;

/** Opens the form for a login token, which is somebody's own: no form makes a key for a server. */
export const openGenerateForm = ({ caller, reply, texts }: Invocation, draftId?: string): Promise<void> =>
  reply.showModal(
    secretForm(
      customId('apikey', 'generate', ...argsOf('member', draftId)),
      texts.apiKey.generateForm,
      ...(caller.guildId === null ? [] : [consentField(texts)]),
    ),
  );

export async function submitGenerateForm(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, reply, texts, context } = invocation;
  const draftId = draftOf(options.args);
  const token = secretOf(invocation);
  if (holdsKey(token)) {
    throw new UserError(texts.refusal.keyForToken, { nextSteps: [linkButton('member', texts, draftId)] });
  }
  const nextSteps = [createKeyButton(texts, draftId)];
  if (token.length > MAX_LENGTH) throw new UserError(texts.refusal.tokenRejected, { nextSteps });
  await reply.promise();
  await takeAttempt('key', invocation);
  const { images, credentials } = context.keys;
  const { linkedAt = 0 } = (await credentials.describe(ownerWithRight(invocation, 'member'))) ?? {};
  // The same until a key is linked: one whose answer was lost, with this process or on its way, is found again. The
  // service, which knows the token, learns nothing from it of who its member is.
  const idempotencyKey = hash('sha256', `${token} ${linkedAt}`);
  const { apiKey } = await catchRejectedKey(
    images.generateKey({ token, idempotencyKey }),
    (cause) => new UserError(texts.refusal.tokenRejected, { cause, nextSteps }),
  );
  if (!keyForm.safeParse(apiKey).success)
    throw new ServiceError('protocol', 'the image service made a key that is none');
  // Saved at once: a key that was made and is dropped here stays valid at the service, and nobody knows it.
  const { linked, replaced } = await saveKey(invocation, 'member', { apiKey, username: undefined });
  const named = await addUsername(invocation, apiKey, linked);
  await reply.editReply({ content: describeLinked(invocation, 'member', named, replaced) });
  await continueRequest(invocation, draftId);
}

/** With the name of its account, where the service tells it in time. */
async function addUsername(invocation: Invocation, apiKey: string, linked: LinkedKey): Promise<LinkedKey> {
  const { credentials, images } = invocation.context.keys;
  try {
    const { username } = await withTimeout(USERNAME_TIMEOUT_MS, (signal) =>
      images.balance({ apiKey, signal }),
    );
    if (username === undefined) return linked;
    return (await credentials.setUsername(ownerWithRight(invocation, 'member'), linked, username)) ?? linked;
  } catch (error) {
    invocation.context.log.warn({ err: error }, 'a new key is linked without the name of its account');
    return linked;
  }
}

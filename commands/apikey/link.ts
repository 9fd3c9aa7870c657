import { apiKey as keyForm } from '@darkroom/image-api';
import { ButtonStyle } from 'discord.js';
import type { FormOptions, Invocation } from '../../src/bot/command.ts';
import { catchRejectedKey, UserError } from '../../src/bot/user-error.ts';
import type { LinkedKey } from '../../src/credentials/credentials.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import { type Button, button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { fromArgs, type KeyTarget, keyOwner, keyTarget, toArg } from './key-target.ts';
import { secretForm, secretOf } from './secret-form.ts';

/** Opens the form for a key. */
export const linkButton = (target: KeyTarget, { apiKey }: Texts): Button =>
  button(
    ButtonStyle.Primary,
    target.owner === 'guild' ? apiKey.linkForServer : apiKey.link,
    customId('apikey', 'ask', toArg(target)),
  );

export const noKeyLinked = (owner: KeyOwner['kind'], texts: Texts): UserError =>
  new UserError(owner === 'guild' ? texts.apiKey.noneForServer : texts.apiKey.none, {
    nextStep: linkButton(keyTarget(owner), texts),
  });

export async function openLinkForm(invocation: Invocation, target: KeyTarget): Promise<void> {
  const { reply, texts } = invocation;
  keyOwner(target.owner, invocation);
  await reply.showModal(secretForm(customId('apikey', 'link', toArg(target)), texts.apiKey.linkForm));
}

/** A key is asked for its balance before it is saved: one that is refused or cannot be checked changes nothing. */
export async function submitLinkForm(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, reply, texts, context } = invocation;
  const target = fromArgs(options.args);
  const nextStep = linkButton(target, texts);
  keyOwner(target.owner, invocation);
  const key = keyForm.safeParse(secretOf(invocation));
  if (!key.success) throw new UserError(texts.refusal.invalidKey, { nextStep });
  await reply.promise();
  const { username } = await catchRejectedKey(
    context.images.balance({ apiKey: key.data }),
    (cause) => new UserError(texts.refusal.keyRejected, { nextStep, cause }),
  );
  const linked = await saveKey(invocation, target, { apiKey: key.data, username });
  await reply.editReply({ content: describeLinked(target, linked, texts) });
}

/** Saves a key that the service is known to accept. */
export async function saveKey(
  invocation: Invocation,
  target: KeyTarget,
  key: { apiKey: string; username: string | undefined },
): Promise<LinkedKey> {
  const { credentials } = invocation.context;
  const owner = keyOwner(target.owner, invocation);
  const visibility = target.owner === 'guild' ? 'hidden' : target.visibility;
  const visibleToModerators =
    visibility === 'unchanged'
      ? ((await credentials.describe(owner))?.visibleToModerators ?? true)
      : visibility === 'visible';
  return credentials.link(owner, { ...key, visibleToModerators });
}

export function describeLinked(target: KeyTarget, linked: LinkedKey, { apiKey }: Texts): string {
  const { tail, username, visibleToModerators } = linked;
  return target.owner === 'guild'
    ? apiKey.linkedForServer(tail, username)
    : apiKey.linked(tail, username, visibleToModerators);
}

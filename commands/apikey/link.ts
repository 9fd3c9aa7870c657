import { apiKey as keyForm, ServiceError } from '@darkroom/image-api';
import { ButtonStyle } from 'discord.js';
import type { FormOptions, Invocation } from '../../src/bot/command.ts';
import { takeAttempt } from '../../src/bot/take-attempt.ts';
import { catchRejectedKey, UserError } from '../../src/bot/user-error.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import type { LinkedKey } from '../../src/credentials/linked-key.ts';
import { type Button, button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { createKeyButton } from './create-key-button.ts';
import { describeLinked } from './describe.ts';
import { goOn } from './go-on.ts';
import { argsOf, draftOf, fromArgs, type KeyTarget, keyOwner, keyTarget } from './key-target.ts';
import { consentField, consentOf, secretForm, secretOf } from './secret-form.ts';

/** Of an account's name this much is kept. */
const USERNAME_LENGTH = 100;

/** Opens the form for a key. */
export const linkButton = (target: KeyTarget, { apiKey }: Texts, draftId?: string): Button =>
  button(
    ButtonStyle.Primary,
    target.owner === 'guild' ? apiKey.linkForServer : apiKey.link,
    customId('apikey', 'ask', ...argsOf(target, draftId)),
  );

export const noKeyLinked = (owner: KeyOwner['kind'], texts: Texts): UserError =>
  new UserError(owner === 'guild' ? texts.apiKey.noneForServer : texts.apiKey.none, {
    nextSteps: [linkButton(keyTarget(owner), texts), owner === 'guild' ? undefined : createKeyButton(texts)],
  });

export async function openLinkForm(
  invocation: Invocation,
  target: KeyTarget,
  draftId?: string,
): Promise<void> {
  const { reply, texts, caller } = invocation;
  keyOwner(target.owner, invocation);
  const asksConsent = target.owner === 'member' && caller.guildId !== null;
  const fields = asksConsent ? [consentField(texts)] : [];
  await reply.showModal(
    secretForm(customId('apikey', 'link', ...argsOf(target, draftId)), texts.apiKey.linkForm, ...fields),
  );
}

/** A key is asked for its balance before it is saved: one that is refused or cannot be checked changes nothing. */
export async function submitLinkForm(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, reply, texts, caller, context } = invocation;
  const target = fromArgs(options.args);
  const draftId = draftOf(options.args);
  const nextStep = linkButton(target, texts, draftId);
  keyOwner(target.owner, invocation);
  const key = keyForm.safeParse(secretOf(invocation));
  if (!key.success) throw new UserError(texts.refusal.invalidKey, { nextStep });
  await reply.promise();
  if (target.owner === 'guild' && !(await caller.botIsMember())) {
    throw new UserError(texts.refusal.botNotInServer);
  }
  await takeAttempt('key', invocation);
  const { username } = await catchRejectedKey(
    context.images.balance({ apiKey: key.data }),
    (cause) => new UserError(texts.refusal.keyRejected, { nextStep, cause }),
  ).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    context.log.warn({ err: error }, 'a key could not be checked, and was not stored');
    const reason = texts.failure.reasons[error.kind];
    const why = typeof reason === 'string' ? reason : reason.member;
    throw new UserError(`${why} ${texts.apiKey.notStored}`, { nextStep, cause: error });
  });
  const linked = await saveKey(invocation, target, { apiKey: key.data, username });
  await reply.editReply({ content: describeLinked(target.owner, linked, invocation) });
  await goOn(invocation, draftId);
}

/** Saves a key that the service is known to accept. What was said of moderators holds for this server, and in no other. */
export async function saveKey(
  invocation: Invocation<FormOptions>,
  target: KeyTarget,
  { apiKey, username }: { apiKey: string; username: string | undefined },
): Promise<LinkedKey> {
  const { caller, context } = invocation;
  const owner = keyOwner(target.owner, invocation);
  const consents = target.owner === 'member' && (consentOf(invocation) ?? target.consent) === true;
  const linked = await context.credentials.link(owner, {
    apiKey,
    username: username?.slice(0, USERNAME_LENGTH),
    visibleIn: consents && caller.guildId !== null ? [caller.guildId] : [],
  });
  await context.auditLog.record({
    event: 'key-linked',
    owner: owner.kind,
    actorId: caller.member.id,
    guildId: owner.kind === 'guild' ? owner.id : null,
  });
  return linked;
}

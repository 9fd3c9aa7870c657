import { apiKey as keyForm, ServiceError } from '@darkroom/image-api';
import type { FormOptions } from '../../src/bot/command.ts';
import { catchRejectedKey, takeAttempt } from '../../src/bot/key-errors.ts';
import { recordAction } from '../../src/bot/record-action.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import type { LinkedKey } from '../../src/credentials/linked-key.ts';
import { explainFailure } from '../../src/delivery/explain-failure.ts';
import { type Button, button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { describeLinked } from './describe.ts';
import type { Invocation } from './invocation.ts';
import { argsOf, createKeyButton, draftOf, kindOf, ownerWithRight } from './key-target.ts';
import { consentField, consentOf, secretForm, secretOf } from './secret-form.ts';

export const linkButton = (kind: KeyOwner['kind'], { apiKey }: Texts, draftId?: string): Button =>
  button.primary(
    kind === 'guild' ? apiKey.linkForServer : apiKey.link,
    customId('apikey', 'ask', ...argsOf(kind, draftId)),
  );

export const noKeyLinked = (kind: KeyOwner['kind'], texts: Texts): UserError =>
  new UserError(kind === 'guild' ? texts.apiKey.noneForServer : texts.apiKey.none, {
    nextSteps: [linkButton(kind, texts), kind === 'guild' ? undefined : createKeyButton(texts)],
  });

/** The linked key of the caller, or of their server. Rejects with `UserError` where there is none. */
export async function linkedKeyOf({ texts, context }: Invocation, owner: KeyOwner): Promise<LinkedKey> {
  const linked = await context.keys.credentials.describe(owner);
  if (!linked) throw noKeyLinked(owner.kind, texts);
  return linked;
}

export async function openLinkForm(
  invocation: Invocation,
  kind: KeyOwner['kind'],
  draftId?: string,
): Promise<void> {
  const { reply, texts, caller } = invocation;
  ownerWithRight(invocation, kind);
  const asksConsent = kind === 'member' && caller.guildId !== null;
  const fields = asksConsent ? [consentField(texts)] : [];
  await reply.showModal(
    secretForm(customId('apikey', 'link', ...argsOf(kind, draftId)), texts.apiKey.linkForm, ...fields),
  );
}

/** A key is asked for its balance before it is saved: one that is refused or cannot be checked changes nothing. */
export async function submitLinkForm(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, reply, texts, caller, context } = invocation;
  const kind = kindOf(options.args);
  const draftId = draftOf(options.args);
  const nextStep = linkButton(kind, texts, draftId);
  ownerWithRight(invocation, kind);
  const key = keyForm.safeParse(secretOf(invocation));
  if (!key.success) {
    // What has another form may be a login token.
    const createKey = kind === 'member' ? createKeyButton(texts, draftId) : undefined;
    throw new UserError(texts.refusal.invalidKey, { nextSteps: [nextStep, createKey] });
  }
  await reply.promise();
  if (kind === 'guild' && !(await caller.botIsMember())) {
    throw new UserError(texts.refusal.botNotInServer);
  }
  await takeAttempt('key', invocation);
  const { username } = await catchRejectedKey(
    context.keys.images.balance({ apiKey: key.data }),
    (cause) => new UserError(texts.refusal.keyRejected, { nextSteps: [nextStep], cause }),
  ).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    context.log.warn({ err: error }, 'a key could not be checked, and was not stored');
    const { kind, reason } = error;
    const why = explainFailure({ failure: { kind, reason }, payer: { kind: 'member' } }, texts);
    throw new UserError(`${why} ${texts.apiKey.notStored}`, { nextSteps: [nextStep], cause: error });
  });
  const { linked, replaced } = await saveKey(invocation, kind, { apiKey: key.data, username });
  await reply.editReply({ content: describeLinked(invocation, kind, linked, replaced) });
  await continueRequest(invocation, draftId);
}

/**
 * Saves a key that the service is known to accept. What was said of moderators holds for this server, and in no
 * other. `replaced`: another key that was linked before, and that the service may still accept.
 */
export async function saveKey(
  invocation: Invocation<FormOptions>,
  kind: KeyOwner['kind'],
  { apiKey, username }: { apiKey: string; username: string | undefined },
): Promise<{ linked: LinkedKey; replaced: LinkedKey | undefined }> {
  const { caller, context } = invocation;
  const owner = ownerWithRight(invocation, kind);
  const consents = kind === 'member' && consentOf(invocation);
  const { credentials } = context.keys;
  // Where it cannot be opened, nobody knows whether it is another one.
  const before = await credentials.open(owner).catch(() => credentials.describe(owner));
  const isSame = before !== undefined && 'apiKey' in before && before.apiKey === apiKey;
  const linked = await credentials.link(owner, {
    apiKey,
    username,
    visibleIn: consents && caller.guildId !== null ? [caller.guildId] : [],
  });
  await recordAction(invocation, owner.kind === 'guild' ? owner.id : null, {
    event: 'key-linked',
    owner: owner.kind,
  });
  return { linked, replaced: isSame || before?.rejectedAt !== undefined ? undefined : before };
}

/** Begins what a member had asked for before they had a key, in a message beside the one that says it is linked. */
export async function continueRequest(invocation: Invocation, draftId: string | undefined): Promise<void> {
  const { caller, context, reply, texts } = invocation;
  if (draftId === undefined || !context.requests.continueDraft) return;
  reply.beginAnew({ content: texts.progress.submitting });
  const interaction = { ...caller.interaction, followUp: true as const };
  await context.requests.continueDraft({ ...invocation, caller: { ...caller, interaction } }, draftId);
}

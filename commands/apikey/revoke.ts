import { ServiceError } from '@darkroom/image-api';
import { ButtonStyle } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Message } from '../../src/messages/message.ts';
import { keyOwner } from './key-target.ts';
import { noKeyLinked } from './link.ts';

/** Revoking cannot be undone: it is asked once more. */
export async function confirmRevoke(invocation: Invocation): Promise<Message> {
  const { texts, context } = invocation;
  const linked = await context.credentials.describe(keyOwner('member', invocation));
  if (!linked) throw noKeyLinked('member', texts);
  return {
    content: texts.apiKey.confirmRevoke(linked.tail),
    rows: rowsOf(
      button(ButtonStyle.Danger, texts.apiKey.revoke, customId('apikey', 'revoke')),
      button(ButtonStyle.Secondary, texts.apiKey.cancel, customId('apikey', 'cancel')),
    ),
  };
}

/** The linked key revokes itself; where the service wants the login token as well, a button asks for it. */
export async function revoke(invocation: Invocation, token: string | undefined): Promise<void> {
  const { reply, texts, context } = invocation;
  const { credentials, images } = context;
  const owner = keyOwner('member', invocation);
  await reply.deferUpdate();
  const linked = await credentials.open(owner);
  if (!linked) throw noKeyLinked('member', texts);
  const wantsToken = ({ kind }: ServiceError) =>
    kind === 'unauthorized' || (kind === 'refused' && token === undefined);
  await images.revokeKey({ apiKey: linked.apiKey, token }).catch((cause: unknown) => {
    if (!(cause instanceof ServiceError) || !wantsToken(cause)) throw cause;
    const sentence = token === undefined ? texts.apiKey.revokeWithToken : texts.refusal.tokenRejected;
    const nextStep = button(ButtonStyle.Primary, texts.apiKey.enterToken, customId('apikey', 'token'));
    throw new UserError(sentence, { nextStep, cause });
  });
  await credentials.unlink(owner);
  await reply.editReply({ content: texts.apiKey.revoked(linked.tail) });
}

import { ButtonStyle } from 'discord.js';
import { button, customId, rowsOf } from '../../src/bot/buttons.ts';
import type { Invocation } from '../../src/bot/command.ts';
import { Refusal } from '../../src/bot/refusal.ts';
import { ServiceError } from '../../src/errors.ts';
import { nothingLinked } from './link.ts';
import { ownerOf } from './owner.ts';

/** Revoking cannot be undone: it is asked once more. */
export async function askToRevoke(invocation: Invocation): Promise<void> {
  const { reply, texts, context } = invocation;
  await reply.defer({ private: true });
  const linked = await context.credentials.show(ownerOf('own', invocation));
  if (!linked) throw nothingLinked('own', texts);
  await reply.privately({
    content: texts.apiKey.confirmRevoke(linked.tail),
    rows: rowsOf(
      button(ButtonStyle.Danger, texts.apiKey.revoke, customId('apikey', 'revoke')),
      button(ButtonStyle.Secondary, texts.apiKey.cancel, customId('apikey', 'cancel')),
    ),
  });
}

/** The linked key revokes itself; where the service wants the login token as well, a button asks for it. */
export async function revoke(invocation: Invocation, token: string | undefined): Promise<void> {
  const { reply, texts, context } = invocation;
  const { credentials, images } = context;
  const owner = ownerOf('own', invocation);
  await reply.deferReplacing();
  const linked = await credentials.open(owner);
  if (!linked) throw nothingLinked('own', texts);
  const wantsToken = ({ kind }: ServiceError) =>
    kind === 'unauthorized' || (kind === 'refused' && token === undefined);
  await images.revokeKey({ apiKey: linked.apiKey, token }).catch((cause: unknown) => {
    if (!(cause instanceof ServiceError) || !wantsToken(cause)) throw cause;
    const sentence = token === undefined ? texts.apiKey.revokeWithToken : texts.refusal.badToken;
    const enterToken = button(ButtonStyle.Primary, texts.apiKey.enterToken, customId('apikey', 'token'));
    throw new Refusal(sentence, enterToken, { cause });
  });
  await credentials.unlink(owner);
  await reply.privately({ content: texts.apiKey.revoked(linked.tail) });
}

import { TimestampStyles, time } from 'discord.js';
import { accepted } from '../../src/bot/accepted.ts';
import { customId, type KeyScope, linkKey } from '../../src/bot/buttons.ts';
import type { FormOptions, Invocation } from '../../src/bot/command.ts';
import type { Texts } from '../../src/bot/locale/en.ts';
import { Refusal } from '../../src/bot/refusal.ts';
import { apiKey as keyForm } from '../../src/contract/api-key.ts';
import type { LinkedKey } from '../../src/credentials/credentials.ts';
import { ownerOf, scopeOf } from './owner.ts';
import { secretForm, secretOf } from './secret-form.ts';

/** Opens the form for a key. */
export async function askForKey(asked: Invocation, scope: KeyScope): Promise<void> {
  ownerOf(scope, asked);
  await asked.reply.ask(secretForm(customId('apikey', 'link', scope), asked.texts.apiKey.linkForm));
}

/** Links what was typed into that form. */
export async function linkTyped(sent: Invocation<FormOptions>): Promise<void> {
  const { options, reply, texts } = sent;
  const scope = scopeOf(options.parts);
  ownerOf(scope, sent);
  const key = keyForm.safeParse(secretOf(sent));
  if (!key.success) throw new Refusal(texts.refusal.badKey, linkKey(texts, scope));
  await reply.defer({ private: true });
  await link(sent, scope, key.data);
}

/** A key is asked for its balance before it is kept: one that is refused or cannot be checked changes nothing. */
async function link(sent: Invocation, scope: KeyScope, apiKey: string): Promise<void> {
  const { texts, context } = sent;
  const { username } = await accepted(
    context.images.balance({ apiKey }),
    (options) => new Refusal(texts.refusal.keyRefused, linkKey(texts, scope), options),
  );
  await tellLinked(sent, scope, await keep(sent, scope, { apiKey, username }));
}

/** Keeps a key that the service is known to accept. */
export async function keep(
  sent: Invocation,
  scope: KeyScope,
  key: { apiKey: string; username: string | undefined },
): Promise<LinkedKey> {
  const { credentials } = sent.context;
  const owner = ownerOf(scope, sent);
  const visibleToModerators =
    scope === 'visible' ||
    (scope === 'own' && ((await credentials.show(owner))?.visibleToModerators ?? true));
  return credentials.link(owner, { ...key, visibleToModerators });
}

export async function tellLinked(
  { reply, texts }: Invocation,
  scope: KeyScope,
  { tail, username, visibleToModerators }: LinkedKey,
): Promise<void> {
  const { linked, linkedForServer } = texts.apiKey;
  await reply.privately({
    content:
      scope === 'server' ? linkedForServer(tail, username) : linked(tail, username, visibleToModerators),
  });
}

export async function show(asked: Invocation, scope: KeyScope): Promise<void> {
  const { reply, texts, context } = asked;
  const owner = ownerOf(scope, asked);
  await reply.defer({ private: true });
  const linked = await context.credentials.show(owner);
  if (!linked) throw nothingLinked(scope, texts);
  const { tail, username, linkedAt, visibleToModerators } = linked;
  const since = time(new Date(linkedAt), TimestampStyles.LongDate);
  const { shown, shownForServer } = texts.apiKey;
  await reply.privately({
    content:
      scope === 'server'
        ? shownForServer(tail, username, since)
        : shown(tail, username, since, visibleToModerators),
  });
}

export async function unlink(asked: Invocation, scope: KeyScope): Promise<void> {
  const { reply, texts, context } = asked;
  const owner = ownerOf(scope, asked);
  await reply.defer({ private: true });
  const existed = await context.credentials.unlink(owner);
  if (!existed) throw nothingLinked(scope, texts);
  const { unlinked, unlinkedForServer } = texts.apiKey;
  await reply.privately({ content: scope === 'server' ? unlinkedForServer : unlinked });
}

export function nothingLinked(scope: KeyScope, texts: Texts): Refusal {
  const { none, noneForServer } = texts.apiKey;
  return new Refusal(scope === 'server' ? noneForServer : none, linkKey(texts, scope));
}

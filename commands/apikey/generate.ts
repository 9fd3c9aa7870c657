import { accepted } from '../../src/bot/accepted.ts';
import { customId, type KeyScope } from '../../src/bot/buttons.ts';
import type { FormOptions, Invocation } from '../../src/bot/command.ts';
import type { LinkedKey } from '../../src/credentials/credentials.ts';
import { within } from '../../src/deadline.ts';
import { UserError } from '../../src/errors.ts';
import { keep, tellLinked } from './link.ts';
import { ownerOf, scopeOf } from './owner.ts';
import { secretForm, secretOf } from './secret-form.ts';

/** How long the name of the account is waited for: the key works without it. */
const NAME_MS = 5_000;

/** Opens the form for a login token. */
export const askForToken = ({ reply, texts: { apiKey } }: Invocation, scope: KeyScope): Promise<void> =>
  reply.ask(secretForm(customId('apikey', 'generate', scope), apiKey.generateForm));

/** Makes a key from the login token that was typed into that form, and links it. */
export async function generateTyped(sent: Invocation<FormOptions>): Promise<void> {
  const scope = scopeOf(sent.options.parts);
  await sent.reply.defer({ private: true });
  const { apiKey } = await accepted(
    sent.context.images.generateKey({ token: secretOf(sent) }),
    (options) => new UserError(sent.texts.refusal.badToken, options),
  );
  // Kept at once: a key that was made and is dropped here stays valid at the service, and nobody knows it.
  const linked = await keep(sent, scope, { apiKey, username: undefined });
  await tellLinked(sent, scope, await named(sent, apiKey, linked));
}

/** With the name of its account, where the service tells it in time. */
async function named(sent: Invocation, apiKey: string, linked: LinkedKey): Promise<LinkedKey> {
  const { credentials, images, log } = sent.context;
  try {
    const { username } = await within(NAME_MS, undefined, (signal) => images.balance({ apiKey, signal }));
    if (username === undefined) return linked;
    await credentials.name(ownerOf('own', sent), linked, username);
    return { ...linked, username };
  } catch (error) {
    log.warn({ err: error }, 'a new key is linked without the name of its account');
    return linked;
  }
}

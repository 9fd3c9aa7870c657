import { ApplicationCommandOptionType, TimestampStyles, time } from 'discord.js';
import { defineCommandGroup, EVERYWHERE, type Invocation } from '../src/bot/command.ts';
import type { KeyOwner } from '../src/credentials/key-owner.ts';
import { customId } from '../src/messages/buttons.ts';
import type { Message } from '../src/messages/message.ts';
import { openGenerateForm, submitGenerateForm } from './apikey/generate.ts';
import { fromArgs, keyOwner, keyTarget, ownKey } from './apikey/key-target.ts';
import { linkButton, noKeyLinked, openLinkForm, submitLinkForm } from './apikey/link.ts';
import { confirmRevoke, revoke } from './apikey/revoke.ts';
import { secretForm, secretOf } from './apikey/secret-form.ts';

const MODERATORS = {
  type: ApplicationCommandOptionType.Boolean,
  name: 'moderators',
  description: 'Whether moderators may see its credits (never the key); as you last said, else yes',
} as const;

export const apikey = defineCommandGroup({
  data: {
    name: 'apikey',
    description: 'Keys of the image service, which pay for pictures',
    ...EVERYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.Subcommand,
        name: 'link',
        description: 'Link a key, so that it pays for your pictures',
        options: [MODERATORS],
      },
      {
        type: ApplicationCommandOptionType.Subcommand,
        name: 'generate',
        description: 'Make a new key from your login token, and link it',
        options: [MODERATORS],
      },
      {
        type: ApplicationCommandOptionType.Subcommand,
        name: 'show',
        description: 'Show which key is linked',
      },
      {
        type: ApplicationCommandOptionType.Subcommand,
        name: 'revoke',
        description: 'Make the linked key invalid everywhere',
      },
      {
        type: ApplicationCommandOptionType.Subcommand,
        name: 'unlink',
        description: 'Forget the linked key here',
      },
      {
        type: ApplicationCommandOptionType.SubcommandGroup,
        name: 'server',
        description: 'The key that pays for members without one (Manage Server)',
        options: [
          {
            type: ApplicationCommandOptionType.Subcommand,
            name: 'link',
            description: 'Link a key that pays for everybody here who has none',
          },
          {
            type: ApplicationCommandOptionType.Subcommand,
            name: 'show',
            description: 'Show which key this server has linked',
          },
          {
            type: ApplicationCommandOptionType.Subcommand,
            name: 'unlink',
            description: 'Forget the key of this server',
          },
        ],
      },
    ],
  },

  run: {
    link: (invocation) => openLinkForm(invocation, ownKey(invocation.options)),

    generate: (invocation) => openGenerateForm(invocation, ownKey(invocation.options)),

    show: (invocation) => invocation.reply.answer(show(invocation, 'member')),

    revoke: (invocation) => invocation.reply.answer(confirmRevoke(invocation)),

    unlink: (invocation) => invocation.reply.answer(unlink(invocation, 'member')),

    'server link': (invocation) => openLinkForm(invocation, keyTarget('guild')),

    'server show': (invocation) => invocation.reply.answer(show(invocation, 'guild')),

    'server unlink': (invocation) => invocation.reply.answer(unlink(invocation, 'guild')),
  },

  buttons: {
    ask: (invocation) => openLinkForm(invocation, fromArgs(invocation.options)),

    cancel: ({ reply, texts }) => reply.update({ content: texts.apiKey.unchanged }),

    revoke: (invocation) => revoke(invocation, undefined),

    token: ({ reply, texts: { apiKey } }) =>
      reply.showModal(secretForm(customId('apikey', 'revoke'), apiKey.revokeForm)),
  },

  forms: {
    link: submitLinkForm,

    generate: submitGenerateForm,

    revoke: (invocation) => revoke(invocation, secretOf(invocation)),
  },

  nextSteps: {
    linkKey: (owner, texts) => linkButton(keyTarget(owner), texts),
  },
});

async function show(invocation: Invocation, kind: KeyOwner['kind']): Promise<Message> {
  const { texts, context } = invocation;
  const owner = keyOwner(kind, invocation);
  const linked = await context.credentials.describe(owner);
  if (!linked) throw noKeyLinked(kind, texts);
  const { tail, username, linkedAt, visibleToModerators } = linked;
  const since = time(new Date(linkedAt), TimestampStyles.LongDate);
  const { shown, shownForServer } = texts.apiKey;
  const content =
    kind === 'guild'
      ? shownForServer(tail, username, since)
      : shown(tail, username, since, visibleToModerators);
  return { content };
}

async function unlink(invocation: Invocation, kind: KeyOwner['kind']): Promise<Message> {
  const { texts, context } = invocation;
  const owner = keyOwner(kind, invocation);
  const existed = await context.credentials.unlink(owner);
  if (!existed) throw noKeyLinked(kind, texts);
  const { unlinked, unlinkedForServer } = texts.apiKey;
  return { content: kind === 'guild' ? unlinkedForServer : unlinked };
}

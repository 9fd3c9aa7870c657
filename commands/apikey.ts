import { ApplicationCommandOptionType } from 'discord.js';
import { customId } from '../src/bot/buttons.ts';
import { defineCommandGroup, EVERYWHERE } from '../src/bot/command.ts';
import { askForToken, generateTyped } from './apikey/generate.ts';
import { askForKey, linkTyped, show, unlink } from './apikey/link.ts';
import { ownScope, scopeOf } from './apikey/owner.ts';
import { askToRevoke, revoke } from './apikey/revoke.ts';
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
    link: (asked) => askForKey(asked, ownScope(asked.options)),

    generate: (asked) => askForToken(asked, ownScope(asked.options)),

    show: (asked) => show(asked, 'own'),

    revoke: askToRevoke,

    unlink: (asked) => unlink(asked, 'own'),

    'server link': (asked) => askForKey(asked, 'server'),

    'server show': (asked) => show(asked, 'server'),

    'server unlink': (asked) => unlink(asked, 'server'),
  },

  buttons: {
    ask: (press) => askForKey(press, scopeOf(press.options)),

    cancel: ({ reply, texts }) => reply.replace({ content: texts.apiKey.kept }),

    revoke: (press) => revoke(press, undefined),

    token: ({ reply, texts: { apiKey } }) =>
      reply.ask(secretForm(customId('apikey', 'revoke'), apiKey.revokeForm)),
  },

  forms: {
    link: linkTyped,

    generate: generateTyped,

    revoke: (sent) => revoke(sent, secretOf(sent)),
  },
});

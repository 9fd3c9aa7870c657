import { ApplicationCommandOptionType } from 'discord.js';
import { accepted } from '../src/bot/accepted.ts';
import { customId } from '../src/bot/buttons.ts';
import { defineCommandGroup, EVERYWHERE } from '../src/bot/command.ts';
import { UserError } from '../src/errors.ts';
import { askForKey, keep, linkTyped, show, unlink } from './apikey/link.ts';
import { scopeOf } from './apikey/owner.ts';
import { askToRevoke, revoke } from './apikey/revoke.ts';
import { secretForm, secretOf } from './apikey/secret-form.ts';

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
        options: [
          {
            type: ApplicationCommandOptionType.Boolean,
            name: 'moderators',
            description: 'Whether moderators may see its credits (never the key); yes unless you say no',
          },
        ],
      },
      {
        type: ApplicationCommandOptionType.Subcommand,
        name: 'generate',
        description: 'Make a new key from your login token, and link it',
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
    link: (asked) => askForKey(asked, asked.options.moderators === false ? 'hidden' : 'own'),

    generate: ({ reply, texts: { apiKey } }) =>
      reply.ask(secretForm(customId('apikey', 'generate'), apiKey.generateForm)),

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

    async generate(sent) {
      await sent.reply.defer({ private: true });
      const { apiKey } = await accepted(
        sent.context.images.generateKey({ token: secretOf(sent) }),
        (options) => new UserError(sent.texts.refusal.badToken, options),
      );
      // Kept at once: a key that was made and is dropped here stays valid at the service, and nobody knows it.
      await keep(sent, 'own', { apiKey, username: undefined });
    },

    revoke: (sent) => revoke(sent, secretOf(sent)),
  },
});

import { ApplicationCommandOptionType, ChannelType } from 'discord.js';
import { defineCommandGroup } from '../src/bot/command.ts';
import { option, subcommand } from '../src/bot/command-payload.ts';
import { customId } from '../src/messages/buttons.ts';
import { openGenerateForm, submitGenerateForm } from './apikey/generate.ts';
import { USES } from './apikey/invocation.ts';
import { createKeyButton, draftOf, kindOf } from './apikey/key-target.ts';
import { linkButton, openLinkForm, submitLinkForm } from './apikey/link.ts';
import { askedOf, confirmRevoke, confirmUnlink, revoke, unlink } from './apikey/revoke.ts';
import { secretForm, secretOf } from './apikey/secret-form.ts';
import { changeTerms, MOST_CREDITS, MOST_PICTURES } from './apikey/server-terms.ts';
import { changeVisibility, showOwn, showServer } from './apikey/show.ts';

export const apikey = defineCommandGroup({
  uses: USES,
  data: {
    name: 'apikey',
    description: 'Keys of the image service, which pay for pictures',
    options: [
      subcommand('link', 'Link a key that pays for your pictures'),
      subcommand('generate', 'Create a key with your login token, and link it'),
      subcommand('show', 'Show which key is linked'),
      subcommand('revoke', 'Make the linked key invalid everywhere'),
      subcommand('unlink', 'Forget the linked key here'),
      {
        type: ApplicationCommandOptionType.SubcommandGroup,
        name: 'server',
        description: 'The key that pays for members without one (Manage Server)',
        options: [
          subcommand('link', 'Link a key that pays for everybody here who has none'),
          subcommand('show', 'Show which key this server has linked'),
          subcommand('unlink', 'Forget the key of this server'),
          subcommand('settings', 'Who may use the key of this server, how much, and when to warn', [
            option.role('role', 'Who may use it; @everyone: everybody'),
            option.integer(
              'member_pictures',
              'How many pictures a day one member may make with it; 0: any number',
              { min_value: 0, max_value: MOST_PICTURES },
            ),
            option.integer(
              'server_pictures',
              'How many pictures a day all members may make with it; 0: any number',
              { min_value: 0, max_value: MOST_PICTURES },
            ),
            option.channel('channel', 'Where to warn, once, when few credits are left', {
              channel_types: [ChannelType.GuildText],
            }),
            option.number('credits', 'Below how many credits to warn; 0: never', {
              min_value: 0,
              max_value: MOST_CREDITS,
            }),
          ]),
        ],
      },
    ],
  },

  run: {
    link: (invocation) => openLinkForm(invocation, 'member'),
    generate: (invocation) => openGenerateForm(invocation),
    show: (invocation) => invocation.reply.answer(showOwn(invocation)),
    revoke: (invocation) => invocation.reply.answer(confirmRevoke(invocation)),
    unlink: (invocation) => invocation.reply.answer(confirmUnlink(invocation, 'member')),
    'server link': (invocation) => openLinkForm(invocation, 'guild'),
    'server show': (invocation) => invocation.reply.answer(showServer(invocation)),
    'server unlink': (invocation) => invocation.reply.answer(confirmUnlink(invocation, 'guild')),
    'server settings': (invocation) => invocation.reply.answer(changeTerms(invocation)),
  },

  buttons: {
    ask: (invocation) => openLinkForm(invocation, kindOf(invocation.options), draftOf(invocation.options)),
    create: (invocation) => openGenerateForm(invocation, draftOf(invocation.options)),
    cancel: ({ reply, texts }) => reply.update({ content: texts.apiKey.unchanged }),
    revoke: (invocation) => revoke(invocation, askedOf(invocation.options), undefined),
    unlink: (invocation) => invocation.reply.replace(unlink(invocation)),
    token: ({ options, reply, texts: { apiKey } }) =>
      reply.showModal(secretForm(customId('apikey', 'revoke', ...options), apiKey.revokeForm)),

    async visible(invocation) {
      await invocation.reply.update(await changeVisibility(invocation));
    },
  },

  forms: {
    link: submitLinkForm,
    generate: submitGenerateForm,
    revoke: (invocation) => revoke(invocation, askedOf(invocation.options.args), secretOf(invocation)),
  },

  nextSteps: {
    linkKey: linkButton,
    createKey: createKeyButton,
  },
});

import { gzipSync } from 'node:zlib';
import { defineCommand } from '../src/bot/command.ts';
import type * as bot from '../src/bot/invocation.ts';
import { button, customId, rowsOf } from '../src/messages/buttons.ts';
import type { Message } from '../src/messages/message.ts';
import { renderEntry } from '../src/moderation/render-entry.ts';
import { whoSees } from '../src/requests/offers.ts';

const USES = ['moderation', 'offers', 'privacy'] as const;
type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;

export const privacy = defineCommand({
  uses: USES,
  data: {
    name: 'privacy',
    description: 'What this bot keeps about you: see it, get it as a file, erase it',
  },

  run: (invocation) => invocation.reply.answer(tell(invocation)),

  buttons: {
    export: (invocation) => invocation.reply.answer(exportAll(invocation)),

    ask: ({ reply, texts: { privacy, cancel } }) =>
      reply.replyEphemeral({
        content: privacy.confirm,
        rows: rowsOf(
          button.danger(privacy.eraseAll, customId('privacy', 'erase')),
          button.secondary(cancel.button, customId('privacy', 'cancel')),
        ),
      }),

    cancel: ({ reply, texts: { privacy } }) => reply.update({ content: privacy.unchanged }),

    async erase({ caller, reply, texts, context }) {
      await reply.deferUpdate();
      const { running } = await context.privacy.keptData.eraseMember(caller.member.id);
      await reply.editReply({ content: texts.privacy.erased(running) });
    },
  },
});

async function tell({ caller, texts, context }: Invocation): Promise<Message> {
  const { retention } = context.privacy;
  const looks = await context.moderation.auditLog.looksAt(caller.member.id);
  const { privacy } = texts;
  const lines = [
    ...privacy.kept(retention.history, retention.waiting),
    ...whoSees(context.offers, texts),
    '',
    looks.length === 0 ? privacy.noLooks : privacy.looks,
    ...looks.map((look) => renderEntry(look, texts)),
  ];
  return {
    // Of a message's content Discord takes half as much.
    embeds: [{ description: lines.join('\n') }],
    rows: rowsOf(
      button.primary(privacy.export, customId('privacy', 'export')),
      button.danger(privacy.erase, customId('privacy', 'ask')),
    ),
  };
}

async function exportAll({ caller, texts, context }: Invocation): Promise<Message> {
  const { member, attachmentLimit, interaction } = caller;
  const exported = {
    member: member.id,
    exportedAt: new Date(interaction.createdAt).toISOString(),
    ...(await context.privacy.keptData.exportMember(member.id)),
  };
  const json = Buffer.from(`${JSON.stringify(exported, null, 2)}\n`);
  const fits = json.length <= attachmentLimit;
  return {
    content: texts.privacy.exported,
    files: [
      {
        name: `darkroom-${member.id}.json${fits ? '' : '.gz'}`,
        bytes: fits ? json : gzipSync(json),
        alt: texts.privacy.file,
      },
    ],
  };
}

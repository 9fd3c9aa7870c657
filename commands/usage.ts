import { DAY_MS } from '@darkroom/time';
import { PermissionFlagsBits, userMention } from 'discord.js';
import { defineCommand } from '../src/bot/command.ts';
import { option } from '../src/bot/command-payload.ts';
import { guildWithRight } from '../src/bot/guild-rights.ts';
import type * as bot from '../src/bot/invocation.ts';
import { formatNumber } from '../src/messages/formats.ts';
import type { Texts } from '../src/messages/locale/en.ts';
import type { Message } from '../src/messages/message.ts';
import { UserError } from '../src/messages/user-error.ts';
import { BARS } from '../src/usage/chart/usage-picture.ts';
import type { MonthUsage } from '../src/usage/month-usage.ts';
import { usageCsv } from '../src/usage/usage-csv.ts';
import { GRAPH } from '../src/usage/usage-row.ts';

const USES = ['usage'] as const;
type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;

/** How many months are offered at most. Older ones can be typed. */
const MONTHS = 12;

export const usage = defineCommand({
  uses: USES,
  data: {
    name: 'usage',
    description: 'Show what this server used in a month (Manage Server)',
    default_member_permissions: `${PermissionFlagsBits.ManageGuild}`,
    options: [
      option.text('month', 'Which month, such as 2026-11. Default: this one', { autocomplete: true }),
    ],
  },

  async run(invocation) {
    const { caller, options, reply, texts } = invocation;
    const guildId = guildWithRight(invocation, 'ManageGuild');
    const month = options.month?.trim() ?? monthsBefore(caller.interaction.createdAt)[0] ?? '';
    if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) throw new UserError(texts.refusal.month);
    await reply.answer(show(invocation, guildId, month));
  },

  autocomplete: (_option, typed, { usage }, { usage: { retentionMs } }) =>
    monthsBefore(Date.now())
      .filter((month) => endOf(month) > Date.now() - retentionMs)
      .map((month) => ({ name: usage.month(new Date(`${month}-01`)), value: month }))
      .filter(({ name, value }) => `${value} ${name}`.toLowerCase().includes(typed.trim().toLowerCase())),
});

async function show(
  { caller, texts, context }: Invocation,
  guildId: string,
  month: string,
): Promise<Message> {
  const { counts, monthChart } = context.usage;
  const used = await counts.month(guildId, month);
  const name = texts.usage.month(new Date(`${month}-01`));
  const keptSince = caller.interaction.createdAt - counts.retentionMs;
  const forgotten =
    Date.parse(`${month}-01`) < keptSince ? [texts.usage.forgotten(counts.retentionMs / DAY_MS)] : [];
  if (used.parts.length === 0) {
    const none = endOf(month) > keptSince ? [texts.usage.none(name)] : [];
    return { content: [...none, ...forgotten].join('\n') };
  }
  const picture = await monthChart
    .draw(used, texts, { now: caller.interaction.createdAt })
    .catch((error: unknown) => {
      context.log.warn({ err: error }, 'the usage of a server could not be drawn');
      return undefined;
    });
  const written = (value: number) => formatNumber(value, texts, 1);
  const { pictures, credits, members, failed } = used.total;
  const figures = texts.usage.figures(written(pictures), written(credits), written(members), written(failed));
  const lines = used.members
    .slice(0, BARS)
    .map(({ memberId, pictures, credits }) =>
      texts.usage.ofMember(
        userMention(memberId),
        written(pictures),
        credits > 0 ? written(credits) : undefined,
      ),
    );
  const unnamed = pictures - used.members.reduce((sum, member) => sum + member.pictures, 0);
  if (unnamed > 0) lines.push(texts.usage.unnamed(written(unnamed)));
  const content = [`**${name}** · ${figures}`, ...lines, `-# ${texts.usage.ownKeys}`, ...forgotten];
  if (!picture) content.push(texts.usage.noPicture);
  if (used.partsLeftOut > 0) content.push(texts.usage.tableEnds(written(used.partsLeftOut)));
  return {
    content: content.join('\n'),
    files: [
      ...(picture
        ? [{ name: `usage-${month}.png`, bytes: picture, alt: altOf(used, name, figures, texts) }]
        : []),
      { name: `usage-${month}.csv`, bytes: Buffer.from(usageCsv(used)), alt: texts.usage.csv(name) },
    ],
  };
}

/** What the picture shows, for whoever cannot see it. */
function altOf({ workflows, days }: MonthUsage, name: string, figures: string, { usage }: Texts): string {
  const [busiest] = days.toSorted((one, other) => other.pictures - one.pictures);
  const named = workflows
    .slice(0, BARS)
    .map(
      ({ workflow, pictures }) => `${usage.workflow(workflow === GRAPH ? undefined : workflow)} ${pictures}`,
    );
  return usage.alt(name, figures, named.join(', '), busiest?.day ?? '', busiest?.pictures ?? 0);
}

/** This month and those before it, `2026-11` first. */
function monthsBefore(now: number): string[] {
  const today = new Date(now);
  return Array.from({ length: MONTHS }, (_, ago) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago)).toISOString().slice(0, 7),
  );
}

/** When the month after it begins, in UTC. */
function endOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number);
}

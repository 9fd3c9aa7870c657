import { defineCommandGroup } from '../src/bot/command.ts';
import { option, subcommand } from '../src/bot/command-payload.ts';
import { keptGuildWithRight } from '../src/bot/guild-rights.ts';
import type * as bot from '../src/bot/invocation.ts';
import { readGraphFile } from '../src/bot/read-graph-file.ts';
import { recordAction } from '../src/bot/record-action.ts';
import { describeGraph } from '../src/graphs/describe-graph.ts';
import { GRAPH_NAME_CHARACTERS, graphName, MOST_GRAPHS, suggestGraphs } from '../src/graphs/kept-graphs.ts';
import type { AttachedFile } from '../src/jobs/input.ts';
import { foreignText } from '../src/messages/foreign-text.ts';
import { graphLines } from '../src/messages/graph-texts.ts';
import type { Message } from '../src/messages/message.ts';
import { relativeTime } from '../src/messages/relative-time.ts';
import { UserError } from '../src/messages/user-error.ts';

const USES = ['guilds', 'moderation', 'requests'] as const;
type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;

export const graph = defineCommandGroup({
  uses: USES,
  data: {
    name: 'graph',
    description: 'ComfyUI graphs that this server keeps for /imagine',
    options: [
      subcommand('save', 'Keep a graph under a name (Manage Server)', [
        option.text('name', 'What members pick; an existing one is replaced', {
          required: true,
          max_length: GRAPH_NAME_CHARACTERS,
        }),
        option.file('file', 'ComfyUI graph in API format (.json)', { required: true }),
      ]),
      subcommand('list', 'Show the graphs of this server', [
        option.text('name', 'Show what is in this one', { autocomplete: true }),
      ]),
      subcommand('remove', 'Remove a graph (Manage Server)', [
        option.text('name', 'Which one', { required: true, autocomplete: true }),
      ]),
    ],
  },

  run: {
    save: (invocation) => invocation.reply.answer(save(invocation)),
    list: (invocation) => invocation.reply.answer(list(invocation)),
    remove: (invocation) => invocation.reply.answer(remove(invocation)),
  },

  autocomplete: (_option, typed, _texts, asked) => suggestGraphs(typed, asked),
});

async function save(invocation: Invocation<{ name: string; file: AttachedFile }>): Promise<Message> {
  const { options, texts, context } = invocation;
  const guildId = await keptGuildWithRight(invocation, 'ManageGuild');
  const name = graphName(options.name);
  if (name === undefined) throw new UserError(texts.graph.badName);
  const read = await readGraphFile(options.file, invocation);
  const result = await context.guilds.keptGraphs.save(guildId, { ...read, name });
  if (result === 'full') throw new UserError(texts.graph.full(MOST_GRAPHS));
  await recordAction(invocation, guildId, { event: 'graph-saved', graph: name });
  const lines = graphLines(name, describeGraph(read.nodes), texts);
  return { content: [texts.graph[result], ...lines].join('\n') };
}

async function list(invocation: Invocation<{ name?: string | undefined }>): Promise<Message> {
  const { options, caller, texts, context } = invocation;
  if (caller.guildId === null) throw new UserError(texts.refusal.serverOnly);
  if (options.name !== undefined) {
    const found = await context.guilds.keptGraphs.find(caller.guildId, options.name);
    if (!found) throw new UserError(texts.graph.notKept(foreignText(options.name)));
    return { content: graphLines(found.name, describeGraph(found.nodes), texts).join('\n') };
  }
  const kept = await context.guilds.keptGraphs.list(caller.guildId);
  if (kept.length === 0) return { content: texts.graph.none };
  const lines = kept.map(({ name, nodes, at }) =>
    texts.graph.line(foreignText(name), nodes, relativeTime(at)),
  );
  return { embeds: [{ description: [...lines, `-# ${texts.graph.contents}`].join('\n') }] };
}

async function remove(invocation: Invocation<{ name: string }>): Promise<Message> {
  const { options, texts, context } = invocation;
  const guildId = await keptGuildWithRight(invocation, 'ManageGuild');
  const removed = await context.guilds.keptGraphs.remove(guildId, options.name);
  if (removed === undefined) throw new UserError(texts.graph.notKept(foreignText(options.name)));
  await recordAction(invocation, guildId, { event: 'graph-removed', graph: removed });
  return { content: texts.graph.removed(foreignText(removed)) };
}

import { createOneByOne } from '@darkroom/time';
import { z } from 'zod';
import type { Store } from '../storage/store.ts';
import { type NamedGraph, namedGraph } from './named-graph.ts';

/** How many graphs a server keeps: as many as Discord suggests at once. */
export const MOST_GRAPHS = 25;

export const GRAPH_NAME_CHARACTERS = 40;

/** What begins a name, and what it may hold: words, as they are typed into an option. */
const NAME = new RegExp(`^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,${GRAPH_NAME_CHARACTERS - 1}}$`, 'u');

/** A graph that a server keeps, without its nodes. */
const keptGraph = z.object({
  name: z.string(),
  nodes: z.int(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});

/**
 * What whoever manages a server has kept there by name, for its members to draw with. Upper and lower case are the
 * same.
 */
export type KeptGraphs = ReturnType<typeof createKeptGraphs>;

/** A name as it is kept; undefined where a graph cannot be called that. */
export function graphName(typed: string): string | undefined {
  const name = typed.normalize('NFC').trim().replace(/\s+/g, ' ');
  return NAME.test(name) ? name : undefined;
}

/** The graphs of a server whose names hold what is typed, as they are suggested. */
export async function suggestGraphs(
  typed: string,
  { guildId, keptGraphs }: { guildId: string | null; keptGraphs: Pick<KeptGraphs, 'list'> },
): Promise<{ name: string; value: string }[]> {
  const kept = guildId === null ? [] : await keptGraphs.list(guildId);
  const query = typed.trim().toLowerCase();
  return kept
    .filter(({ name }) => name.toLowerCase().includes(query))
    .map(({ name }) => ({ name, value: name }));
}

export function createKeptGraphs({ store, clock }: { store: Store; clock: { now(): number } }) {
  // Two rows each, `GUILD:NAME`: what is listed is small, and the nodes lie apart.
  const names = store.collection('graph-names', keptGraph);
  const graphs = store.collection('graphs', namedGraph, { pictures: true });

  /** A server's interactions come to one process. */
  const changing = createOneByOne<string>();

  const idOf = (guildId: string, name: string) => `${guildId}:${name.toLowerCase()}`;
  const list = async (guildId: string) => names.list({ prefix: `${guildId}:` });

  return {
    /** By their names. */
    list: async (guildId: string) => (await list(guildId)).map(({ value }) => value),

    async find(guildId: string, typed: string): Promise<NamedGraph | undefined> {
      const name = graphName(typed);
      return name === undefined ? undefined : graphs.get(idOf(guildId, name));
    },

    /** Under its name, in place of another one there. `full`: there are as many as a server keeps. */
    save: (guildId: string, graph: NamedGraph): Promise<'saved' | 'replaced' | 'full'> =>
      changing.hold(guildId, async () => {
        const id = idOf(guildId, graph.name);
        const there = await list(guildId);
        const isThere = there.some((row) => row.id === id);
        if (!isThere && there.length >= MOST_GRAPHS) return 'full';
        // The nodes first: what is listed can be drawn.
        await graphs.set(id, graph);
        await names.set(id, { name: graph.name, nodes: Object.keys(graph.nodes).length, at: clock.now() });
        return isThere ? 'replaced' : 'saved';
      }),

    /** The name that it had; undefined where there was none. */
    remove: (guildId: string, typed: string): Promise<string | undefined> =>
      changing.hold(guildId, async () => {
        const id = idOf(guildId, graphName(typed) ?? '');
        const there = await names.get(id);
        await names.delete(id);
        await graphs.delete(id);
        return there?.name;
      }),

    async guildIds(): Promise<string[]> {
      const ids = (await names.ids()).map((id) => id.slice(0, id.indexOf(':')));
      return [...new Set(ids)];
    },

    async purgeGuild(guildId: string): Promise<void> {
      await graphs.deleteAll(`${guildId}:`);
      await names.deleteAll(`${guildId}:`);
    },
  };
}

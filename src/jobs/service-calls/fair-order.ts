/** What waits for a turn, and on whose behalf. */
export interface Waiting {
  /** Or a member in direct messages. */
  guild: string;
  member: string;
  /** What one member asked for first goes first. Milliseconds since the epoch. */
  askedAt: number;
}

/** Each with its members, whose turn is next first; each of these with what it waits for. */
type Guilds<Entry> = Map<string, Map<string, Entry[]>>;

/** Whose turn is next: servers take turns, in each its members, and what one member asked for goes by its age. */
export function createFairOrder<Entry extends Waiting>() {
  const guilds: Guilds<Entry> = new Map();
  let size = 0;

  return {
    get size(): number {
      return size;
    },

    add(entry: Entry): void {
      insert(guilds, entry);
      size += 1;
    },

    take(): Entry | undefined {
      const entry = takeFrom(guilds);
      if (entry) size -= 1;
      return entry;
    },

    /** Puts back what was taken and came to nothing: it keeps its turn. */
    putBack(entry: Entry): void {
      insert(guilds, entry);
      size += 1;
      const members = guilds.get(entry.guild);
      if (members) toFront(members, entry.member);
      toFront(guilds, entry.guild);
    },

    delete(entry: Entry): boolean {
      const members = guilds.get(entry.guild);
      const queue = members?.get(entry.member) ?? [];
      const index = queue.indexOf(entry);
      if (index < 0) return false;
      queue.splice(index, 1);
      if (queue.length === 0) members?.delete(entry.member);
      if (members?.size === 0) guilds.delete(entry.guild);
      size -= 1;
      return true;
    },

    /** All of them, in the order in which they are taken if nothing comes or goes. */
    inOrder(): Entry[] {
      const copy: Guilds<Entry> = new Map(
        [...guilds].map(([guild, members]) => [
          guild,
          new Map([...members].map(([member, queue]) => [member, [...queue]])),
        ]),
      );
      return Array.from({ length: size }, () => takeFrom(copy)).filter((entry) => entry !== undefined);
    },
  };
}

function insert<Entry extends Waiting>(guilds: Guilds<Entry>, entry: Entry): void {
  const members = guilds.get(entry.guild) ?? new Map<string, Entry[]>();
  guilds.set(entry.guild, members);
  const queue = members.get(entry.member) ?? [];
  members.set(entry.member, queue);
  queue.splice(queue.findLastIndex(({ askedAt }) => askedAt <= entry.askedAt) + 1, 0, entry);
}

/** Who has had a turn goes to the end: the server among the servers, the member among its members. */
function takeFrom<Entry extends Waiting>(guilds: Guilds<Entry>): Entry | undefined {
  const [[guild, members] = []] = guilds;
  const [[member, queue] = []] = members ?? [];
  if (!guild || !members || !member || !queue) return undefined;
  const entry = queue.shift();
  members.delete(member);
  if (queue.length > 0) members.set(member, queue);
  guilds.delete(guild);
  if (members.size > 0) guilds.set(guild, members);
  return entry;
}

function toFront<Value>(map: Map<string, Value>, key: string): void {
  const others = [...map].filter(([other]) => other !== key);
  for (const [other, value] of others) {
    map.delete(other);
    map.set(other, value);
  }
}

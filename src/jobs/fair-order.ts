/** What waits for a turn, and on whose behalf. */
export interface Waiting {
  /** A guild, or a member in direct messages. */
  server: string;
  member: string;
  /** What one member asked for first goes first. Milliseconds since the epoch. */
  askedAt: number;
}

/** Whose turn is next: servers take turns, in each server its members, and what one member asked for goes by its age. */
export interface FairOrder<Entry extends Waiting> {
  readonly size: number;
  add(entry: Entry): void;
  /** Takes out whose turn it is. */
  take(): Entry | undefined;
  /** Puts back what was taken and came to nothing: it keeps its turn. */
  putBack(entry: Entry): void;
  /** Says whether it was there. */
  delete(entry: Entry): boolean;
  /** All of them, in the order in which they are taken if nothing comes or goes. */
  inOrder(): Entry[];
}

/** Each with its members, whose turn is next first; each of these with what it waits for. */
type Servers<Entry> = Map<string, Map<string, Entry[]>>;

export function createFairOrder<Entry extends Waiting>(): FairOrder<Entry> {
  const servers: Servers<Entry> = new Map();
  let size = 0;

  return {
    get size() {
      return size;
    },

    add(entry) {
      insert(servers, entry);
      size += 1;
    },

    take() {
      const entry = takeFrom(servers);
      if (entry) size -= 1;
      return entry;
    },

    putBack(entry) {
      insert(servers, entry);
      size += 1;
      const members = servers.get(entry.server);
      if (members) toFront(members, entry.member);
      toFront(servers, entry.server);
    },

    delete(entry) {
      const members = servers.get(entry.server);
      const queue = members?.get(entry.member) ?? [];
      const index = queue.indexOf(entry);
      if (index < 0) return false;
      queue.splice(index, 1);
      if (queue.length === 0) members?.delete(entry.member);
      if (members?.size === 0) servers.delete(entry.server);
      size -= 1;
      return true;
    },

    inOrder() {
      const copy: Servers<Entry> = new Map(
        [...servers].map(([server, members]) => [
          server,
          new Map([...members].map(([member, queue]) => [member, [...queue]])),
        ]),
      );
      return Array.from({ length: size }, () => takeFrom(copy)).filter((entry) => entry !== undefined);
    },
  };
}

function insert<Entry extends Waiting>(servers: Servers<Entry>, entry: Entry): void {
  const members = servers.get(entry.server) ?? new Map<string, Entry[]>();
  servers.set(entry.server, members);
  const queue = members.get(entry.member) ?? [];
  members.set(entry.member, queue);
  queue.splice(queue.findLastIndex(({ askedAt }) => askedAt <= entry.askedAt) + 1, 0, entry);
}

/** Who has had a turn goes to the end: the server among the servers, the member among its members. */
function takeFrom<Entry extends Waiting>(servers: Servers<Entry>): Entry | undefined {
  const [[server, members] = []] = servers;
  const [[member, queue] = []] = members ?? [];
  if (!server || !members || !member || !queue) return undefined;
  const entry = queue.shift();
  members.delete(member);
  if (queue.length > 0) members.set(member, queue);
  servers.delete(server);
  if (members.size > 0) servers.set(server, members);
  return entry;
}

function toFront<Value>(map: Map<string, Value>, key: string): void {
  const others = [...map].filter(([other]) => other !== key);
  for (const [other, value] of others) {
    map.delete(other);
    map.set(other, value);
  }
}

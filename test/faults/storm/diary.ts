/** What one storm has seen. */
export interface Diary {
  /** `about`: whatever it concerns by id; nothing where it concerns everybody. `at`: milliseconds since the epoch; now unless given. */
  note(who: string, what: string, about?: readonly string[], at?: number): void;
  /** What concerns one of these ids, and everybody at about that time, in lines that tell seconds since the storm began. */
  trail(ids: readonly string[]): string[];
}

interface Note {
  at: number;
  who: string;
  what: string;
  about: ReadonlySet<string> | undefined;
}

/** Snowflakes and UUIDs: everything by which people, messages, jobs, tasks and submissions are known. */
const ID = /\b\d{17,20}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;

/** What concerns everybody is told where it is so near to what a trail is about, in milliseconds. */
const NEAR_MS = 2_000;

export const idsIn = (...texts: readonly string[]): string[] => texts.flatMap((text) => text.match(ID) ?? []);

export function createDiary(): Diary {
  const began = Date.now();
  const notes: Note[] = [];

  return {
    note(who, what, about, at = Date.now()) {
      notes.push({ at, who, what, about: about && new Set(about) });
    },

    trail(ids) {
      const inOrder = notes.toSorted((one, other) => one.at - other.at);
      const own = inOrder.filter(({ about }) => about !== undefined && ids.some((id) => about.has(id)));
      const near = ({ at }: Note) => own.some((note) => Math.abs(note.at - at) < NEAR_MS);
      const told = inOrder.filter((note) => (note.about === undefined ? near(note) : own.includes(note)));
      return folded(told.map(({ at, who, what }) => ({ at: at - began, text: `${who.padEnd(8)} ${what}` })));
    },
  };
}

/** What repeats itself word for word stands in one line. */
function folded(lines: readonly { at: number; text: string }[]): string[] {
  const beginnings = lines.flatMap(({ text }, index) => (text === lines[index - 1]?.text ? [] : [index]));
  return beginnings.map((index, nth) => {
    const { at, text } = lines[index] ?? { at: 0, text: '' };
    const times = (beginnings[nth + 1] ?? lines.length) - index;
    return `${(at / 1_000).toFixed(3).padStart(8)} s  ${text}${times > 1 ? ` (${times} times)` : ''}`;
  });
}

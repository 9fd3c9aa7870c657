import { createThreads, ThreadsFullError } from '@darkroom/process/threads';
import { createOneByOne, isTimeout, withTimeout } from '@darkroom/time';
import { type GraphProblem, parseGraph } from '../../graphs/parse-graph.ts';
import { plain } from '../../guilds/read-letters.ts';
import { createInspect, type Inspected, type Inspection } from './inspect.ts';

/** Workers run compiled code, as Node cannot load TypeScript: from the sources, that is in dist/. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/src/requests/inspection/worker.js' : './worker.js',
  import.meta.url,
).href;
const IDLE_MS = 30_000;
/** So many read at once, so that one member's longest text keeps nobody else's waiting. */
const THREADS = 2;
/** Texts that are read or wait: of everybody, and of one member. */
const MOST = 32;
const MOST_OF_MEMBER = 4;
/** For the turn of a text and its reading: Discord waits three seconds for a first answer. */
const TIMEOUT_MS = 2_000;
/** Of a file, of which nobody is told before an answer was promised. */
const FILE_TIMEOUT_MS = 20_000;

/**
 * What is read at once. Measured with the most hostile texts: a character of a graph takes 0.6 µs, and less than 0.06 µs
 * for every 32 letters of blocked words; to compile these takes as long as 2,000 characters. So this is at most 10 ms.
 * A text with escapes is read a second time, without them.
 */
const AT_ONCE = 160_000;
const WITHOUT_WORDS = 10;
const CHARACTERS_OF_WORDS = 2_000;
/** Of a file, in bytes. */
const FILE_AT_ONCE = AT_ONCE / WITHOUT_WORDS;

/** Reads what members send: what is short at once, the rest in threads, in turn for each member. */
export type Inspector = ReturnType<typeof createInspector>;

/** `timeoutMs`: how long a text may take with its turn, in real milliseconds; two seconds unless given. */
export function createInspector({ timeoutMs = TIMEOUT_MS } = {}) {
  const inspect = createInspect();
  const threads = createThreads<{ inspect: typeof inspect; parseGraph: typeof parseGraph }>({
    worker: WORKER,
    maxThreads: THREADS,
    idleMs: IDLE_MS,
    most: MOST,
  });
  const readings = createOneByOne<string>();

  /** One text of a member after the other. */
  async function readInTurn<Result>(
    memberId: string,
    timeoutMs: number,
    read: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | { problem: GraphProblem }> {
    if (readings.asking(memberId) >= MOST_OF_MEMBER) return { problem: { kind: 'busy' } };
    try {
      return await withTimeout(timeoutMs, (signal) =>
        readings.hold(memberId, () => read(signal), { signal }),
      );
    } catch (error) {
      if (isTimeout(error)) return { problem: { kind: 'slow' } };
      if (error instanceof ThreadsFullError) return { problem: { kind: 'busy' } };
      throw error;
    }
  }

  return {
    inspect: async (memberId: string, inspection: Inspection): Promise<Inspected> => ({
      graph: undefined,
      ...(weightOf(inspection) <= AT_ONCE
        ? inspect(inspection)
        : await readInTurn(memberId, timeoutMs, (signal) => threads.run('inspect', inspection, { signal }))),
    }),

    parseGraph: async (memberId: string, file: Uint8Array): Promise<ReturnType<typeof parseGraph>> =>
      file.byteLength <= FILE_AT_ONCE
        ? parseGraph(file)
        : readInTurn(memberId, FILE_TIMEOUT_MS, (signal) => threads.run('parseGraph', file, { signal })),

    close: threads.close,
  };
}

function weightOf({ submission, graph, tasks, blockedWords }: Inspection): number {
  const own =
    weightOfText(JSON.stringify(submission)) + weightOfText(graph ? JSON.stringify(graph.nodes) : '');
  const characters = tasks.reduce((sum, { prompt = '' }) => sum + own + weightOfText(prompt), 0);
  const letters = blockedWords.reduce((sum, word) => sum + plain(word).length + 2, 0);
  return (characters + CHARACTERS_OF_WORDS) * (WITHOUT_WORDS + letters / 32);
}

const weightOfText = (text: string): number => text.length * (text.includes('\\') ? 2 : 1);

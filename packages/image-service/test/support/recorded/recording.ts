import { readFile, writeFile } from 'node:fs/promises';
import type { Answers } from './record-answers.ts';
import { shapeOf } from './shape.ts';

/** What a real engine answered, and which one it was. */
interface Recording {
  version: string;
  answers: Answers;
}

/** Of ComfyUI one with the jobs API, and one of before. */
type RecordedEngine = 'comfyui' | 'comfyui-without-jobs' | 'sdcpp';

const fileOf = (engine: RecordedEngine) => new URL(`${engine}.json`, import.meta.url);

export const readRecording = async (engine: RecordedEngine): Promise<Recording> =>
  JSON.parse(await readFile(fileOf(engine), 'utf8'));

/** A test, or several in a suite, as vitest tells of them. */
interface Ran {
  tasks?: readonly Ran[];
  result?: { state: string } | undefined;
}

/** Whether every test has run and passed. */
export const hasPassed = ({ tasks, result }: Ran): boolean =>
  tasks ? tasks.every(hasPassed) : result?.state === 'pass';

/**
 * Keeps what a real engine answered to all tests of `suite`, in place of what an earlier one did, where
 * `RECORD_ANSWERS` is set. Rejects where one of them has not run and passed: its calls would be missing.
 */
export async function writeRecording(
  engine: RecordedEngine,
  suite: Ran,
  read: () => Promise<Recording>,
): Promise<void> {
  if (!process.env.RECORD_ANSWERS) return;
  if (!hasPassed(suite))
    throw new Error(
      `RECORD_ANSWERS: ${engine}.json stays as it is, because not every test has run and passed`,
    );
  const { version, answers } = await read();
  const calls = Object.entries(answers).sort(([one], [other]) => (one < other ? -1 : 1));
  const recording = { version, answers: Object.fromEntries(calls) };
  await writeFile(fileOf(engine), `${JSON.stringify(recording, null, 2)}\n`);
}

/** What a stand-in said, by call, place and type, that the real engine has never said. */
export const unheardOf = (said: Answers, { answers }: Recording): string[] =>
  Object.entries(said).flatMap(([call, values]) => {
    const known = new Set(answers[call]?.flatMap((value) => shapeOf(value)));
    const shapes = new Set(values.flatMap((value) => shapeOf(value)));
    return [...shapes].filter((shape) => !known.has(shape)).map((shape) => `${call}:${shape}`);
  });

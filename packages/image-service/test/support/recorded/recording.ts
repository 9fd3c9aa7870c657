import { readFile, writeFile } from 'node:fs/promises';
import type { Answers } from './record-answers.ts';
import { shapeOf } from './shape.ts';

/** What a real engine answered, and which one it was. */
interface Recording {
  version: string;
  answers: Answers;
}

type RecordedEngine = 'comfyui' | 'sdcpp';

const fileOf = (engine: RecordedEngine) => new URL(`${engine}.json`, import.meta.url);

export const readRecording = async (engine: RecordedEngine): Promise<Recording> =>
  JSON.parse(await readFile(fileOf(engine), 'utf8'));

/** Keeps what a real engine answered, in place of what an earlier one did, where `RECORD_ANSWERS` is set. */
export async function writeRecording(engine: RecordedEngine, { version, answers }: Recording): Promise<void> {
  if (!process.env.RECORD_ANSWERS) return;
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

import type { Job } from '../jobs/job.ts';
import type { Texts } from '../messages/locale/en.ts';
import { truncate, verbatim } from '../messages/message.ts';

const HEADLINE_CHARACTERS = 200;

/** How much of a prompt one likes to read under a picture, and of each where they differ. */
const EXCERPT = { characters: 300, lines: 5 };
const SHORT_EXCERPT = { characters: 120, lines: 2 };

/**
 * The prompt as it was typed, of one task where it has its own; of a graph that takes none, or got none, what the
 * graph is called; of a picture that was made without words, that it was.
 */
export function promptText({ submission, graph, tasks }: Job, texts: Texts, task?: number): string {
  if (graph && !graph.uses.includes('prompt')) return graph.name;
  const prompt = (task === undefined ? undefined : tasks[task]?.prompt) ?? submission.prompt;
  if (typeof prompt !== 'string') return texts.picture.graphPrompt;
  if (prompt !== '') return prompt;
  return graph ? graph.name : texts.source.noWords;
}

/** The prompt in one line of at most `limit` characters, its markdown shown as it was typed. */
export const headline = (job: Job, texts: Texts, limit = HEADLINE_CHARACTERS): string =>
  truncate(verbatim(promptText(job, texts).replace(/\s+/g, ' ')), limit);

/** The prompts of those tasks of a job, as far as one likes to read them, and whether anything was left out. */
export function excerptPrompts(
  job: Job,
  tasks: readonly number[],
  texts: Texts,
): { text: string; isCut: boolean } {
  const prompts = tasks.map((task) => promptText(job, texts, task));
  const differ = new Set(prompts).size > 1;
  const excerpts = (differ ? prompts : prompts.slice(0, 1)).map((prompt) =>
    excerpt(prompt, differ ? SHORT_EXCERPT : EXCERPT),
  );
  const lines = excerpts.map(({ text }, index) =>
    differ ? `**${index + 1}** ${verbatim(text)}` : verbatim(text),
  );
  return { text: lines.join('\n'), isCut: excerpts.some(({ isCut }) => isCut) };
}

/** The beginning of a text, cut between words where there are any. */
function excerpt(
  text: string,
  { characters, lines }: { characters: number; lines: number },
): { text: string; isCut: boolean } {
  const trimmed = text.trim();
  const few = trimmed.split('\n').slice(0, lines).join('\n').trimEnd();
  if (few === trimmed && few.length <= characters) return { text: few, isCut: false };
  const kept = truncate(few, characters).replace(/…$/, '');
  const whole = few.length > characters ? kept.replace(/\s+\S{0,30}$/, '') : kept;
  return { text: `${whole}…`, isCut: true };
}

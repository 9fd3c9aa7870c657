import { TimestampStyles, time, userMention } from 'discord.js';
import { failureLines } from '../../src/delivery/explain-failure.ts';
import { remediesOf } from '../../src/delivery/outcome-buttons.ts';
import { lineOf } from '../../src/delivery/pictures/lineage.ts';
import { duration, jobProgressOf, progressLine } from '../../src/delivery/progress/render-progress.ts';
import { sizeOfResult } from '../../src/jobs/input.ts';
import { completedTasks, isOver, type Job } from '../../src/jobs/job.ts';
import { costOf } from '../../src/jobs/job-task.ts';
import { makesOthers } from '../../src/jobs/task-submission.ts';
import { rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { MESSAGE_LIMITS, type Message, truncate, verbatim } from '../../src/messages/message.ts';
import { formatFlags } from '../../src/requests/flags.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import type { Invocation } from './invocation.ts';
import { optionsOf } from './options-of-job.ts';

/** Of a field: the whole of what was typed stands in the command. */
const FIELD_CHARACTERS = 300;

/** Of the embed, left to the commands. */
const COMMAND_CHARACTERS = 3_500;

/**
 * Everything that made the pictures of a job, or the one of `task`, and how far it is; what concerns credits is told
 * to their member only.
 */
export async function detailsOf(invocation: Invocation, job: Job, task?: number): Promise<Message> {
  const { caller, texts, context } = invocation;
  const line = await lineOf(job, caller, texts, context.pictures.tracker.find);
  const isOwn = caller.member.id === job.member.id;
  const shown = pictureTasks(job);
  const tasks = task === undefined ? shown : [task];
  const commands = commandsOf(job, tasks);
  const fits = commands.join('').length <= COMMAND_CHARACTERS && !commands.some((one) => one.includes('```'));
  const description = commands
    .map((line, place) => `${commands.length > 1 ? `**${place + 1}**` : ''}\`\`\`\n${line}\n\`\`\``)
    .join('\n');
  return {
    content: (task === undefined
      ? [...progressOfJob(invocation, job), ...failureLines(job, { forAll: !isOwn }, texts)]
      : [texts.actions.nth(shown.indexOf(task) + 1)]
    ).join('\n'),
    rows: isOwn ? rowsOf(...remediesOf(job, texts, context.nextSteps)) : [],
    embeds: [
      {
        title: texts.actions.details,
        ...(fits && { description }),
        fields: fieldsOf(job, tasks, { isOwn, line }, texts).flatMap(([name, value]) =>
          value?.trim() ? [{ name, value: truncate(value, MESSAGE_LIMITS.embedField), inline: true }] : [],
        ),
      },
    ],
    files: fits
      ? []
      : [{ name: 'imagine.txt', bytes: Buffer.from(commands.join('\n\n')), alt: texts.actions.commandFile }],
  };
}

/** Of one that is under way. */
function progressOfJob({ caller, texts, context }: Invocation, job: Job): string[] {
  if (isOver(job)) return [];
  const progress = job.state === 'waiting' ? undefined : context.pictures.tracker.progressOf(job.id);
  return [
    progress
      ? progressLine(job, jobProgressOf(job, progress, caller.interaction.createdAt), texts)
      : texts.jobs.state[job.state],
  ];
}

function fieldsOf(
  job: Job,
  tasks: readonly number[],
  { isOwn, line }: { isOwn: boolean; line: string | undefined },
  texts: Texts,
): [name: string, value: string | undefined][] {
  const { picture, actions, progress } = texts;
  const { workflow, steps, cfg, model, strength, negative_prompt: without } = job.submission;
  const size = sizeOfResult(job);
  const seeds = tasks.map((task, place, all) =>
    all.length > 1 ? `${place + 1}: \`${job.tasks[task]?.seed}\`` : `\`${job.tasks[task]?.seed}\``,
  );
  const foreign = (text: string | undefined) =>
    text === undefined ? undefined : verbatim(truncate(text.trim(), FIELD_CHARACTERS));
  const { createdAt, endedAt } = job;
  const isPicked = tasks.length < pictureTasks(job).length;
  const paid = isPicked ? tasks.flatMap((task) => job.tasks[task] ?? []) : job.tasks;
  const cost = isOwn ? costOf(paid) : undefined;
  return [
    [picture.size, size && `${size.width} × ${size.height}`],
    [seeds.length > 1 ? picture.seeds : picture.seed, makesOthers(job) ? seeds.join('\n') : undefined],
    [picture.workflow, workflow],
    [picture.graph, foreign(job.graph?.name)],
    [picture.steps, steps?.toString()],
    [picture.cfg, cfg?.toString()],
    [picture.strength, strength?.toString()],
    [picture.model, foreign(model)],
    [picture.negativePrompt, foreign(without)],
    [actions.askedBy, userMention(job.member.id)],
    [actions.asked, time(new Date(createdAt), TimestampStyles.ShortDateTime)],
    [actions.took, endedAt === undefined ? undefined : duration((endedAt - createdAt) / 1_000, progress)],
    [actions.cost, cost === undefined ? undefined : actions.credits(cost)],
    [actions.from, line],
  ];
}

/**
 * What makes each picture again, in one line where their seeds count up. A graph is a file, as a picture is, which a
 * line cannot hold.
 */
function commandsOf(job: Job, tasks: readonly number[]): string[] {
  if (job.graph || job.input || typeof job.submission.prompt !== 'string') return [];
  const asked = tasks.map((task) => optionsOf(job, { task }));
  const [first] = asked;
  const { seed: firstSeed = 0 } = first ?? {};
  const countsUp = asked.every(
    ({ prompt, seed }, place) => prompt === first?.prompt && seed === firstSeed + place,
  );
  const lines = countsUp && first && asked.length > 1 ? [{ ...first, count: asked.length }] : asked;
  return lines.map((line) => commandLine({ ...line, private: line.private || undefined }));
}

/** Those that came out; all of them where none did. */
function pictureTasks(job: Job): number[] {
  const completed = completedTasks(job);
  return completed.length > 0 ? completed : job.tasks.map((_, index) => index);
}

/** What can be given to `/imagine`, in the order in which people read it. */
const NAMES = [
  'prompt',
  'negative_prompt',
  'size',
  'workflow',
  'steps',
  'seed',
  'cfg',
  'model',
  'count',
  'private',
  'spoiler',
] as const;

/** The command as it can be pasted into Discord, in one line: `/imagine prompt:a red fox size:512x768 seed:7`. */
export const commandLine = ({ variation_of, prompt, ...options }: ImagineOptions): string => {
  // It has no option of its own.
  const flags = variation_of === undefined ? '' : ` ${formatFlags({ variation_of })}`;
  const given = { ...options, prompt: `${prompt}${flags}` };
  return [
    '/imagine',
    ...NAMES.flatMap((name) => {
      const value = given[name];
      return value === undefined ? [] : [`${name}:${`${value}`.replace(/\s+/g, ' ').trim()}`];
    }),
  ].join(' ');
};

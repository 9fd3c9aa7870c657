import { TimestampStyles, time } from 'discord.js';
import type * as bot from '../../src/bot/invocation.ts';
import { canBeShownAgain } from '../../src/delivery/job-links.ts';
import { mayDiffer } from '../../src/delivery/outcome-buttons.ts';
import { lineOf } from '../../src/delivery/pictures/lineage.ts';
import type { Thumbnail } from '../../src/delivery/pictures/thumbnails.ts';
import { isOver, type Job } from '../../src/jobs/job.ts';
import type { JobCursor, JobPage, JobPageRequest } from '../../src/jobs/job-pages.ts';
import { hasEnded } from '../../src/jobs/job-task.ts';
import { type Button, button, customId, rowsOf } from '../../src/messages/buttons.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import type { OfferedSteps } from '../../src/messages/next-steps.ts';
import { EVERYTHING, type Listing, pageId, requestOf, WORDS_CHARACTERS } from './listing.ts';
import { renderJob } from './render-job.ts';

export const USES = ['moderation', 'pictures'] as const;

export type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;

/** A page of a member's jobs, and how they came to it. */
interface Page extends JobPage {
  listing: Listing;
  isFirst: boolean;
  /** What each was made from, by its id. */
  lines: ReadonlyMap<string, string | undefined>;
}

/** Answers with a page of the caller's jobs, by a message or in place of one. Pictures follow when they are found. */
export async function showPage(
  invocation: Invocation,
  { listing, from, by }: { listing: Listing; from?: JobPageRequest['from']; by: 'answer' | 'replace' },
): Promise<void> {
  const { caller, reply, texts, context } = invocation;
  const { tracker, thumbnails } = context.pictures;
  const memberId = caller.member.id;
  const turned = thumbnails.turn(memberId);

  async function read(): Promise<Page> {
    await turned.before;
    const page = await tracker.page(memberId, requestOf(listing, from));
    const lines = page.jobs.map(
      async (job) => [job.id, await lineOf(job, caller, texts, tracker.find)] as const,
    );
    return { ...page, listing, isFirst: page.newer === undefined, lines: new Map(await Promise.all(lines)) };
  }
  const reading = read();
  await reply[by](reading.then((page) => render(invocation, page)));
  const page = await reading;
  turned.add(page.jobs, (found) => reply.editReply(render(invocation, page, found)));
}

function render(
  { caller, texts, context }: Invocation,
  page: Page,
  thumbnails?: ReadonlyMap<string, Thumbnail>,
): Message {
  const now = caller.interaction.createdAt;
  const known = (job: Job) => ({
    progress: context.pictures.tracker.progressOf(job.id),
    thumbnail: thumbnails?.get(job.id),
    line: page.lines.get(job.id),
    now,
  });
  return {
    content: headingOf(page, texts),
    embeds: page.jobs.map((job, index) => renderJob(job, index + 1, known(job), texts)),
    rows: [
      ...rowsOf(...page.jobs.map((job, index) => actionOf(job, index + 1, now, texts, context.nextSteps))),
      ...rowsOf(...navigation(page, texts)),
    ],
  };
}

function headingOf({ listing: { only, words }, jobs, isFirst, lookedUntil }: Page, { jobs: texts }: Texts) {
  const isAll = only === 'all' && words === '';
  if (isAll && isFirst && jobs.length === 0) return texts.none;
  const quoted = words === '' ? undefined : texts.quoted(foreignText(words, WORDS_CHARACTERS));
  const heading = [texts.heading, ...(only === 'all' ? [] : [texts.only[only]]), ...(quoted ? [quoted] : [])];
  const until = lookedUntil === undefined ? undefined : time(new Date(lookedUntil), TimestampStyles.LongDate);
  return [
    `**${heading.join(' · ')}**`,
    ...(jobs.length === 0 ? [texts.nothing] : []),
    ...(until === undefined ? [] : [texts.lookedUntil(until)]),
  ].join('\n');
}

function actionOf(
  job: Job,
  number: number,
  now: number,
  { jobs }: Texts,
  nextSteps: OfferedSteps,
): Button | undefined {
  const { id, state } = job;
  if (state === 'waiting' || canBeShownAgain(job, now)) return nextSteps.show?.(id, jobs.show(number));
  if (isOver(job)) return mayDiffer(job) ? nextSteps.again?.(id, jobs.again(number)) : undefined;
  if (job.tasks.every(hasEnded)) return undefined;
  return button.secondary(jobs.stop(number), customId('jobs', 'stop', id));
}

function navigation({ listing, jobs, older, newer, isFirst }: Page, { jobs: texts }: Texts): Button[] {
  const isNarrowed = listing.only !== 'all' || listing.words !== '';
  if (!isNarrowed && isFirst && jobs.length === 0) return [];
  const isLong = older !== undefined || newer !== undefined;
  const turn = (towards: 'older' | 'newer', cursor: JobCursor | undefined) => ({
    ...button.secondary(towards === 'older' ? texts.next : texts.previous, pageId(listing, towards, cursor)),
    disabled: cursor === undefined,
  });
  const runs = jobs.some(({ state }) => !isOver({ state }) && state !== 'waiting');
  const first = isFirst ? (runs ? texts.refresh : undefined) : texts.newest;
  return [
    ...(isLong ? [turn('newer', newer), turn('older', older)] : []),
    ...(first === undefined ? [] : [button.secondary(first, pageId(listing, 'first'))]),
    button.secondary(texts.search, customId('jobs', 'search', listing.only, listing.words)),
    ...(isNarrowed ? [button.secondary(texts.everything, pageId(EVERYTHING, 'first'))] : []),
  ];
}

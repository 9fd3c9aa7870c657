import type { Collection } from '../storage/collection.ts';
import { isOver, type Job } from './job.ts';

/** How many jobs are looked at for one page, and how many are read at once where not every one is wanted. */
const MOST = 500;
const AT_ONCE = 100;

/** Where a page begins among the jobs of a member: at this id, among those that are not over, or among the others. */
export interface JobCursor {
  isOpen: boolean;
  id: string;
}

export interface JobPageRequest {
  limit: number;
  /** The page next to this cursor, which is not on it; the first page unless given. */
  from?: { cursor: JobCursor; towards: 'older' | 'newer' };
  /** Only those that are not over, or only the others; all unless given. */
  isOpen?: boolean;
  isWanted?: (job: Job) => boolean;
}

/** Those that are not over stand first, then the others, each of them from the newest to the oldest. */
export interface JobPage {
  jobs: Job[];
  /** Where the pages after and before this one begin; undefined where there is none. */
  older: JobCursor | undefined;
  newer: JobCursor | undefined;
  /** Where no more were looked at before the page was full: when the last one of them was asked for. */
  lookedUntil: number | undefined;
}

/** The rows by which the jobs of members are found. */
interface JobIndex {
  /** The jobs that are not over, and all jobs, by `indexId`. The first may name some that are over. */
  unfinished: Pick<Collection<unknown>, 'list'>;
  members: Pick<Collection<unknown>, 'list'>;
  indexId(job: { id: string; member: { id: string } }): string;
  found(indexIds: readonly string[]): Promise<Job[]>;
}

/** A page of the jobs of a member. Cursors are ids: what is asked for meanwhile moves nothing. */
export async function readJobPage(
  index: JobIndex,
  memberId: string,
  request: JobPageRequest,
): Promise<JobPage> {
  const { limit, from, isWanted = () => true } = request;
  const onPage: { job: Job; cursor: JobCursor }[] = [];
  let last: { job: Job; cursor: JobCursor } | undefined;
  let looked = 0;
  let isMore = false;
  for await (const entry of walk(index, memberId, request)) {
    const { job, cursor } = entry;
    if (isOver(job) !== cursor.isOpen && isWanted(job)) {
      isMore = onPage.length === limit;
      if (isMore) break;
      onPage.push(entry);
    }
    last = entry;
    looked += 1;
    if (looked === MOST) break;
  }
  const isCut = !isMore && looked === MOST;
  const further = isMore ? onPage.at(-1)?.cursor : isCut ? last?.cursor : undefined;
  const lookedUntil = isCut ? last?.job.createdAt : undefined;
  if (from?.towards !== 'newer') {
    const jobs = onPage.map(({ job }) => job);
    return { jobs, older: further, newer: from && onPage[0]?.cursor, lookedUntil };
  }
  // Back at the beginning, which is a page of its own.
  if (!further) {
    const { from: _, ...first } = request;
    return readJobPage(index, memberId, first);
  }
  const jobs = onPage.map(({ job }) => job).reverse();
  return { jobs, older: onPage[0]?.cursor ?? from.cursor, newer: further, lookedUntil };
}

/** Every job from a cursor on, with its own. */
async function* walk(
  { unfinished, members, indexId, found }: JobIndex,
  memberId: string,
  { limit, from, isOpen, isWanted }: JobPageRequest,
): AsyncGenerator<{ job: Job; cursor: JobCursor }> {
  const backwards = from?.towards !== 'newer';
  const parts = backwards ? [true, false] : [false, true];
  const left = parts.slice(from ? parts.indexOf(from.cursor.isOpen) : 0);
  const atOnce = isWanted ? AT_ONCE : limit + 1;
  for (const part of left.filter((one) => isOpen === undefined || one === isOpen)) {
    let at =
      from?.cursor.isOpen === part ? indexId({ id: from.cursor.id, member: { id: memberId } }) : undefined;
    for (;;) {
      const listed = await (part ? unfinished : members).list({
        prefix: `${memberId}:`,
        limit: atOnce,
        backwards,
        ...(at !== undefined && (backwards ? { before: at } : { after: at })),
      });
      for (const job of await found(listed.map(({ id }) => id)))
        yield { job, cursor: { isOpen: part, id: job.id } };
      at = listed.at(-1)?.id;
      if (at === undefined || listed.length < atOnce) break;
    }
  }
}

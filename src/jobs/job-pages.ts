import type { Collection } from '../storage/store.ts';
import { isOver, type Job } from './job.ts';

/** How many jobs are looked at for one page, and how many are read at once where not every one is wanted. */
const MOST = 500;
const AT_ONCE = 100;

/** A place among the jobs of a member: at this id, among those that are not over, or among the others. */
export interface JobPlace {
  isOpen: boolean;
  id: string;
}

export interface JobPageRequest {
  /** How many jobs a page holds. */
  limit: number;
  /** The page next to this place, which is not on it; the first page unless given. */
  from?: { place: JobPlace; towards: 'older' | 'newer' };
  /** Only those that are not over, or only the others; all unless given. */
  isOpen?: boolean;
  isWanted?: (job: Job) => boolean;
}

/** Those that are not over stand first, then the others, each of them from the newest to the oldest. */
export interface JobPage {
  jobs: Job[];
  /** Where the pages after and before this one begin; undefined where there is none. */
  older: JobPlace | undefined;
  newer: JobPlace | undefined;
  /** Where no more were looked at before the page was full: when the last one of them was asked for. */
  lookedUntil: number | undefined;
}

/** The jobs of a member, page by page. Places are ids: what is asked for meanwhile moves nothing. */
export interface JobPages {
  page(memberId: string, request: JobPageRequest): Promise<JobPage>;
}

export function createJobPages({
  unfinished,
  members,
  indexId,
  found,
}: {
  /** The jobs that are not over, and all jobs, by `indexId`. The first may name some that are over. */
  unfinished: Pick<Collection<unknown>, 'list'>;
  members: Pick<Collection<unknown>, 'list'>;
  indexId(job: { id: string; member: { id: string } }): string;
  found(indexIds: readonly string[]): Promise<Job[]>;
}): JobPages {
  /** Every job from a place on, with its own place. */
  async function* walk(
    memberId: string,
    { limit, from, isOpen, isWanted }: JobPageRequest,
  ): AsyncGenerator<{ job: Job; place: JobPlace }> {
    const backwards = from?.towards !== 'newer';
    const parts = backwards ? [true, false] : [false, true];
    const left = parts.slice(from ? parts.indexOf(from.place.isOpen) : 0);
    const atOnce = isWanted ? AT_ONCE : limit + 1;
    for (const part of left.filter((one) => isOpen === undefined || one === isOpen)) {
      let at =
        from?.place.isOpen === part ? indexId({ id: from.place.id, member: { id: memberId } }) : undefined;
      for (;;) {
        const listed = await (part ? unfinished : members).list({
          prefix: `${memberId}:`,
          limit: atOnce,
          backwards,
          ...(at !== undefined && (backwards ? { before: at } : { after: at })),
        });
        for (const job of await found(listed.map(({ id }) => id)))
          yield { job, place: { isOpen: part, id: job.id } };
        at = listed.at(-1)?.id;
        if (at === undefined || listed.length < atOnce) break;
      }
    }
  }

  async function page(memberId: string, request: JobPageRequest): Promise<JobPage> {
    const { limit, from, isWanted = () => true } = request;
    const onPage: { job: Job; place: JobPlace }[] = [];
    let last: { job: Job; place: JobPlace } | undefined;
    let looked = 0;
    let isMore = false;
    for await (const entry of walk(memberId, request)) {
      const { job, place } = entry;
      if (isOver(job) !== place.isOpen && isWanted(job)) {
        isMore = onPage.length === limit;
        if (isMore) break;
        onPage.push(entry);
      }
      last = entry;
      looked += 1;
      if (looked === MOST) break;
    }
    const isCut = !isMore && looked === MOST;
    const further = isMore ? onPage.at(-1)?.place : isCut ? last?.place : undefined;
    const lookedUntil = isCut ? last?.job.createdAt : undefined;
    if (from?.towards !== 'newer') {
      const jobs = onPage.map(({ job }) => job);
      return { jobs, older: further, newer: from && onPage[0]?.place, lookedUntil };
    }
    // Back at the beginning, which is a page of its own.
    if (!further) {
      const { from: _, ...first } = request;
      return page(memberId, first);
    }
    const jobs = onPage.map(({ job }) => job).reverse();
    return { jobs, older: onPage[0]?.place ?? from.place, newer: further, lookedUntil };
  }

  return { page };
}

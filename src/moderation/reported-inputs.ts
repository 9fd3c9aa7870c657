import type { Row } from '../storage/collection.ts';
import type { Store } from '../storage/store.ts';
import { type BroughtPicture, broughtPicture } from './brought-picture.ts';

/** A job whose picture is reported, and who had brought what that was made from, step by step. */
export interface ReportedJob {
  guildId: string;
  jobId: string;
  broughtBy?: string | undefined;
}

/** What is kept, for open reports, of the pictures that members have brought. Nothing is of a job without one. */
export function createReportedInputs({ store, retentionMs }: { store: Store; retentionMs: number }) {
  /** `MEMBER:GUILD:JOB`, until a moderator has looked at the report. */
  const rows = store.collection('reported-inputs', broughtPicture);
  const idsOf = ({ broughtBy, guildId, jobId }: ReportedJob): string[] =>
    broughtBy === undefined ? [] : [`${broughtBy}:${guildId}:${jobId}`];

  async function find(job: ReportedJob): Promise<BroughtPicture | undefined> {
    const [id] = idsOf(job);
    return id === undefined ? undefined : rows.get(id);
  }

  return {
    find,

    /** For `Store.take`, before there is a copy: who erases from now on what they had brought erases this too. */
    rowsOf: (job: ReportedJob): Row[] => idsOf(job).map((id) => rows.row(id, {}, retentionMs)),

    /** Makes the copy, where there is none. Undefined also where its member has erased it meanwhile. */
    async keep(
      job: ReportedJob,
      copy: () => Promise<BroughtPicture | undefined>,
    ): Promise<BroughtPicture | undefined> {
      const kept = await find(job);
      const [id] = idsOf(job);
      if (id === undefined || !kept || kept.copy !== undefined) return kept;
      const made = await copy();
      return rows.update(id, (now) => ({ ...now, ...made }));
    },

    /** Of the pictures that a member had brought. */
    async ofMember(memberId: string) {
      const listed = await rows.list({ prefix: `${memberId}:` });
      return listed.map(({ id, value }) => {
        const [broughtBy = '', guildId = '', jobId = ''] = id.split(':');
        return { broughtBy, guildId, jobId, value };
      });
    },

    /** For `Store.delete`. */
    keysOf: (jobs: readonly ReportedJob[]): string[] => [...new Set(jobs.flatMap(idsOf))].map(rows.key),
  };
}

import type { Job } from '../../src/jobs/job.ts';
import type { Caller } from '../../src/jobs/job-request.ts';

/** Whether a caller can have a button of the job before them; whoever sends another id learns nothing of what was asked. */
export function isShownTo({ member, guildId, channelId }: Caller, job: Job): boolean {
  if (job.member.id === member.id) return true;
  return !job.private && job.guildId === guildId && (guildId !== null || job.channelId === channelId);
}

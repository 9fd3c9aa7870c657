import { cancelJob } from '../../src/bot/cancel-job.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Invocation } from './invocation.ts';

/** The id is written in another base, because a message that holds it as it is shows the outcome of its job. */
const BASE = 36;

export const cancelButton = (jobId: string, { cancel }: Texts) =>
  button.secondary(cancel.button, customId('imagine', 'cancel', BigInt(jobId).toString(BASE)));

/** Its member may, and who keeps order in its server. */
export async function cancelRequest(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, permissions, texts, context } = invocation;
  const [written = ''] = options;
  const job = await context.pictures.tracker.find(decodeJobId(written));
  if (!job) throw new UserError(texts.cancel.unknown);
  const isModerator =
    job.guildId === caller.guildId &&
    (permissions.callerHas('ManageMessages') || permissions.callerHas('ModerateMembers'));
  if (job.member.id !== caller.member.id && !isModerator) throw new UserError(texts.cancel.notYours);
  await cancelJob(invocation, job);
}

/** Of a job, as its Cancel names it. What anybody may have written is no id. */
export function decodeJobId(written: string): string {
  const digits = [...written].map((digit) => BigInt(Number.parseInt(digit, BASE) || 0));
  return `${digits.reduce((id, digit) => id * BigInt(BASE) + digit, 0n)}`;
}

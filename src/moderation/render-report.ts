import { messageLink, time, userMention } from 'discord.js';
import { headline } from '../delivery/prompt-text.ts';
import type { Job } from '../jobs/job.ts';
import { asManyAsFit } from '../messages/as-many-as-fit.ts';
import { rowsOf } from '../messages/buttons.ts';
import { foreignText } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import type { BroughtPicture } from './brought-picture.ts';
import type { OpenReport } from './open-reports.ts';

/** Of what somebody says is wrong with a picture. */
export const REASON_CHARACTERS = 500;

/** Of who reports a picture, and of what they say: the longest prompt fits beside them. */
const REPORTERS = 80;
const REASONS = 4_000;

/** A reported picture as moderators see it, with what they can do. `job`: undefined where it is no longer known. */
export function renderReport(
  { guildId, jobId, memberId, posted, complaints }: OpenReport,
  job: Job | undefined,
  {
    pictures,
    brought,
    texts,
    nextSteps,
  }: {
    pictures: readonly string[];
    /** What it was made from, where a member had brought that. */
    brought: BroughtPicture | undefined;
    texts: Texts;
    nextSteps: OfferedSteps;
  },
): Message {
  const { report } = texts;
  const reporters = complaints.map(({ reporterId }) => userMention(reporterId));
  const link = messageLink(posted.channelId, posted.messageId, guildId);
  const reasons = complaints.map(({ reason }) => report.reason(foreignText(reason, REASON_CHARACTERS)));
  const [first, ...others] = pictures.map((url) => ({ image: { url } }));
  return {
    content: [
      report.heading(asManyAsFit(reporters, ', ', REPORTERS), userMention(memberId), link),
      ...(brought ? [report.brought(brought.sha256)] : []),
      ...(job ? [report.prompt(headline(job, texts), time(new Date(job.createdAt)))] : []),
    ].join('\n'),
    embeds: [{ ...first, description: asManyAsFit(reasons, '\n', REASONS) }, ...others],
    files:
      brought?.copy === undefined
        ? []
        : [
            {
              name: 'SPOILER_brought.webp',
              bytes: Buffer.from(brought.copy, 'base64'),
              alt: report.broughtAlt,
            },
          ],
    rows: rowsOf(
      ...(['delete', 'block', 'dismiss'] as const).map((action) =>
        nextSteps.resolveReport?.(action, jobId, complaints.length, texts),
      ),
    ),
  };
}

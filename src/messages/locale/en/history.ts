import type { Job } from '../../../jobs/job.ts';
import { dayOf, daysOf, list, monthOf } from './formats.ts';

export const jobs = {
  none: 'No pictures yet. `/imagine` makes one.',
  heading: 'Your pictures',
  quoted: (words: string) => `“${words}”`,
  only: {
    all: 'Everything',
    open: 'Running and waiting',
    pictures: 'Pictures',
    failed: 'Failed and cancelled',
  },
  nothing: 'Nothing found.',
  lookedUntil: (day: string) => `Searched back to ${day}. *Next* searches on.`,
  state: {
    asked: 'Sending',
    developing: 'Running',
    delivering: 'Sending the picture',
    waiting: 'Waiting for you',
    delivered: 'Delivered',
    failed: 'Failed',
    cancelled: 'Cancelled',
  } satisfies Record<Job['state'], string>,
  pictures: (pictures: number) => `${pictures} pictures`,
  private: 'private',
  gone: 'deleted',
  /** A private picture that stands nowhere any more. */
  lost: 'no longer kept',
  open: 'Open',
  again: (number: number) => `Again ${number}`,
  stop: (number: number) => `Cancel ${number}`,
  show: (number: number) => `Show ${number}`,
  previous: 'Previous',
  next: 'Next',
  newest: 'Newest',
  refresh: 'Refresh',
  search: 'Search',
  everything: 'Show all',
  form: { title: 'Search your pictures', words: 'Words in the prompt', only: 'Show' },
  over: 'This one has already ended, or its picture is on its way.',
  notShown: 'Discord didn’t take the picture this time. Showing it costs nothing: try again in a minute.',
  /** A private picture that was to be shown again. */
  notHandedOut:
    'The image service doesn’t hand out this picture now: it may be down, or no longer have it. Showing it costs nothing: try again in a minute.',
  unanswered:
    'Discord doesn’t say whether this one has been shown already. Nothing was sent again. Try again in a minute.',
};

/** What a server used in a month. */
export const usage = {
  month: monthOf,
  words: {
    pictures: 'Pictures',
    credits: 'Shared credits',
    members: 'Members',
    failed: 'Failed',
    workflows: 'Workflows',
    others: 'others',
  },
  workflow: (name: string | undefined) => name ?? 'node graph',
  none: (month: string) => `Nobody has made a picture here in ${month}.`,
  forgotten: (days: number) => `What is older than ${daysOf(days)} is forgotten.`,
  figures: (pictures: string, credits: string, members: string, failed: string) =>
    `pictures: ${pictures}, members: ${members}, failed: ${failed}, credits paid by shared keys: ${credits}`,
  /** What members spend by keys of their own is their own business. */
  ownKeys: 'Pictures that members paid for with keys of their own are counted; the credits for them are not.',
  ofMember: (member: string, pictures: string, credits: string | undefined) =>
    `${member}: ${pictures}${credits === undefined ? '' : ` (credits of shared keys: ${credits})`}`,
  /** Of pictures that are kept without their member. */
  unnamed: (pictures: string) => `without a name: ${pictures} (erased, or not shown yet)`,
  alt: (month: string, figures: string, workflows: string, day: string, pictures: number) =>
    `Usage in ${month}: ${figures}. By workflow: ${workflows}. Most on one day: ${pictures}, on ${dayOf(day)}.`,
  csv: (month: string) => `The usage in ${month} as a table: by day, member and workflow`,
  noPicture: 'The chart could not be drawn this time. The table has the same figures.',
  tableEnds: (lines: string) =>
    `The table ends before the month does: ${lines} more lines did not fit. The figures above count everything.`,
};

/** What is kept about a member, in plain words. */
export const privacy = {
  kept: (history: number, waiting: number) => [
    '**What this bot keeps about you, and for how long**',
    `- Your linked key, encrypted, with the name of its account: until you unlink it.`,
    `- What you asked for (words, options, graphs, seed, where and when; no pictures): ${daysOf(history)} after it is over.`,
    `- Of a picture of your own: its name, its link at Discord (which works for a day) and a checksum, as long as the request. Where somebody reports what was made of it, a small copy until a moderator has decided, and the checksum in their log. The image service keeps it until a day after its last use.`,
    `- A finished picture that could not be delivered: ${daysOf(waiting)}, in \`/jobs\`.`,
    `- For the moderators of a server: how many pictures you made there on which day, and what you or they changed: ${daysOf(history)}.`,
    `- Your defaults (\`/settings me\`): until you erase them, 400 days after their last change at most. Models you made pictures with: ${daysOf(history)}.`,
    `- Which pictures you reported, and why, and which of yours were reported, for the moderators: ${daysOf(history)}.`,
    '- What you typed and did not go on with: one day.',
    '- Your ID, under what others made of a picture that you posted or brought, so that a block covers it: as long as their request. It is not in your download.',
    '- What the limits count: until their hour, day or month is over. If you were blocked: until the block ends.',
    'Discord and the image service keep the pictures themselves; the image service keeps the words they were made of, and your account, for as long as whoever runs it has set. Backups of this bot keep what is erased here until they are thrown away.',
  ],
  strangers:
    'Pictures here are drawn by volunteers: **strangers see your words and your pictures**, the private ones, too.',
  sentTo: (names: readonly string[]) =>
    `Pictures here are drawn by **${list.format(names)}**: your words, and the pictures that you begin with, are sent there, the private ones, too.`,
  looks: '**Who has looked at your credits**',
  noLooks: 'Nobody has looked at your credits.',
  export: 'Download my data',
  erase: 'Erase everything',
  exported:
    'This is what this bot keeps about you. Not in it: your key, pictures that wait in `/jobs`, what the limits count, and what others reported.',
  file: 'What this bot keeps about you, as JSON',
  confirm:
    'Erase everything that this bot keeps about you? Your key is unlinked here, but **stays valid at the image service**: to end that, use `/apikey revoke` first. Pictures that wait in `/jobs` are gone, and old pictures cannot be made again with a button. The image service keeps words and pictures as long as everybody’s. Messages in channels stay; so do the moderators’ log, reports of your pictures, what limits count, and blocks; and what others made of a picture that you posted or brought keeps your ID until their request is gone.',
  eraseAll: 'Yes, erase everything',
  unchanged: 'Nothing was erased.',
  erased: (running: number) =>
    running === 0
      ? 'Everything is erased. A key that was linked is still valid at the image service.'
      : `Everything is erased, but for ${running === 1 ? 'one request that still runs' : `${running} requests that still run`}. Use \`/privacy\` again when ${running === 1 ? 'it has' : 'they have'} ended, or cancel ${running === 1 ? 'it' : 'them'} with \`/jobs\`.`,
};

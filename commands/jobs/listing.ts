import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import type { FormOptions } from '../../src/bot/command.ts';
import { isOver, type Job } from '../../src/jobs/job.ts';
import type { JobCursor, JobPageRequest } from '../../src/jobs/job-pages.ts';
import { customId } from '../../src/messages/buttons.ts';
import { selectField, textField } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { cut } from '../../src/messages/message.ts';

/** Five jobs fill the screen of a phone, and their buttons one row. */
const PAGE = 5;

/** Together with a cursor they fit the custom id of a button. */
export const WORDS_CHARACTERS = 50;

export const ONLY = ['all', 'open', 'pictures', 'failed'] as const;
type Only = (typeof ONLY)[number];

export interface Listing {
  only: Only;
  /** Each of them stands somewhere in the prompt; none: every prompt. */
  words: string;
}

export const EVERYTHING: Listing = { only: 'all', words: '' };

const TOWARDS = ['older', 'newer'] as const;
type Towards = (typeof TOWARDS)[number];

export const listingOf = (only: string | undefined, words: string | undefined): Listing => ({
  only: ONLY.find((one) => one === only) ?? 'all',
  words: cut((words ?? '').replace(/\s+/g, ' ').trim(), WORDS_CHARACTERS),
});

/** Of the first page unless a cursor is given. */
export const pageId = ({ only, words }: Listing, towards: Towards | 'first', cursor?: JobCursor): string =>
  customId('jobs', 'page', towards, cursor ? `${cursor.isOpen ? 'o' : 'c'}${cursor.id}` : '', only, words);

/** What was asked for by a button of `pageId`. */
export function readPageId([towards, cursor = '', only, ...words]: readonly string[]): {
  listing: Listing;
  from: JobPageRequest['from'];
} {
  const [, part, id = ''] = /^([oc])(\d{17,20})$/.exec(cursor) ?? [];
  const direction = TOWARDS.find((one) => one === towards);
  return {
    listing: listingOf(only, words.join(':')),
    from: part && direction ? { towards: direction, cursor: { isOpen: part === 'o', id } } : undefined,
  };
}

export function requestOf({ only, words }: Listing, from: JobPageRequest['from']): JobPageRequest {
  const searched = plain(words).split(' ').filter(Boolean);
  const wantsMade = { all: undefined, open: undefined, pictures: true, failed: false }[only];
  const isWanted = (job: Job) => {
    if (wantsMade !== undefined && wantsMade !== isMade(job)) return false;
    const said = plain(promptsOf(job).join('\n'));
    return searched.every((word) => said.includes(word));
  };
  return {
    limit: PAGE,
    ...(from && { from }),
    ...(only !== 'all' && { isOpen: only === 'open' }),
    ...((searched.length > 0 || wantsMade !== undefined) && { isWanted }),
  };
}

const isMade = (job: Job): boolean => isOver(job) && job.state === 'delivered';

const promptsOf = ({ submission: { prompt }, tasks, graph }: Job): string[] => [
  ...(typeof prompt === 'string' ? [prompt] : []),
  ...tasks.flatMap((task) => task.prompt ?? []),
  ...(graph ? [graph.name] : []),
];

/** Capitals, accents and the width of letters make no difference. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const WORDS = 'words';
const WHICH = 'only';

/** Asks what is to be listed, with what is now. */
export const searchForm = (
  { words, only }: Listing,
  { jobs: texts }: Texts,
): APIModalInteractionResponseCallbackData => ({
  custom_id: customId('jobs', 'search'),
  title: texts.form.title,
  components: [
    textField({ name: WORDS, label: texts.form.words, characters: WORDS_CHARACTERS, value: words }),
    selectField({
      name: WHICH,
      label: texts.form.only,
      required: true,
      options: ONLY.map((value) => ({ value, label: texts.only[value], default: value === only })),
    }),
  ],
});

export const readSearchForm = ({ fields, picked }: FormOptions): Listing =>
  listingOf(picked[WHICH]?.[0], fields[WORDS]);

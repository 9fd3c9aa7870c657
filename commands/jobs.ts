import { cancelJob } from '../src/bot/cancel-job.ts';
import { defineCommand } from '../src/bot/command.ts';
import { option } from '../src/bot/command-payload.ts';
import { en } from '../src/messages/locale/en.ts';
import { namesOf } from '../src/messages/locale/texts.ts';
import { UserError } from '../src/messages/user-error.ts';
import { listingOf, ONLY, readPageId, readSearchForm, searchForm, WORDS_CHARACTERS } from './jobs/listing.ts';
import { showPage, USES } from './jobs/page.ts';

export const jobs = defineCommand({
  uses: USES,
  data: {
    name: 'jobs',
    description: 'Your pictures: what runs, what was made, and what waits for you',
    options: [
      option.text('search', 'Words in the prompt', { max_length: WORDS_CHARACTERS }),
      option.text('only', 'Which of them', {
        choices: ONLY.map((value) => ({
          name: en.jobs.only[value],
          name_localizations: namesOf(({ jobs }) => jobs.only[value]),
          value,
        })),
      }),
    ],
  },

  run: (invocation) => {
    const { only, search } = invocation.options;
    return showPage(invocation, { listing: listingOf(only, search), by: 'answer' });
  },

  buttons: {
    async page(invocation) {
      await showPage(invocation, { ...readPageId(invocation.options), by: 'replace' });
    },

    async search({ options: [only, ...words], reply, texts }) {
      await reply.showModal(searchForm(listingOf(only, words.join(':')), texts));
    },

    async stop(invocation) {
      const { options, caller, texts, context } = invocation;
      const job = await context.pictures.tracker.find(options[0] ?? '');
      if (job?.member.id !== caller.member.id) throw new UserError(texts.jobs.over);
      await cancelJob(invocation, job);
    },
  },

  forms: {
    async search(invocation) {
      await showPage(invocation, { listing: readSearchForm(invocation.options), by: 'replace' });
    },
  },
});

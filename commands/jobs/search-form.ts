import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import type { FormOptions } from '../../src/bot/command.ts';
import { customId } from '../../src/messages/buttons.ts';
import { selectField, textField } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { type Listing, listingOf, ONLY, WORDS_CHARACTERS } from './listing.ts';

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

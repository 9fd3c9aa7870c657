import { type APIModalInteractionResponseCallbackData, ComponentType, TextInputStyle } from 'discord.js';
import type { FormOptions } from '../../src/bot/command.ts';
import { customId } from '../../src/messages/buttons.ts';
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
    {
      type: ComponentType.Label,
      label: texts.form.words,
      component: {
        type: ComponentType.TextInput,
        custom_id: WORDS,
        style: TextInputStyle.Short,
        required: false,
        max_length: WORDS_CHARACTERS,
        ...(words !== '' && { value: words }),
      },
    },
    {
      type: ComponentType.Label,
      label: texts.form.only,
      component: {
        type: ComponentType.StringSelect,
        custom_id: WHICH,
        required: true,
        options: ONLY.map((value) => ({ value, label: texts.only[value], default: value === only })),
      },
    },
  ],
});

export const readSearchForm = ({ fields, picked }: FormOptions): Listing =>
  listingOf(picked[WHICH]?.[0], fields[WORDS]);

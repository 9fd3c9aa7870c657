import { formatsOf } from '../../formats.ts';

export const { list, either, number, daysOf, dayOf, monthOf, creditsOf, boldCredits } = formatsOf('de', {
  credit: 'Credit',
  credits: 'Credits',
});

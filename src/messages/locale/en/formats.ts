import { formatsOf } from '../../formats.ts';

export const { list, either, number, daysOf, creditsOf, boldCredits } = formatsOf('en', {
  credit: 'credit',
  credits: 'credits',
});

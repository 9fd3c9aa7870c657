import { formatsOf } from '../../formats.ts';

export const { list, either, number, creditsOf, boldCredits } = formatsOf('en', {
  credit: 'credit',
  credits: 'credits',
});

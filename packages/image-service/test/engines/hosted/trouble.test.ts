import { expect, test } from 'vitest';
import { troubleIn } from '../../../src/engines/hosted/trouble.ts';

const PER_MINUTE = 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier';
const PER_DAY = 'GenerateRequestsPerDayPerProjectPerModel-FreeTier';
const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';

test.each([
  [429, `${QUOTA} ${PER_MINUTE}`, undefined],
  [429, `${QUOTA} ${PER_MINUTE}\nlimit: 0`, 'credit'],
  [429, `${QUOTA} ${PER_DAY}`, 'credit'],
  [429, `${QUOTA} ${PER_MINUTE}\n${PER_DAY}`, 'credit'],
  [400, 'Imagen API is only accessible to billed users at this time.', 'credit'],
  [400, 'API key not valid. API_KEY_INVALID', 'key'],
  [400, 'The prompt is too long', undefined],
] as const)('what Google answers with %s (%s) tells of trouble: %s', (status, text, trouble) => {
  expect(troubleIn(status, text)).toBe(trouble);
});

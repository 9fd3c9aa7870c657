import { captureLog } from '@darkroom/testing';
import { HOUR_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createOutageLog } from '../src/outage-log.ts';

function loggedOutages() {
  const clock = createFakeClock();
  const { log, lines } = captureLog();
  const outage = createOutageLog({ name: 'The disk', clock, log });
  return { clock, ...outage, said: () => lines.map((line): string => JSON.parse(line).msg) };
}

test('an outage is told once, and once that it is over, however many notice', async () => {
  const { clock, failed, answered, said } = loggedOutages();
  for (let times = 0; times < 3; times += 1) failed(new Error('away'));
  answered();
  failed(new Error('away'));
  await clock.advance(1_000);
  answered();
  answered();
  expect(said()).toEqual(['The disk cannot be reached; trying again', 'The disk answers again']);
});

test('the end of an outage is told, and the next one, also where the clock was set back in it', async () => {
  const { clock, failed, answered, said } = loggedOutages();
  failed(new Error('away'));
  clock.setBack(HOUR_MS);
  answered();
  await clock.advance(1_000);
  answered();
  failed(new Error('away again'));
  expect(said()).toEqual([
    'The disk cannot be reached; trying again',
    'The disk answers again',
    'The disk cannot be reached; trying again',
  ]);
});

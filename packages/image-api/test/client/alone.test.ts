import { startProcess } from '@darkroom/testing';
import { expect, test } from 'vitest';
import * as behave from '../support/behaviours.ts';
import { createHostileService } from '../support/hostile-service.ts';

const PROGRAM = new URL('../../../../dist/packages/image-api/test/support/lone-client.js', import.meta.url);

test('a program that does nothing but wait for a further attempt lives to see it', async () => {
  const service = await createHostileService();
  service.script('balance', behave.reset(), service.politely);
  const program = startProcess(PROGRAM, { BASE_URL: service.baseUrl });
  const { code } = await program.ended;
  expect({ code, output: program.output() }).toEqual({ code: 0, output: '42.5 credits\n' });
  expect(service.requests('balance')).toHaveLength(2);
});

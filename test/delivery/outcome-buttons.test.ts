import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { CHANNEL } from '../../packages/local-discord/test/support/local-discord.ts';
import type { Payer } from '../../src/credentials/key-owner.ts';
import { outcomeButtons } from '../../src/delivery/outcome-buttons.ts';
import type { Job, TaskFailure } from '../../src/jobs/job.ts';
import { en } from '../../src/messages/locale/en.ts';
import { nextStepsOf } from '../../src/messages/next-steps.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { fillIn, settled } from '../support/ephemeral-reply.ts';
import { aJob, TASKS } from '../support/job.ts';

/** The message of a job whose submission was refused, paid for by the operator or by the member. */
async function refusedWorld(status: number, error: string, { ownKey = false } = {}) {
  const service = await createHostileService();
  service.script('submit', refusal(status, error));
  const world = await botWorld({ imageUrl: service.baseUrl, operatorKey: A_KEY });
  if (ownKey) {
    const opened = await world.member.invoke(CHANNEL, 'apikey link');
    await settled(await fillIn(world.member, opened, A_KEY), world.member);
  }
  const message = await world.imagined({ prompt: 'a red fox' });
  return { ...world, message, [Symbol.asyncDispose]: () => service.close() };
}

test('a key that was refused is followed by a button that opens the form for another', async () => {
  await using world = await refusedWorld(401, 'Invalid key');
  const answer = await world.member.press(world.message.id, buttonOf(world.message, 'Link a key'));
  expect(answer).toMatchObject({ kind: 'modal', modal: { title: 'Link a key' } });
});

test('too few credits of one’s own are followed by a button that shows what is left', async () => {
  await using world = await refusedWorld(402, 'Top up first', { ownKey: true });
  expect(world.message.content).toContain('You do not have enough credits');
  const answer = await world.member.press(world.message.id, buttonOf(world.message, 'Show balance'));
  expect((await settled(answer, world.member)).content).toMatch(/You have \*\*[\d,.]+\*\* credits/);
});

test('too few credits of the operator are theirs to see: who has a key can pay themselves', async () => {
  await using world = await refusedWorld(402, 'Top up first');
  expect(world.message.content).toContain('The operator of this bot does not have enough credits');
  const answer = await world.member.press(world.message.id, buttonOf(world.message, 'Link a key'));
  expect(answer).toMatchObject({ kind: 'modal', modal: { title: 'Link a key' } });
});

test('a refused request can be tried again, and there is nothing else to do about it', async () => {
  await using world = await refusedWorld(400, 'Not that prompt');
  expect(() => buttonOf(world.message, 'Link a key')).toThrow();
  expect(buttonOf(world.message, 'Try again')).toMatch(/^imagine:again:\d+$/);
});

const [MEMBER, SERVER, OPERATOR]: Payer[] = [
  { kind: 'member', id: '200000000000000001' },
  { kind: 'guild', id: '300000000000000001' },
  { kind: 'operator' },
];

test.each<[TaskFailure['kind'], Payer | undefined, string[]]>([
  ['unauthorized', MEMBER, ['Link a key']],
  ['unauthorized', SERVER, ['Link a key', 'Link a key for the server']],
  ['unauthorized', OPERATOR, ['Link a key']],
  ['insufficient-balance', MEMBER, ['Show balance']],
  ['insufficient-balance', SERVER, ['Link a key']],
  ['unclear', MEMBER, ['Show balance']],
  ['unclear', SERVER, []],
  ['unclear', OPERATOR, []],
])('after %s, what helps when $kind pays', (kind, payer = { kind: 'operator' }, helpful) => {
  const failed = { ...TASKS.failed, failure: { kind } };
  const rows = outcomeButtons(
    aJob({ payer, private: true, tasks: [failed, failed] }),
    en,
    nextStepsOf(commands),
  );
  const labels = rows.flatMap(({ components }) => components.map(({ label }) => label));
  expect(labels).toEqual([...helpful, 'Try again', 'Edit', 'Details', 'Delete']);
});

test('what helps with somebody’s credits is not offered to everybody', () => {
  const failed = { ...TASKS.failed, failure: { kind: 'unclear' } } as const;
  const rows = outcomeButtons(
    aJob({ payer: { kind: 'member', id: '200000000000000001' }, tasks: [failed] }),
    en,
    nextStepsOf(commands),
  );
  const labels = rows.flatMap(({ components }) => components.map(({ label }) => label));
  expect(labels).toEqual(['Try again', 'Edit', 'Details', 'Delete']);
});

const labelsOf = (job: Partial<Job>) =>
  outcomeButtons(aJob(job), en, nextStepsOf(commands)).map(({ components }) =>
    components.map(({ label }) => label),
  );
const { completed, failed } = TASKS;

test('one picture has a row; several have rows with their numbers, and never more than Discord shows', () => {
  expect(labelsOf({})).toEqual([['Again', 'Edit', 'Vary', 'Details', 'More']]);
  expect(labelsOf({ private: true })).toEqual([['Publish', 'Again', 'Edit', 'Vary', 'More']]);
  expect(labelsOf({ private: true, guildId: null })).toEqual(labelsOf({}));
  expect(labelsOf({ private: true, withheld: true })).toEqual(labelsOf({}));
  const four = labelsOf({ tasks: [completed, completed, completed, completed] });
  expect(four).toEqual([
    ['Again', 'Edit', 'Details', 'Delete', 'More'],
    ['Vary 1', 'Vary 2', 'Vary 3', 'Vary 4'],
    ['Only 1', 'Only 2', 'Only 3', 'Only 4'],
  ]);
  const some = labelsOf({ private: true, tasks: [failed, completed, completed] });
  expect(some[0]).toEqual(['Publish', 'Again', 'Edit', 'Details', 'More']);
  expect(some[1]).toEqual(['Vary 1', 'Vary 2']);
});

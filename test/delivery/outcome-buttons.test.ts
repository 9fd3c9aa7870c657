import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { CHANNEL } from '../../packages/local-discord/test/support/local-discord.ts';
import type { Payer } from '../../src/credentials/key-owner.ts';
import { outcomeButtons } from '../../src/delivery/outcome-buttons.ts';
import type { Job } from '../../src/jobs/job.ts';
import type { TaskFailure } from '../../src/jobs/job-task.ts';
import { en } from '../../src/messages/locale/en.ts';
import { nextStepsOf } from '../../src/messages/next-steps.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { fillIn, settled } from '../support/ephemeral-reply.ts';
import { aJob, TASKS } from '../support/job.ts';

/** What is read on the buttons and menus of each row. */
const labelsIn = (rows: ReturnType<typeof outcomeButtons>) =>
  rows.map(({ components }) =>
    components.map((one) => ('label' in one ? one.label : 'placeholder' in one ? one.placeholder : '')),
  );

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
  return { ...world, message };
}

test('a key that was refused is followed by a button that opens the form for another', async () => {
  const world = await refusedWorld(401, 'Invalid key');
  const answer = await world.member.press(world.message.id, buttonOf(world.message, 'Link a key'));
  expect(answer).toMatchObject({ kind: 'modal', modal: { title: 'Link a key' } });
});

test('too few credits of one’s own are followed by a button that shows what is left', async () => {
  const world = await refusedWorld(402, 'Top up first', { ownKey: true });
  expect(world.message.content).toContain('You do not have enough credits');
  const answer = await world.member.press(world.message.id, buttonOf(world.message, 'Show balance'));
  expect((await settled(answer, world.member)).content).toMatch(/You have \*\*[\d,.]+\*\* credits/);
});

test('too few credits of the operator are theirs to see: who has a key can pay themselves', async () => {
  const world = await refusedWorld(402, 'Top up first');
  expect(world.message.content).toContain('The operator of this bot does not have enough credits');
  const answer = await world.member.press(world.message.id, buttonOf(world.message, 'Link a key'));
  expect(answer).toMatchObject({ kind: 'modal', modal: { title: 'Link a key' } });
});

test('a refused request can be tried again, and there is nothing else to do about it', async () => {
  const world = await refusedWorld(400, 'Not that prompt');
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
  expect(labelsIn(rows).flat()).toEqual([...helpful, 'Try again', 'Edit', 'More']);
});

test('what helps with somebody’s credits is not offered to everybody', () => {
  const failed = { ...TASKS.failed, failure: { kind: 'unclear' } } as const;
  const rows = outcomeButtons(
    aJob({ payer: { kind: 'member', id: '200000000000000001' }, tasks: [failed] }),
    en,
    nextStepsOf(commands),
  );
  expect(labelsIn(rows).flat()).toEqual(['Try again', 'Edit', 'More']);
});

const labelsOf = (job: Partial<Job>) => labelsIn(outcomeButtons(aJob(job), en, nextStepsOf(commands)));
const { completed, failed } = TASKS;

test('one picture has a row of buttons; several have one, and a menu with each of them', () => {
  expect(labelsOf({})).toEqual([['Again', 'Vary', 'Edit', 'More']]);
  expect(labelsOf({ private: true })).toEqual([['Publish', 'Again', 'Vary', 'Edit', 'More']]);
  expect(labelsOf({ private: true, guildId: null })).toEqual(labelsOf({}));
  expect(labelsOf({ private: true, withheld: true })).toEqual(labelsOf({}));
  const four = labelsOf({ tasks: [completed, completed, completed, completed] });
  expect(four).toEqual([['Again', 'Edit', 'More'], ['Choose a picture']]);
  const some = labelsOf({ private: true, tasks: [failed, completed, completed] });
  expect(some).toEqual([['Publish', 'Again', 'Edit', 'More'], ['Choose a picture']]);
});

test('where the words of the pictures differ, the menu says them', () => {
  const tasks = [{ ...completed, prompt: 'a red fox' }, failed, { ...completed, prompt: 'a blue fox' }];
  const [, menu] = outcomeButtons(aJob({ tasks }), en, nextStepsOf(commands));
  expect(menu?.components).toMatchObject([
    {
      options: [
        { label: 'Picture 1', value: '0', description: 'a red fox' },
        { label: 'Picture 2', value: '2', description: 'a blue fox' },
      ],
    },
  ]);
});

import { expect, test } from 'vitest';
import { refusal } from '../support/behaviours.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { createHostileService } from '../support/hostile-service.ts';
import { A_KEY } from '../support/polite-service.ts';
import { settled } from '../support/private-answer.ts';

/** The message of a job whose submission was refused. */
async function refusedWorld(status: number, error: string) {
  const service = await createHostileService();
  service.script('submit', refusal(status, error));
  const world = await botWorld({ imageUrl: service.baseUrl, operatorKey: A_KEY });
  const message = await world.imagined({ prompt: 'a red fox' });
  await service.close();
  return { ...world, message };
}

test('a key that was refused is followed by a button that opens the form for another', async () => {
  const { member, message } = await refusedWorld(401, 'Invalid key');
  const answer = await member.press(message.id, buttonOf(message, 'Link a key'));
  expect(answer).toMatchObject({ kind: 'modal', modal: { title: 'Link a key' } });
});

test('too few credits are followed by a button that shows what is left', async () => {
  const { member, message } = await refusedWorld(402, 'Top up first');
  const answer = await member.press(message.id, buttonOf(message, 'Show balance'));
  expect((await settled(answer, member)).content).toContain('operator');
});

test('a refused request can be tried again, and there is nothing else to do about it', async () => {
  const { message } = await refusedWorld(400, 'Not that prompt');
  expect(() => buttonOf(message, 'Link a key')).toThrow();
  expect(buttonOf(message, 'Try again')).toMatch(/^imagine:again:\d+$/);
});

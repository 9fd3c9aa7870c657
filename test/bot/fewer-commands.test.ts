import { ComponentType } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { imagine } from '../../commands/imagine.ts';
import { jobs } from '../../commands/jobs.ts';
import { failingEngine } from '../../packages/image-service/test/support/engines.ts';
import { botWorld } from '../support/bot.ts';
import { run } from '../support/ephemeral-reply.ts';

const labelsOf = ({ components = [] }: APIMessage): (string | undefined)[] =>
  components.flatMap((row) =>
    row.type === ComponentType.ActionRow
      ? row.components.map((component) => ('label' in component ? component.label : undefined))
      : [],
  );

const fewer = { commands: [imagine, jobs] };

test('without /apikey and /balance a picture is made, and everything under it still works', async () => {
  const world = await botWorld(fewer);
  const message = await world.imagined({ prompt: 'a red fox', size: '64x64' });
  expect(message.attachments).toHaveLength(1);
  expect(labelsOf(message)).toEqual(['Again', 'Vary', 'Edit', 'More']);
});

test('a button of a command that is not on the list is offered nowhere', async () => {
  const world = await botWorld({ ...fewer, operatorKey: null });
  const refused = await run(world.member, 'imagine', { prompt: 'a red fox' });
  expect(refused.content).toContain('You need an API key');
  expect(labelsOf(refused)).toEqual(['Edit']);
});

test('a failed outcome offers no button of a missing command', async () => {
  const world = await botWorld({ ...fewer, service: { credits: 0 } });
  const message = await world.imagined({ prompt: 'a red fox' });
  expect(message.content).toContain('does not have enough credits');
  expect(labelsOf(message)).toEqual(['Try again', 'Edit', 'More']);
});

test('a failure is still explained', async () => {
  const world = await botWorld({ ...fewer, service: { engine: failingEngine() } });
  const message = await world.imagined({ prompt: 'a red fox' });
  expect(message.content).toContain('could not make this picture');
});

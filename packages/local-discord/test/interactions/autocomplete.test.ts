import { createFakeClock } from '@darkroom/time/testing';
import { ApplicationCommandOptionType } from 'discord.js';
import { expect, test } from 'vitest';
import { CHANNEL, MEMBER, refusalOf } from '../support/local-discord.ts';
import { pingWorld } from '../support/ping-world.ts';

const size = {
  type: ApplicationCommandOptionType.String as const,
  name: 'size',
  description: 'Size',
  autocomplete: true as const,
  required: true,
};

test('autocomplete brings choices for the option in focus', async () => {
  const world = await pingWorld({ command: { options: [size] } });
  await world.serve(async (i) => {
    if (i.isAutocomplete()) await i.respond([{ name: `is ${i.options.getFocused()}`, value: 'x' }]);
  });
  const member = world.discord.as(MEMBER);
  expect(await member.autocomplete(CHANNEL, 'ping', { size: '10' }, 'size')).toEqual({
    choices: [{ name: 'is 10', value: 'x' }],
    failed: false,
  });
});

test.each([
  ['26 choices', Array.from({ length: 26 }, (_, n) => ({ name: `n${n}`, value: `v${n}` }))],
  ['a blank choice', [{ name: ' ', value: 'v' }]],
  ['a choice whose value has 101 characters', [{ name: 'n', value: 'v'.repeat(101) }]],
])('autocomplete that is answered with %s is refused and fails', async (_what, choices) => {
  const clock = createFakeClock();
  const world = await pingWorld({ clock, command: { options: [size] } });
  const codes: unknown[] = [];
  await world.serve(async (i) => {
    if (!i.isAutocomplete()) return;
    codes.push(await refusalOf(i.respond(choices)));
    await clock.advance(3001);
  });
  const answer = await world.discord.as(MEMBER).autocomplete(CHANNEL, 'ping', { size: '' }, 'size');
  expect(answer).toEqual({ choices: [], failed: true });
  expect(codes).toMatchObject([{ status: 400, code: 50035 }]);
});

test.each([
  ['a number, where the option is a text', ApplicationCommandOptionType.String, 5],
  ['a text, where the option is a whole number', ApplicationCommandOptionType.Integer, 'five'],
  ['a text, where the option is a number', ApplicationCommandOptionType.Number, 'five'],
] as const)('autocomplete that is answered with %s is refused', async (_what, type, value) => {
  const world = await pingWorld({ command: { options: [{ ...size, type }] } });
  const codes: unknown[] = [];
  await world.serve(async (i) => {
    if (!i.isAutocomplete()) return;
    codes.push(await refusalOf(i.respond([{ name: 'five', value }])));
    await i.respond([]);
  });
  const answer = await world.discord.as(MEMBER).autocomplete(CHANNEL, 'ping', { size: '' }, 'size');
  expect(answer).toEqual({ choices: [], failed: false });
  expect(codes).toMatchObject([{ status: 400, code: 50035 }]);
});

import { join } from 'node:path';
import { createVault } from '@darkroom/storage';
import { silentLog } from '@darkroom/testing';
import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult } from 'local-discord';
import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { editingEngine } from '../../packages/image-service/test/support/engines.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  sees,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { en } from '../../src/messages/locale/en.ts';
import { openStore } from '../../src/storage/store.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';
import { eraseAll } from '../support/erase.ts';
import { hostileWorld } from '../support/hostile-world.ts';
import { aJob, TASKS } from '../support/job.ts';
import { begun, photograph } from '../support/picture-world.ts';

function formOf(answer: InteractionResult) {
  if (answer.kind !== 'modal') throw new Error(`answered with ${JSON.stringify(answer)}`);
  const filled = [
    ...JSON.stringify(answer.modal).matchAll(/"custom_id":"(\w+)"[^{}]*?"value":"((?:[^"\\]|\\.)*)"/g),
  ];
  return {
    id: answer.interactionId,
    filled: Object.fromEntries(filled.map(([, name, value]) => [name, value])),
  };
}

const asks = async (world: BotWorld, options: Record<string, string | number | boolean>) =>
  messageOf(await world.member.invoke(CHANNEL, 'imagine', options));
const press = (world: BotWorld, message: APIMessage, label: string) =>
  world.member.press(message.id, buttonOf(message, label));

const linkTo = ({ id }: APIMessage) => `https://discord.com/channels/${GUILD}/${CHANNEL}/${id}`;

const submitted = async (service: Awaited<ReturnType<typeof createHostileService>>) =>
  service.requests('submit').map(({ body }): unknown => JSON.parse(body));

test('flags in the prompt are options, and are not drawn as words', async () => {
  const { service, world } = await hostileWorld({ operatorKey: A_KEY });
  await world.imagined({
    prompt: 'a red fox —ar 3:2 --no text, hands --seed 7 --steps 30 --cfg 5 --w anime',
  });
  expect(await submitted(service)).toEqual([
    {
      prompt: 'a red fox',
      negative_prompt: 'text, hands',
      workflow: 'anime',
      width: 1_248,
      height: 832,
      steps: 30,
      cfg: 5,
      seed: 7,
    },
  ]);
});

test.each([
  [{ prompt: 'a fox --sed 7' }, en.typed.unknown('`--sed`', '`--seed`')],
  [{ prompt: 'a fox --chaos 50' }, en.typed.flagElsewhere('`--chaos`')],
  [{ prompt: 'a fox --steps many' }, en.refusal.integerRange('--steps', 1, 50)],
  [{ prompt: 'a fox --cfg 31' }, en.refusal.numberRange('--cfg', 0, 30)],
  [{ prompt: 'a fox --sparkle' }, 'The flags are `--size`, `--workflow`, `--steps`, '],
  [{ prompt: 'a fox --ar 99:1' }, en.typed.ratio('`99:1`', 34)],
  [{ prompt: 'a fox --ar 3:2', size: 'square' }, en.typed.contradiction('`size`')],
  [{ prompt: '--seed 7' }, en.refusal.prompt],
  [{ prompt: 'a {red fox' }, en.typed.unclosedBrace],
  [{ prompt: 'a {b, c, d} {e, f}' }, en.typed.tooManyPictures(6, 4)],
  [{ prompt: 'a {b, c}', count: 3 }, en.typed.tooManyPictures(6, 4)],
  [{ prompt: 'a fox --n 9' }, en.refusal.integerRange('--n', 1, 4)],
  [{ prompt: 'a fox', size: 'huge' }, 'Large portrait'],
  [{ prompt: 'a fox', cfg: 5 }, en.refusal.noEffect('cfg', ['anime', 'rr3'])],
])(
  '%j is refused in private with what was meant, and Edit opens with what was typed',
  async (options, said) => {
    const world = await botWorld();
    const refused = await run(world.member, 'imagine', options);
    expect(refused.content).toContain(said);
    const { filled } = formOf(await press(world, refused, en.editForm.edit));
    expect(filled.prompt).toBe(options.prompt);
    if ('size' in options) expect(filled.size).toBe(options.size);
    if ('cfg' in options) expect(filled.flags).toBe('--cfg 5');
    expect(await world.service.balance()).toBe(100);
  },
);

test('everything that is wrong is said at once', async () => {
  const world = await botWorld();
  const { content } = await run(world.member, 'imagine', { prompt: 'a fox --stpes 3 --n 9', size: 'huge' });
  for (const said of [
    en.typed.unknown('`--stpes`', '`--steps`'),
    en.refusal.integerRange('--n', 1, 4),
    'Large portrait',
  ]) {
    expect(content).toContain(said);
  }
});

test('what was refused is made once it is mended in the form', async () => {
  const world = await botWorld();
  const refused = await run(world.member, 'imagine', { prompt: 'a fox --sed 7', size: 'port' });
  const { id } = formOf(await press(world, refused, en.editForm.edit));
  const fields = {
    prompt: 'a fox',
    negative_prompt: '',
    size: 'port',
    workflow: ['anime'],
    flags: '--seed 7',
  };
  const made = await world.ended(messageOf(await world.member.submitModal(id, fields)).id);
  expect(made.attachments[0]).toMatchObject({ filename: 'darkroom-7.png' });
});

test('a size that is none is repeated, with what it may have been meant to be', async () => {
  const world = await botWorld();
  const refused = await run(world.member, 'imagine', { prompt: 'a fox', size: 'potrait' });
  expect(refused.content).toMatch(/^There is no `potrait`\. Did you mean `Portrait`\? `size` can be/);
  const { filled } = formOf(await press(world, refused, en.editForm.edit));
  expect(filled).toMatchObject({ prompt: 'a fox', size: 'potrait' });
});

test('words beyond what fits are counted, kept as far as the form holds them, and that is said', async () => {
  const world = await botWorld();
  // Not every client keeps to what a command declares.
  const [imagine, ...others] = payloadsOf(commands.filter(({ data }) => data.name === 'imagine'));
  const unbounded = JSON.parse(JSON.stringify(imagine).replaceAll('"max_length":4000', '"max_length":6000'));
  await world.register(unbounded, ...others);
  const refused = await run(world.member, 'imagine', { prompt: 'x'.repeat(5_000) });
  expect(refused.content).toBe(en.typed.tooLong('`prompt`', 1_000));
  const form = await press(world, refused, en.editForm.edit);
  expect(formOf(form).filled.prompt).toHaveLength(4_000);
  expect(JSON.stringify(form)).toContain(en.editForm.cut(1_000));
});

test('where the backslashes of a finished prompt do not fit into the form, it says what is missing', async () => {
  const world = await botWorld();
  // One pair of braces that makes permutations has all of them escaped.
  const made = await world.imagined({ prompt: `\\{a, b\\}${'{x}'.repeat(1_300)}`, size: '64x64' });
  const form = JSON.stringify(await press(world, made, en.actions.edit));
  const [, prompt = ''] = /"custom_id":"prompt".*?"value":("(?:[^"\\]|\\.)*")/.exec(form) ?? [];
  const kept: unknown = JSON.parse(prompt);
  expect(kept).toHaveLength(4_000);
  expect(form).toContain(en.editForm.cut(3_906 + 2 * 1_301 - 4_000));
});

test('what was refused opens for nobody else, and not after a day', async () => {
  const world = await botWorld();
  const refused = await run(world.member, 'imagine', { prompt: 'a fox --sed 7' });
  const [, , id = ''] = buttonOf(refused, en.editForm.edit).split(':');
  const other = await run(world.as(MODERATOR), 'imagine', { prompt: 'a fox --sed 8' });
  expect(buttonOf(other, en.editForm.edit)).not.toContain(id);
});

test('what is typed into a form whose draft is erased meanwhile is not lost', async () => {
  const world = await botWorld();
  const refused = await run(world.member, 'imagine', { prompt: 'a fox --sed 7' });
  const { id } = formOf(await press(world, refused, en.editForm.edit));
  await eraseAll(world.member);
  const told = messageOf(await world.member.submitModal(id, { prompt: 'a fox in the snow', size: '64x64' }));
  expect(told.content).toBe(en.typed.onlyWords);
  const again = formOf(await press(world, told, en.editForm.edit));
  expect(again.filled).toMatchObject({ prompt: 'a fox in the snow', size: '64x64' });
  const made = await world.ended(messageOf(await world.member.submitModal(again.id, {})).id);
  expect(made.embeds[0]?.description).toBe('a fox in the snow');
});

test('permutations are asked about with their price, and paid for once however often it is confirmed', async () => {
  const world = await botWorld();
  const asked = await asks(world, { prompt: 'a {red, blue} fox', size: '64x64' });
  expect(Number(asked.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect(asked.content).toMatch(
    /^Make \*\*2\*\* pictures\?\n1\. a red fox\n2\. a blue fox\nThey cost \*\*[\d.]+\*\* credits\.$/,
  );
  expect(await world.service.balance()).toBe(100);
  await world.restartBot();
  const answers = await Promise.all([
    press(world, asked, en.confirm.make),
    press(world, asked, en.confirm.make),
  ]);
  const [first] = answers.flatMap((answer) => (answer.kind === 'message' ? [answer.message] : []));
  const made = await world.ended(`${first?.id}`);
  expect(made.attachments.map(({ description }) => description)).toEqual([
    '1 of 2: a red fox',
    '2 of 2: a blue fox',
  ]);
  world.clock.advance(4_000);
  const again = await press(world, asked, en.confirm.make);
  if (again.kind !== 'update') throw new Error(again.kind);
  expect(again.message.content).toBe(en.confirm.begun.delivered(linkTo(made)));
  expect(again.message.components).toEqual([]);
  const paid = 100 - (await world.service.balance());
  expect(asked.content).toContain(`**${paid}** credits`);
});

test('a question becomes what came of it, and has no buttons then', async () => {
  const world = await botWorld();
  const asked = await asks(world, { prompt: 'a {red, blue} fox', size: '64x64' });
  const made = messageOf(await press(world, asked, en.confirm.make));
  await sees(world.member, ({ id, components }) => id === asked.id && !components?.length);
  await world.ended(made.id);
  // It stays for good, and the picture is there by now.
  expect(world.member.message(asked.id)?.content).toBe(`Asked for: ${linkTo(made)}`);
});

test('a question that still stands after it was confirmed is not cancelled, and says what came of it', async () => {
  const world = await botWorld();
  const asked = await asks(world, { prompt: 'a {red, blue} fox', size: '64x64' });
  await world.restartBot();
  const made = await world.ended(messageOf(await press(world, asked, en.confirm.make)).id);
  const answer = await press(world, asked, en.cancel.button);
  if (answer.kind !== 'update') throw new Error(answer.kind);
  expect(answer.message.content).toBe(en.confirm.begun.delivered(linkTo(made)));
});

test('what was confirmed and came to nothing says why, and can be tried again', async () => {
  const world = await botWorld();
  const asked = await asks(world, { prompt: 'a {red, blue} fox', size: '64x64' });
  const [, , id = ''] = buttonOf(asked, en.confirm.make).split(':');
  await world.stopBot();
  // As a process leaves it that is killed before it has answered.
  const store = await openStore({ url: `sqlite://${join(world.folder, 'bot.sqlite')}`, log: silentLog() });
  const jobs = createJobStore({ store, vault: createVault(['b'.repeat(64)]) });
  const place = { guildId: GUILD, channelId: CHANNEL, applicationId: BOT };
  const member = { id: MEMBER, locale: 'en-US' };
  await jobs.create(aJob({ id, ...place, member, state: 'asked', tasks: [TASKS.planned] }));
  await store.close();
  await world.startBot();
  await world.reads(en.failure.reasons.restarted);
  const again = await press(world, asked, en.confirm.make);
  if (again.kind !== 'update') throw new Error(again.kind);
  expect(again.message.content).toBe(`${en.confirm.begun.failed} ${en.failure.reasons.restarted}`);
  expect(buttonOf(again.message, en.picture.tryAgain)).toContain(id);
});

test('Again of permutations asks about the same pictures, and Cancel makes none', async () => {
  const world = await botWorld();
  const made = await world.imagined({ prompt: 'a {red, blue} fox', size: '64x64', negative_prompt: 'snow' });
  const paid = await world.service.balance();
  const asked = messageOf(await press(world, made, en.picture.again));
  expect(asked.content).toContain('1. a red fox\n2. a blue fox');
  await press(world, asked, en.cancel.button);
  expect(await world.service.balance()).toBe(paid);
});

test('a typed count is asked about where there is a price, and goes ahead where there is none', async () => {
  const world = await botWorld();
  const asked = await asks(world, { prompt: 'a fox', count: 3, size: '64x64' });
  expect(asked.content).toMatch(/^Make \*\*3\*\* pictures\?\nThey cost \*\*[\d.]+\*\* credits\.$/);
  const service = await createHostileService();
  service.script('dryRun', refusal(404, 'unknown endpoint'));
  const other = await botWorld({ imageUrl: service.baseUrl, operatorKey: A_KEY });
  await other.ended((await asks(other, { prompt: 'a fox', count: 2 })).id);
  expect(await submitted(service)).toHaveLength(2);
});

test('that a picture of one’s own has no price before it is brought takes no other question away', async () => {
  const world = await botWorld({ service: { engine: editingEngine() } });
  const image = await photograph();
  await begun(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a cat', image, count: 2 }), world);
  const asked = await asks(world, { prompt: 'a fox', count: 2, size: '64x64' });
  expect(asked.content).toMatch(/They cost \*\*[\d.]+\*\* credits\.$/);
});

test('braces and dashes of a finished picture stay words when it is made again', async () => {
  const world = await botWorld();
  const made = await world.imagined({ prompt: 'a \\{red, blue\\} fox \\--no kidding', size: '64x64' });
  expect(made.attachments[0]?.description).toBe('a {red, blue} fox --no kidding');
  const again = await world.ended(messageOf(await press(world, made, en.picture.again)).id);
  expect(again.attachments[0]?.description).toBe('a {red, blue} fox --no kidding');
});

test('a flag that is added to the prompt of Edit counts over what the form was opened with', async () => {
  const world = await botWorld();
  const made = await world.imagined({ prompt: 'a fox', size: '64x64' });
  const { id } = formOf(await press(world, made, en.editForm.edit));
  const fields = {
    prompt: 'a fox --size 128x64',
    negative_prompt: '',
    size: '64x64',
    workflow: ['default'],
    flags: '',
  };
  const edited = await world.ended(messageOf(await world.member.submitModal(id, fields)).id);
  expect(edited.attachments[0]).toMatchObject({ width: 128, height: 64 });
});

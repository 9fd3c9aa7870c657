import { ApplicationCommandOptionType, type CommandInteractionOption } from 'discord.js';
import type { RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord-api-types/v10';
import { expect, expectTypeOf, test } from 'vitest';
import { type OptionsOf, type PickedUser, parseOptions, type SubcommandsOf } from '../../src/bot/options.ts';
import type { AttachedFile } from '../../src/jobs/input.ts';

const Type = ApplicationCommandOptionType;

/** A payload with the types that `defineCommand` gives it. */
const payload = <const Data extends RESTPostAPIChatInputApplicationCommandsJSONBody>(data: Data) => data;

const flat = payload({
  name: 'draw',
  description: 'd',
  options: [
    { type: Type.String, name: 'prompt', description: 'd', required: true },
    { type: Type.Integer, name: 'steps', description: 'd' },
    { type: Type.Boolean, name: 'private', description: 'd' },
    { type: Type.User, name: 'member', description: 'd' },
    { type: Type.Attachment, name: 'graph', description: 'd' },
    {
      type: Type.String,
      name: 'workflow',
      description: 'd',
      choices: [
        { name: 'One', value: 'one' },
        { name: 'Two', value: 'two' },
      ],
    },
  ],
});

const grouped = payload({
  name: 'key',
  description: 'd',
  options: [
    { type: Type.Subcommand, name: 'show', description: 'd' },
    {
      type: Type.Subcommand,
      name: 'link',
      description: 'd',
      options: [{ type: Type.Boolean, name: 'visible', description: 'd' }],
    },
    {
      type: Type.SubcommandGroup,
      name: 'server',
      description: 'd',
      options: [
        {
          type: Type.Subcommand,
          name: 'link',
          description: 'd',
          options: [{ type: Type.Channel, name: 'where', description: 'd', required: true }],
        },
      ],
    },
  ],
});

test("a handler's options have the types of its payload", () => {
  type Draw = OptionsOf<typeof flat>;
  expectTypeOf<Draw['prompt']>().toEqualTypeOf<string>();
  expectTypeOf<Draw['steps']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Draw['private']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<Draw['member']>().toEqualTypeOf<PickedUser | undefined>();
  expectTypeOf<Draw['graph']>().toEqualTypeOf<AttachedFile | undefined>();
  expectTypeOf<Draw['workflow']>().toEqualTypeOf<'one' | 'two' | undefined>();
  expectTypeOf<keyof Draw>().toEqualTypeOf<
    'prompt' | 'steps' | 'private' | 'member' | 'graph' | 'workflow'
  >();
});

test('every subcommand has its path, and options of its own', () => {
  type Key = SubcommandsOf<typeof grouped>;
  expectTypeOf<keyof Key>().toEqualTypeOf<'show' | 'link' | 'server link'>();
  expectTypeOf<Key['link']>().toEqualTypeOf<{ visible: boolean | undefined }>();
  expectTypeOf<Key['server link']>().toEqualTypeOf<{ where: string }>();
  expectTypeOf<keyof Key['show']>().toEqualTypeOf<never>();
});

test('values are read by name, and what was not filled in is not there', () => {
  const data: CommandInteractionOption[] = [
    { type: Type.String, name: 'prompt', value: 'a fox' },
    { type: Type.Integer, name: 'steps', value: 0 },
    { type: Type.Boolean, name: 'private', value: false },
  ];
  expect(parseOptions(data)).toEqual({ path: '', values: { prompt: 'a fox', steps: 0, private: false } });
  expect(parseOptions([])).toEqual({ path: '', values: {} });
});

test('a subcommand is a path, with or without a group', () => {
  const visible: CommandInteractionOption = { type: Type.Boolean, name: 'visible', value: true };
  const link: CommandInteractionOption = { type: Type.Subcommand, name: 'link', options: [visible] };
  expect(parseOptions([link])).toEqual({ path: 'link', values: { visible: true } });
  expect(parseOptions([{ type: Type.Subcommand, name: 'show' }])).toEqual({ path: 'show', values: {} });
  expect(parseOptions([{ type: Type.SubcommandGroup, name: 'server', options: [link] }])).toEqual({
    path: 'server link',
    values: { visible: true },
  });
});

test('a picked user is an id, and whether they are in the server', () => {
  const id = '200000000000000001';
  const picked: CommandInteractionOption = { type: Type.User, name: 'member', value: id };
  expect(parseOptions([picked]).values).toEqual({ member: { id, inGuild: false } });
});

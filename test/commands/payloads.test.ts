import { readdirSync, readFileSync } from 'node:fs';
import { createImageClient } from '@darkroom/image-api';
import { NOWHERE, silentLog } from '@darkroom/testing';
import { DAY_MS, systemClock } from '@darkroom/time';
import {
  type APIApplicationCommandOption,
  ApplicationCommandOptionType,
  PermissionFlagsBits,
} from 'discord.js';
import { ApplicationCommandCreateRequestSchema } from 'discord-api-spec/zod';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command, MessageCommand } from '../../src/bot/command.ts';
import { withVersion } from '../../src/bot/custom-id-version.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import { createKeptGraphs } from '../../src/graphs/kept-graphs.ts';
import { createGuildSettings } from '../../src/guilds/guild-settings.ts';
import { customId } from '../../src/messages/buttons.ts';
import { en } from '../../src/messages/locale/en.ts';
import { textsFor } from '../../src/messages/locale/texts.ts';
import { createKnownModels } from '../../src/requests/known-models.ts';
import { createOffers } from '../../src/requests/offers.ts';
import { CALLED_BY } from '../support/job.ts';
import { createStoreWorld } from '../support/store.ts';

const GUILD = CALLED_BY.guildId;
const MEMBER = CALLED_BY.member.id;

const byName = commands.map((command) => [command.data.name, command] as const);
type Options = readonly APIApplicationCommandOption[];

/** Every list of options of a command: its own, and those of its subcommands. */
function optionLists(options: Options = []): Options[] {
  return [options, ...options.flatMap((option) => ('options' in option ? optionLists(option.options) : []))];
}

/** What Discord counts towards 8000: names, descriptions and the values of choices. */
const charactersOf = (data: Command['data']): number =>
  [data, ...optionLists(data.options).flat()]
    .flatMap((one) => [
      one.name,
      one.description,
      ...('choices' in one ? (one.choices ?? []).flatMap(({ name, value }) => [name, `${value}`]) : []),
    ])
    .reduce((sum, text) => sum + text.length, 0);

/**
 * What is wrong with a payload. The schema knows permissions as a number only; Discord takes the text that libraries
 * send.
 */
const issuesOf = ({
  default_member_permissions: permissions,
  ...data
}: Command['data'] | MessageCommand['data']) =>
  ApplicationCommandCreateRequestSchema.safeParse({
    ...data,
    ...(permissions != null && { default_member_permissions: Number(permissions) }),
  }).error?.issues;

test('every file directly in commands/ is on the list, once', async () => {
  const folder = new URL('../../commands/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'index.ts');
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(new URL(file, folder).href)),
  );
  expect(commands).toHaveLength(files.length);
  for (const exported of modules) expect(commands).toEqual(expect.arrayContaining(Object.values(exported)));
});

test('names are unique, and there are no more than Discord takes', () => {
  expect(new Set(byName.map(([name]) => name)).size).toBe(commands.length);
  expect(commands.length).toBeLessThanOrEqual(100);
});

test.each(payloadsOf(commands).filter((data) => 'description' in data))(
  'the German of /$name says of whom Discord wants a permission, as its English does',
  (data) => {
    const inGerman = { 'Manage Server': '„Server verwalten“', 'Timeout Members': '„Mitglieder im Timeout“' };
    for (const { description, description_localizations: others } of [
      data,
      ...optionLists(data.options).flat(),
    ])
      for (const [permission, german] of Object.entries(inGerman))
        expect(others?.de?.includes(german), description).toBe(description.includes(`(${permission})`));
  },
);

test.each(byName)('/%s is what Discord takes', (_name, { data }) => {
  expect(issuesOf(data)).toBeUndefined();
  expect(charactersOf(data)).toBeLessThanOrEqual(8_000);
  expect(data.description).toMatch(/^.{1,100}$/);
  expect(data.name).toMatch(/^[a-z_]{1,32}$/);
});

/** The path of everything in a payload that has a description. */
const pathsOf = (name: string, options: Options = []): string[] => [
  name,
  ...options.flatMap((option) =>
    pathsOf(`${name} ${option.name}`, 'options' in option ? option.options : undefined),
  ),
];

test('every command and option says in German, too, what it is for, within what Discord takes', () => {
  const { commands: described } = textsFor('de');
  expect(Object.keys(described).toSorted()).toEqual(
    commands.flatMap(({ data }) => pathsOf(data.name, data.options)).toSorted(),
  );
  for (const text of Object.values(described)) expect(text).toMatch(/^.{1,100}$/);
  for (const payload of payloadsOf(commands)) {
    expect(issuesOf(payload)).toBeUndefined();
  }
  expect(payloadsOf(commands)[0]).toMatchObject({
    description_localizations: { de: described.imagine },
    options: expect.arrayContaining([
      expect.objectContaining({ description_localizations: { de: described['imagine prompt'] } }),
    ]),
  });
});

test.each(payloadsOf(commands).map((payload) => [payload.name, payload] as const))(
  '%s can be installed to servers and to users, and used everywhere',
  (_name, payload) => {
    expect(payload.contexts).toEqual([0, 1, 2]);
    expect(payload.integration_types).toEqual([0, 1]);
  },
);

const menu = commands.flatMap(({ messageCommands = [] }) => messageCommands);

test('what stands in the menu of a message is what Discord takes, and has a name in German', () => {
  expect(menu.length).toBeLessThanOrEqual(15);
  expect(new Set(menu.map(({ data }) => data.name)).size).toBe(menu.length);
  for (const { data } of menu) {
    expect(issuesOf(data)).toBeUndefined();
    expect(data).not.toHaveProperty('description');
    for (const name of [data.name, data.name_localizations?.de]) expect(name).toMatch(/^.{1,32}$/);
  }
});

test.each(byName)(
  'the options of /%s have names of their own, short descriptions, and required ones first',
  (_name, { data }) => {
    for (const options of optionLists(data.options)) {
      expect(options.length).toBeLessThanOrEqual(25);
      expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
      const required = options.map((option) => 'required' in option && option.required === true);
      expect(required).toEqual(required.toSorted((one, other) => Number(other) - Number(one)));
      for (const option of options) {
        expect(option.name).toMatch(/^[a-z_]{1,32}$/);
        expect(option.description).toMatch(/^.{1,100}$/);
        if (!('choices' in option) || !option.choices) continue;
        expect(option.choices.length).toBeLessThanOrEqual(25);
        for (const { name } of option.choices) expect(name).toMatch(/^.{1,100}$/);
      }
    }
  },
);

test.each(byName)('what /%s suggests is what Discord shows', async (_name, { data, autocomplete }) => {
  const { store } = await createStoreWorld();
  const images = createImageClient({ baseUrl: NOWHERE });
  onTestFinished(images.close);
  const suggestions = {
    guildSettings: createGuildSettings({ store, log: silentLog() }),
    keptGraphs: createKeptGraphs({ store, clock: systemClock }),
    knownModels: createKnownModels({ store, retentionMs: 1_000, clock: systemClock }),
    // Nobody has asked the service yet.
    offers: createOffers({ images, clock: systemClock, log: silentLog() }),
    usage: { retentionMs: 365 * DAY_MS },
  };
  const asked = { guildId: GUILD, memberId: MEMBER, given: {}, ...suggestions };
  for (const name of ['Poster', '🦊'.repeat(20)]) {
    await suggestions.keptGraphs.save(GUILD, {
      name,
      nodes: { 1: { class_type: 'KSampler', inputs: {} } },
      uses: [],
    });
  }
  const options = optionLists(data.options).flat();
  const completed = options.filter((option) => 'autocomplete' in option && option.autocomplete);
  expect(autocomplete !== undefined).toBe(completed.length > 0);
  for (const { name } of completed) {
    for (const typed of ['', ' ', 'a', '640x480', 'x'.repeat(6_000), '🦊'.repeat(200)]) {
      for (const choice of (await autocomplete?.(name, typed, en, asked)) ?? []) {
        expect(choice.name.trim()).not.toBe('');
        expect(choice.name.length).toBeLessThanOrEqual(100);
        expect(choice.value.length).toBeLessThanOrEqual(100);
      }
    }
  }
});

test.each(byName)(
  'the buttons, menus and forms of /%s have ids that fit, whatever they carry',
  (_name, { data, buttons, selects, forms }) => {
    const longest = '1'.repeat(20);
    for (const name of Object.keys({ ...buttons, ...selects, ...forms })) {
      expect(name).not.toContain(':');
      const id = customId(data.name, name, longest, longest, longest);
      expect(withVersion(id, '').length).toBeLessThanOrEqual(100);
    }
  },
);

test('every custom id has a handler, and every handler a custom id', () => {
  const made = ['../../src/bot/', '../../commands/'].flatMap((path) => {
    const folder = new URL(path, import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.flatMap((file) => {
      const text = file.endsWith('.ts') ? readFileSync(new URL(file, folder), 'utf8') : '';
      return [...text.matchAll(/\bcustomId\(\s*'(\w+)',\s*'(\w+)'/g)].map(([, command = '', name = '']) =>
        customId(command, name),
      );
    });
  });
  const handled = byName.flatMap(([name, { buttons, selects, forms }]) =>
    Object.keys({ ...buttons, ...selects, ...forms }).map((one) => customId(name, one)),
  );
  expect(new Set(made)).toEqual(new Set(handled));
});

test('who lacks the right for a whole command does not see it', () => {
  const hidden = byName.flatMap(([name, { data }]) =>
    data.default_member_permissions == null ? [] : [[name, BigInt(data.default_member_permissions)]],
  );
  expect(Object.fromEntries(hidden)).toEqual({
    usage: PermissionFlagsBits.ManageGuild,
    moderate: PermissionFlagsBits.ModerateMembers,
  });
});

test('no option takes a secret, which everybody could read', () => {
  const options = commands.flatMap(({ data }) => optionLists(data.options).flat());
  const asking = options.filter(
    ({ type, name }) => type === ApplicationCommandOptionType.String && /key|token|secret/.test(name),
  );
  expect(asking).toEqual([]);
});

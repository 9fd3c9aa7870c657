import { expect, test } from 'vitest';
import { linkCommands } from '../../src/messages/link-commands.ts';
import { verbatim } from '../../src/messages/message.ts';

const IDS = new Map([
  ['imagine', '100000000000000001'],
  ['apikey', '100000000000000002'],
]);
const idOf = (name: string) => IDS.get(name);
const linked = (content: string) => linkCommands({ content }, idOf).content;

test.each([
  ['Use `/imagine`.', 'Use </imagine:100000000000000001>.'],
  ['`/apikey server link`', '</apikey server link:100000000000000002>'],
  ['`/unknown` stays', '`/unknown` stays'],
  ['`/imagine prompt:a fox`', '`/imagine prompt:a fox`'],
  ['```/imagine```', '```/imagine```'],
  [verbatim('`/imagine`'), '\\`/imagine\\`'],
])('%s becomes %s', (text, shown) => {
  expect(linked(text)).toBe(shown);
});

test('commands in embeds can be clicked as well', () => {
  const [embed] =
    linkCommands(
      { embeds: [{ description: '`/imagine`', fields: [{ name: 'a', value: '`/apikey link`' }] }] },
      idOf,
    ).embeds ?? [];
  expect(embed?.description).toBe('</imagine:100000000000000001>');
  expect(embed?.fields?.[0]?.value).toBe('</apikey link:100000000000000002>');
});

test('a message does not grow beyond what Discord takes', () => {
  const full = `${'x'.repeat(1_990)}\`/imagine\``.slice(0, 2_000);
  expect(linked(full)).toBe(full);
});

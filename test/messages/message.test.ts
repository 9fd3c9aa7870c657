import { anyCodePoint } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unfurls } from '../../packages/local-discord/src/rules/unfurls.ts';
import { foreignText, inCode } from '../../src/messages/foreign-text.ts';
import {
  bareLink,
  MESSAGE_LIMITS,
  toBody,
  toReplyOptions,
  truncate,
  truncateLinked,
  verbatim,
} from '../../src/messages/message.ts';
import { foreign } from '../support/any-job.ts';

const anyText = fc.string({ unit: anyCodePoint, maxLength: 60 });

test('cut text is never longer than its limit, and begins like the whole', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 50 }), (text, limit) => {
      const cut = truncate(text, limit);
      expect(cut.length).toBeLessThanOrEqual(limit);
      if (text.length <= limit) expect(cut).toBe(text);
      else expect(text.startsWith(cut.slice(0, -1)) && cut.endsWith('…')).toBe(true);
    }),
  );
});

test('cut text never ends with half of a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '🦊', '𝔽'), maxLength: 40 }),
      fc.nat(40),
      (text, limit) => {
        expect(truncate(text, limit + 1)).not.toMatch(/\p{Surrogate}/u);
      },
    ),
  );
});

test.each([
  [
    '**bold** _it_ ~~no~~ ||spoiler|| `code`',
    '\\*\\*bold\\*\\* \\_it\\_ \\~\\~no\\~\\~ \\|\\|spoiler\\|\\| \\`code\\`',
  ],
  ['# heading', '\\# heading'],
  ['- list\n 1. one', '\\- list\n 1\\. one'],
  ['-# small', '\\-# small'],
  ['> quote <@1> <t:0:R>', '\\> quote \\<@1\\> \\<t:0:R\\>'],
  ['a 2.5 m fox - red', 'a 2.5 m fox - red'],
  ['[a bank](https://evil.example)', '\\[a bank\\](https\\://evil\\.example)'],
  ['discord.gg/abc 2.5', 'discord\\.gg/abc 2.5'],
  ['@everyone @here @fox', '\\@everyone \\@here @fox'],
])('markdown shows as it was typed: %s', (typed, shown) => {
  expect(verbatim(typed)).toBe(shown);
});

test('showing text as it was typed adds backslashes and nothing else', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'\\`*_~|[]()<>#+-1. \na'), maxLength: 30 });
  fc.assert(
    fc.property(typed, (text) => {
      const unescaped = verbatim(text).replace(/\\([^0-9A-Za-z\s])/g, '$1');
      expect(unescaped).toBe(text);
    }),
  );
});

test('a message says everything that it replaces, and notifies nobody', () => {
  expect(toBody({}).body).toEqual({
    content: '',
    embeds: [],
    components: [],
    allowed_mentions: { parse: [], users: [] },
    attachments: [],
  });
});

test('only who is named is notified', () => {
  const { body } = toBody({ content: '@everyone <@&1> <@2> <@3>', notify: ['3'] });
  expect(body.allowed_mentions).toEqual({ parse: [], users: ['3'] });
});

test('files keep their order, their bytes and their words', () => {
  const files = ['one', 'two'].map((name) => ({
    name: `${name}.png`,
    bytes: new TextEncoder().encode(name),
    contentType: 'image/png',
    alt: name.repeat(1_000),
  }));
  const { body, files: raw } = toBody({ files });
  expect(body.attachments?.map(({ id, filename }) => [id, filename])).toEqual([
    ['0', 'one.png'],
    ['1', 'two.png'],
  ]);
  for (const { description } of body.attachments ?? []) expect(description).toHaveLength(1_024);
  expect(raw.map(({ data }) => `${data}`)).toEqual(['one', 'two']);
});

test('embeds are cut to what Discord takes of one, and of all together, and what is short stays whole', () => {
  const many = Array.from({ length: 5 }, (_, nth) => ({
    title: `Picture ${nth}`,
    description: nth === 0 ? 'A fox.' : 'x'.repeat(5_000),
    footer: { text: 'f'.repeat(100) },
    fields: [{ name: 'Seed', value: '7' }],
  }));
  for (const embeds of [many, many.slice(1, 2)])
    for (const written of [toBody({ embeds }).body.embeds, toReplyOptions({ embeds }).embeds]) {
      let all = 0;
      for (const { title, description, footer, fields: [field] = [] } of written ?? []) {
        expect(description?.length).toBeLessThanOrEqual(MESSAGE_LIMITS.embedDescription);
        for (const text of [title, description, footer?.text, field?.name, field?.value])
          all += text?.length ?? 0;
      }
      expect(all).toBeLessThanOrEqual(MESSAGE_LIMITS.embeds);
      expect(all).toBeGreaterThan(4_096);
    }
  expect(toBody({ embeds: many }).body.embeds?.[0]).toEqual(many[0]);
  const whole = [3_500, 100, 2_400].map((length) => ({ description: 'x'.repeat(length) }));
  expect(toBody({ embeds: whole }).body.embeds).toEqual(whole);
  expect(toBody({ embeds: [{ title: 'A fox' }] }).body.embeds).toEqual([{ title: 'A fox' }]);
});

test('a link that does not fit into a message is left out whole', () => {
  const link = bareLink(`https://images.example.com/${'a'.repeat(1_990)}`);
  expect(toBody({ content: `Too large: ${link}` }).body.content).toBe('Too large: …');
});

test('a spoiler around a link is whole or left out, wherever its text is cut and whatever the address holds', () => {
  const text = `The picture is ready: ||${bareLink('https://images.example.com/a||b?c=|d')}||. Ask again.`;
  for (let limit = 1; limit <= text.length; limit += 1)
    expect(truncateLinked(text, limit).split('||')).toHaveLength(limit < text.indexOf('||. ') + 4 ? 1 : 3);
});

test('what is no address of the web is no link, whatever address stands in it', () => {
  expect(bareLink('mine://https://discord.gg/abc')).not.toMatch(/https?:\/\/discord/);
});

test.each(['https://discord.gg/abc', 'DISCORD.com/invite/abc', '?to=discord.new/abc'])(
  'an address with %s in its path is a link, and no invitation',
  (path) => {
    const link = bareLink(`https://images.example.com/${path}`);
    expect(link).toMatch(/^<https:\/\/images\.example\.com\/.*>$/);
    expect(unfurls({ content: link })).toEqual([]);
    expect(decodeURIComponent(link)).toContain(path);
  },
);

test('of two texts of somebody else in one message neither makes the other one unfurl', () => {
  const written = fc.constantFrom(inCode, foreignText, verbatim, bareLink);
  fc.assert(
    fc.property(written, written, foreign(60), (one, other, text) => {
      const link = other('https://discord.gg/abc fox');
      expect(unfurls({ content: `${one(text)} and ${link}, ${one(text)} and ${link}` })).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test('half of a character is not sent, and a whole one is', () => {
  expect(verbatim('a \ud83d fox \udd8a')).toBe('a  fox ');
  expect(inCode('\ud83d--x')).toBe('`--x`');
  expect(foreignText('\udd8afox')).toBe('fox');
  expect(verbatim('🦊')).toBe('🦊');
});

test('a prompt turns the direction of nothing that stands behind it', () => {
  expect(verbatim('a \u202exof\u202c \u2067der\u2069 \u200ffox')).toBe('a xof der fox');
  expect(inCode('--x\u202e')).toBe('`--x`');
  const files = [{ name: '1.png', bytes: new Uint8Array(), contentType: 'image/png', alt: 'a \u202exof' }];
  expect(toBody({ files }).body.attachments).toMatchObject([{ description: 'a xof' }]);
  expect(verbatim('\u{1f469}\u200d\u{1f680}')).toBe('\u{1f469}\u200d\u{1f680}');
});

import { anyCodePoint } from '@darkroom/testing';
import { MessageEditRequestPartialSchema } from 'discord-api-spec/zod';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { concernsCredits } from '../../src/delivery/explain-failure.ts';
import { jobProgressOf, renderProgress } from '../../src/delivery/progress/render-progress.ts';
import { headline } from '../../src/delivery/prompt-text.ts';
import { renderOutcome } from '../../src/delivery/render-outcome.ts';
import { renderRedirect } from '../../src/delivery/render-redirect.ts';
import type { JobPicture } from '../../src/jobs/delivery-port.ts';
import type { Job } from '../../src/jobs/job.ts';
import { type JobTask, type TaskFailure, taskFailure } from '../../src/jobs/job-task.ts';
import { NO_PROGRESS } from '../../src/jobs/task-progress.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type Message, toBody } from '../../src/messages/message.ts';
import { nextStepsOf } from '../../src/messages/next-steps.ts';
import { aJob, TASKS } from '../support/job.ts';

const NEXT_STEPS = nextStepsOf(commands);

const pictureOf = (task: number): JobPicture => ({
  task,
  bytes: new Uint8Array([1]),
  contentType: 'image/png',
});
/** Discord's limits, from its documentation ("Message Resource", "Embed Limits"). */
function expectWithinLimits(message: Message): void {
  const { body } = toBody(message);
  expect(MessageEditRequestPartialSchema.safeParse(body).error?.issues).toBeUndefined();
  expect(body.content?.length).toBeLessThanOrEqual(2_000);
  expect(body.allowed_mentions).toEqual({ parse: [], users: [] });
  for (const { description } of body.attachments ?? []) {
    expect(description?.length).toBeLessThanOrEqual(1_024);
    expect(description?.trim()).not.toBe('');
  }
  let total = 0;
  for (const { description = '', fields = [] } of body.embeds ?? []) {
    expect(description.length).toBeLessThanOrEqual(4_096);
    expect(fields.length).toBeLessThanOrEqual(25);
    total += description.length;
    for (const { name, value } of fields) {
      expect(value.trim()).not.toBe('');
      expect(name.length).toBeLessThanOrEqual(256);
      expect(value.length).toBeLessThanOrEqual(1_024);
      total += name.length + value.length;
    }
  }
  expect(total).toBeLessThanOrEqual(6_000);
  expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/);
}

const long = (unit: fc.Arbitrary<string>) => fc.string({ unit, maxLength: 6_000, size: 'max' });
const words = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 300 }),
  long(fc.constantFrom('*', '_', '`', '🦊', ' ', '\n', '@everyone ', '[x](https://e.example)')),
  fc.constantFrom(' ', '\u3000', '@everyone', '<@200000000000000001>', '*'.repeat(4_000), '🦊'.repeat(2_000)),
);
const prompts = words.filter((text) => text.trim() !== '');

const failures = fc.record({
  kind: fc.constantFrom(...taskFailure.shape.kind.options),
  reason: words,
  reference: fc.stringMatching(/^[0-9a-f]{8}$/),
});
const tasks = fc.array(
  fc.oneof(
    fc.array(words, { maxLength: 8 }).map((notDrawn): JobTask => ({ ...TASKS.completed, notDrawn })),
    failures.map((why): JobTask => ({ ...TASKS.failed, failure: why })),
  ),
  { minLength: 1, maxLength: 4 },
);

test('whatever words come in, what goes out obeys the limits of Discord and would notify nobody', () => {
  fc.assert(
    fc.property(prompts, words, words, tasks, fc.boolean(), (prompt, negative_prompt, model, ended, fits) => {
      const submission = { ...aJob().submission, prompt, negative_prompt, model, steps: 50, cfg: 29.5 };
      const job = aJob({ submission, tasks: ended });
      const pictures = ended.flatMap((task, index) => (task.state === 'completed' ? [pictureOf(index)] : []));
      expectWithinLimits(renderOutcome(job, fits ? pictures : [], fits ? [] : pictures, en, NEXT_STEPS));
      const progress = ended.map(() => NO_PROGRESS);
      expectWithinLimits(renderProgress(job, jobProgressOf(job, progress, job.createdAt), en, NEXT_STEPS));
    }),
    { numRuns: 200 },
  );
});

test('a long prompt is cut between words to what one likes to read, with a button for the rest', () => {
  const submission = { ...aJob().submission, prompt: 'a red fox in the snow '.repeat(100) };
  const message = renderOutcome(aJob({ submission }), [pictureOf(0)], [], en, NEXT_STEPS);
  expectWithinLimits(message);
  expect(message.embeds?.[0]?.description).toMatch(/^(a red fox in the snow )+.*\w…$/);
  expect(message.embeds?.[0]?.description?.length).toBeLessThanOrEqual(301);
  const buttons = message.rows?.at(-1)?.components;
  expect(buttons).toMatchObject([{ label: 'Show prompt', custom_id: 'imagine:prompt:100000000000000001' }]);
});

test('a prompt of many lines is cut to a few', () => {
  const submission = { prompt: Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n') };
  const { embeds } = renderOutcome(aJob({ submission }), [pictureOf(0)], [], en, NEXT_STEPS);
  expect(embeds?.[0]?.description).toBe('line 0\nline 1\nline 2\nline 3\nline 4…');
});

test('a graph that was given no words is called by its name', () => {
  const graph = { name: 'poster.json', nodes: {}, uses: ['prompt' as const] };
  const { embeds } = renderOutcome(
    aJob({ graph, submission: { prompt: '' } }),
    [pictureOf(0)],
    [],
    en,
    NEXT_STEPS,
  );
  expect(embeds?.[0]?.description).toContain('poster');
});

test('pictures of different words name each of them, and differ for who cannot see them', () => {
  const tasks = ['a red fox', 'a blue fox'].map((prompt): JobTask => ({ ...TASKS.completed, prompt }));
  const pictures = [pictureOf(0), pictureOf(1)];
  const { embeds, files } = renderOutcome(aJob({ tasks }), pictures, [], en, NEXT_STEPS);
  expect(embeds?.[0]?.description).toBe('**1** a red fox\n**2** a blue fox');
  expect(files?.map(({ alt }) => alt)).toEqual(['1 of 2: a red fox', '2 of 2: a blue fox']);
});

test('a picture that was made from another one links to it, one of the same words alone does not', () => {
  const message = { channelId: aJob().channelId, messageId: '700000000000000001' };
  const parent = { jobId: '100000000000000009', message };
  const said = (changes: Partial<Job>) =>
    renderOutcome(aJob(changes), [pictureOf(0)], [], en, NEXT_STEPS).content;
  const input = { name: 'task:5' };
  const { member, guildId, channelId } = aJob();
  expect(said({ parent: { ...parent, task: 0 }, input })).toBe(
    `<@${member.id}> · made from https://discord.com/channels/${guildId}/${channelId}/700000000000000001`,
  );
  for (const words of [{ parent }, { parent, input }, { parent: { ...parent, task: 0 } }])
    expect(said(words)).toBe(`<@${member.id}>`);
});

test('a private picture does not say whose it is', () => {
  const { content } = renderOutcome(aJob({ private: true }), [pictureOf(0)], [], en, NEXT_STEPS);
  expect(content).toBe('');
});

test('that somebody could not pay for one of several is not told to all', () => {
  const unpaid: JobTask = { ...TASKS.failed, failure: { kind: 'insufficient-balance' } };
  const job = aJob({ tasks: [TASKS.completed, unpaid] });
  const { content } = renderOutcome(job, [pictureOf(0)], [], en, NEXT_STEPS);
  expect(content).toBe(`<@${job.member.id}>\n1 of 2 pictures did not come out.`);
});

test('a redirect says where the outcome is, without a word of the prompt', () => {
  const job = aJob({ submission: { prompt: 'a word that no moderator allows' } });
  const here = { channelId: job.channelId, messageId: '700000000000000001' };
  const elsewhere = { channelId: '800000000000000001', messageId: '700000000000000001' };
  const texts = [here, elsewhere, undefined].map((place) => renderRedirect(job, place, en).content ?? '');
  expect(texts[0]).toContain(`/${job.channelId}/700000000000000001`);
  expect(texts[1]).toBe(en.handover.direct);
  expect(texts[2]).toBe(en.handover.waiting);
  for (const text of texts) expect(text).not.toContain('moderator');
});

test('a picture comes with who asked, its prompt, size and workflow in a quiet colour, words for who cannot see it, and four buttons', () => {
  const { embeds, files, rows, content } = renderOutcome(aJob(), [pictureOf(0)], [], en, NEXT_STEPS);
  expect(content).toBe('<@200000000000000001>');
  expect(embeds).toMatchObject([{ description: 'a red fox', footer: { text: '512 × 768 · anime' } }]);
  // Discord's own grey: a colour would say that something is wrong.
  expect(embeds?.[0]).not.toHaveProperty('color');
  expect(files).toMatchObject([{ name: 'darkroom-7.png', alt: 'a red fox' }]);
  expect(rows?.flatMap(({ components }) => components)).toMatchObject([
    { label: 'Again', custom_id: 'imagine:again:100000000000000001' },
    { label: 'Vary', custom_id: 'imagine:vary:100000000000000001:0' },
    { label: 'Edit', custom_id: 'imagine:edit:100000000000000001' },
    { label: 'More', custom_id: 'imagine:more:100000000000000001:200000000000000001' },
  ]);
});

test('the file of a picture is named after its type', () => {
  const jpeg = { ...pictureOf(0), contentType: 'image/jpeg' };
  expect(renderOutcome(aJob(), [jpeg], [], en, NEXT_STEPS).files).toMatchObject([{ name: 'darkroom-7.jpg' }]);
});

test('a job that came to nothing says of what and why, once per reason', () => {
  const { content, embeds, files } = renderOutcome(
    aJob({ tasks: [TASKS.failed, TASKS.failed] }),
    [],
    [],
    en,
    NEXT_STEPS,
  );
  expect(content).toContain('Couldn’t make **a red fox**');
  expect(content?.split(en.failure.reasons['task-failed'])).toHaveLength(2);
  expect(content).toContain('out of memory');
  expect(embeds ?? files).toBeUndefined();
});

test('what a graph that failed has cost is told to its member alone, in one sum', () => {
  const paid: JobTask = { ...TASKS.failed, cost: 0.5 };
  const said = (hidden: boolean, tasks: readonly JobTask[] = [paid, paid]) =>
    renderOutcome(aJob({ private: hidden, tasks: [...tasks] }), [], [], en, NEXT_STEPS).content;
  expect(said(true)).toContain(en.cancel.price(1));
  expect(said(true, [{ ...paid, cost: 0 }])).not.toMatch(/cost/i);
  expect(said(false)).not.toMatch(/credit|cost/i);
  expect([{ ...paid, cost: 0 }, paid].map(concernsCredits)).toEqual([false, true]);
});

test.each(['timed-out', 'protocol'] as const)(
  'what a picture that was not to be had cost is told where the service says it, also that it was nothing: %s',
  (kind) => {
    const said = (cost: number | undefined, texts = en) => {
      const task: JobTask = { ...TASKS.failed, taskId: '7', failure: { kind }, cost };
      return renderOutcome(aJob({ private: true, tasks: [task] }), [], [], texts, NEXT_STEPS).content;
    };
    expect(said(undefined)).toContain(en.failure.mayBeCharged.operator);
    for (const texts of [en, de]) {
      expect(said(0.4, texts)).toContain(`${texts.failure.reasons[kind]} ${texts.cancel.price(0.4)}`);
      expect(said(0, texts)).toContain(`${texts.failure.reasons[kind]} ${texts.cancel.free}`);
      for (const cost of [0, 0.4])
        expect(said(cost, texts)).not.toContain(texts.failure.mayBeCharged.operator);
    }
  },
);

test('only a task that was accepted is a picture that the service no longer knows', () => {
  const said = (taskId: string | undefined) => {
    const task: JobTask = { ...TASKS.failed, taskId, failure: { kind: 'not-found' } };
    return renderOutcome(aJob({ tasks: [task] }), [], [], en, NEXT_STEPS).content;
  };
  expect(said('7')).toContain(en.failure.reasons['not-found']);
  expect(said(undefined)).toContain(en.failure.reasons.refused);
});

test.each([
  ['member', 'check `/balance`'],
  ['guild', 'Credits of this server may have been taken'],
  ['operator', 'none of yours'],
] as const)('what may have been charged is said of who pays: %s', (kind, words) => {
  const payer = kind === 'operator' ? { kind } : { kind, id: '200000000000000001' };
  const said = (failed: Partial<TaskFailure>, taskId?: string, { hidden = true } = {}) => {
    const failure: TaskFailure = { kind: 'unclear', ...failed };
    return renderOutcome(
      aJob({ payer, private: hidden, tasks: [{ ...TASKS.failed, taskId, failure }] }),
      [],
      [],
      en,
      NEXT_STEPS,
    ).content;
  };
  expect(said({ kind: 'unclear' })).toContain(words);
  expect(said({ kind: 'timed-out' }, '7')).toContain(words);
  expect(said({ kind: 'protocol' }, '7')).toContain(words);
  expect(said({ kind: 'protocol' })).not.toContain(words);
  expect(said({ kind: 'task-failed' }, '7')).not.toContain(words);
  expect(said({ kind: 'unclear' }, '7', { hidden: false })).not.toMatch(/credit|charge/i);
});

test.each(['unclear', 'withheld', 'timed-out', 'left'] as const)(
  'who is told to check what is left, by a key of their own, can do that at once: %s',
  (kind) => {
    const payer = { kind: 'member', id: '200000000000000001' } as const;
    const tasks: JobTask[] = [{ ...TASKS.failed, failure: { kind } }];
    const { content, rows } = renderOutcome(aJob({ payer, private: true, tasks }), [], [], en, NEXT_STEPS);
    expect(content).toContain(en.failure.mayBeCharged.member);
    expect(rows?.[0]?.components).toEqual([NEXT_STEPS.showBalance?.(en)]);
  },
);

test('when some came out, the others are counted and explained above them', () => {
  const { content, files } = renderOutcome(
    aJob({ tasks: [TASKS.completed, TASKS.failed] }),
    [pictureOf(0)],
    [],
    en,
    NEXT_STEPS,
  );
  expect(content).toContain('1 of 2 pictures did not come out');
  expect(files).toHaveLength(1);
});

test('pictures that failed for the same reason are explained once, with every reference', () => {
  const failed = (reference: string): JobTask => ({
    ...TASKS.failed,
    failure: { kind: 'protocol', reference },
  });
  const job = aJob({ tasks: [failed('0a'), failed('0b')] });
  const { content } = renderOutcome(job, [], [], en, NEXT_STEPS);
  expect(content?.split(en.failure.reasons.protocol)).toHaveLength(2);
  expect(content).toContain('References 0a, 0b.');
});

test('a picture that is too large to attach is linked', () => {
  const { content, files } = renderOutcome(aJob(), [], [pictureOf(0)], en, NEXT_STEPS);
  expect(content).toContain('https://images.example.com/1.png');
  expect(files).toEqual([]);
});

test.each([
  'https://images.example.com/1.png?alt=media&token=1f8f0c5e-77d4-4e0e-9d3a-2f1c0b1a9e4d',
  ...['task', 'mask', 'disk', 'default'].map(
    (word) => `https://images.example.com/${word}-${'0a'.repeat(32)}.png`,
  ),
])('the address %s, which storage has made to be passed on, is shown', (imageUrl) => {
  const large = aJob({ tasks: [{ ...TASKS.completed, imageUrl }] });
  expect(renderOutcome(large, [], [pictureOf(0)], en, NEXT_STEPS).content).toContain(imageUrl);
});

test.each([
  'https://somebody:a-password@images.example.com/1.png',
  'https://images.example.com/1.png?api_key=anything',
  `https://images.example.com/of/sk-${'0a'.repeat(24)}/1.png`,
  `https://images.example.com/of%2Fsk-${'0a'.repeat(24)}/1.png`,
  `https://images.example.com/of_lt-${'0a'.repeat(24)}.png`,
])('the address %s, which holds a key, is shown to nobody', (address) => {
  const large = aJob({ tasks: [{ ...TASKS.completed, imageUrl: address }] });
  const unfetched = aJob({ tasks: [{ ...TASKS.failed, failure: { kind: 'unfetched', address } }] });
  const contents = [en, de].flatMap((texts) => [
    renderOutcome(large, [], [pictureOf(0)], texts, NEXT_STEPS).content,
    renderOutcome(unfetched, [], [], texts, NEXT_STEPS).content,
  ]);
  for (const content of contents) expect(content).not.toContain('images.example.com');
});

test('that pictures are too large, and their addresses hold a key, is said once', () => {
  const imageUrl = 'https://images.example.com/1.png?api_key=anything';
  const job = aJob({ tasks: [0, 1, 2].map(() => ({ ...TASKS.completed, imageUrl })) });
  const { content } = renderOutcome(job, [], [0, 1, 2].map(pictureOf), en, NEXT_STEPS);
  expect(content?.split(en.picture.tooLarge(undefined, undefined))).toHaveLength(2);
});

test('a headline is one line, however the prompt was typed', () => {
  const submission = { prompt: 'a fox\n\n# in *the* snow' };
  expect(headline(aJob({ submission }), en)).toBe('a fox # in \\*the\\* snow');
  expect(headline(aJob({ submission }), en, 8)).toBe('a fox #…');
});

test('below a sketch stands what it does not show, once for all pictures, quietly and without effect', () => {
  const task = (...notDrawn: string[]): JobTask => ({ ...TASKS.completed, notDrawn });
  const noteOf = (...tasks: JobTask[]) => {
    const pictures = tasks.map((_, index) => pictureOf(index));
    const { embeds } = renderOutcome(aJob({ tasks }), pictures, [], en, NEXT_STEPS);
    return embeds?.[0]?.description?.split('\n').find((line) => line.startsWith('-# '));
  };
  expect(noteOf(task('yeti', 'Hamburg'), task('yeti'))).toBe('-# Sketch · missing: yeti, Hamburg');
  expect(noteOf(task('**@everyone**'))).toContain('\\*\\*\\@everyone\\*\\*');
  expect(noteOf(TASKS.completed)).toBeUndefined();
});

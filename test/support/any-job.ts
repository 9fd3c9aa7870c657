import { TASK_OPERATIONS } from '@darkroom/image-api';
import { anyCodePoint } from '@darkroom/testing';
import { DAY_MS } from '@darkroom/time';
import fc from 'fast-check';
import { GRAPH_BOUNDS, type NamedGraph, PLACEHOLDERS } from '../../src/graphs/named-graph.ts';
import type { Input } from '../../src/jobs/input.ts';
import type { Job } from '../../src/jobs/job.ts';
import { type JobTask, taskFailure } from '../../src/jobs/job-task.ts';
import { aJob, TASKS } from './job.ts';

/**
 * What takes effect on Discord, what hides or turns what surrounds it, and what is cut in two by who counts wrong.
 */
const hostile = fc.constantFrom(
  '@everyone ',
  '<@200000000000000001>',
  '<#500000000000000001>',
  '</imagine:500000000000000001>',
  '```',
  '`/imagine`',
  '||',
  '**',
  '# ',
  '> ',
  '1. ',
  '[a](https://e.example)',
  'https://discord.gg/abc ',
  'discord.gg/abc ',
  '--ar ',
  '{a, b} ',
  '\\',
  '\n',
  ' ',
  '\u202E',
  '\u200B',
  '\u0000',
  'e\u0301\u0301\u0301',
  '🏳️‍🌈',
  '🦊',
);

/**
 * A text that somebody else has chosen, of any characters, up to the longest that Discord or the service lets
 * through.
 */
export const foreign = (longest: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.oneof(hostile, fc.string({ unit: anyCodePoint, maxLength: 40 })), {
        minLength: 1,
        maxLength: 9,
      }),
      fc.constantFrom(1, 7, longest),
    )
    .map(([parts, times]) =>
      parts
        .join('')
        .repeat(times)
        .slice(0, longest)
        .replace(/[\uD800-\uDBFF]$/, ''),
    );

const given = (longest: number) => foreign(longest).filter((text) => text.trim() !== '');
const id = fc.bigInt({ min: 10n ** 16n, max: 2n ** 64n - 1n }).map(String);
const maybe = <Value>(one: fc.Arbitrary<Value>) => fc.option(one, { nil: undefined });
const moment = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2099, 0) });
const seed = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

/** An address of the service's own, which may be no address at all. */
const address = fc.oneof(
  fc.constantFrom('https://images.example.com/1.png', 'https://discord.gg/abc', 'not an address'),
  foreign(2_000).map((text) => `https://images.example.com/${text}`),
);

const failed = fc
  .record({
    seed,
    prompt: maybe(given(4_000)),
    taskId: maybe(given(100)),
    flagged: maybe(fc.constant(true as const)),
    cost: maybe(fc.double({ min: 0, max: 1e6, noNaN: true })),
    failure: fc.record({
      kind: fc.constantFrom(...taskFailure.shape.kind.options),
      reason: maybe(foreign(6_000)),
      address: maybe(address),
      credits: maybe(
        fc.record({
          required: fc.double({ min: 0, max: 1e6, noNaN: true }),
          balance: fc.double({ min: 0, max: 1e6, noNaN: true }),
        }),
      ),
      reference: maybe(fc.stringMatching(/^[0-9a-f]{8}$/)),
    }),
  })
  .map((fields): JobTask => ({ ...TASKS.failed, ...fields }));
const completed = fc
  .record({
    seed,
    prompt: maybe(given(4_000)),
    imageUrl: address,
    flagged: maybe(fc.constant(true as const)),
    expiresAt: maybe(moment),
    cost: maybe(fc.double({ min: 0, max: 1e6, noNaN: true })),
    notDrawn: maybe(fc.array(foreign(4_000), { maxLength: 8 })),
  })
  .map((fields): JobTask => ({ ...TASKS.completed, ...fields }));
const under = fc
  .record({ seed, state: fc.constantFrom('planned', 'submitting', 'following') })
  .map(({ seed, state }): JobTask => ({ ...TASKS[state], seed }));

const tasksOf = (...kinds: fc.Arbitrary<JobTask>[]) =>
  fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 4 });

export const graphs: fc.Arbitrary<NamedGraph> = fc.record({
  name: given(GRAPH_BOUNDS.name),
  nodes: fc.dictionary(
    fc.string({ minLength: 1, maxLength: 8 }),
    fc.record({
      class_type: given(200),
      inputs: fc.dictionary(
        fc.oneof(fc.constant('ckpt_name'), given(60)),
        fc.oneof(given(300), fc.integer(), fc.constant('a.safetensors')),
        { maxKeys: 4 },
      ),
    }),
    { minKeys: 1, maxKeys: 30 },
  ),
  uses: fc.subarray([...PLACEHOLDERS]),
});

const inputs: fc.Arbitrary<Input> = fc.record(
  {
    name: fc.constantFrom('task:1', 'upload:2'),
    animated: fc.constant(true as const),
    own: fc.constant(true as const),
    private: fc.constant(true as const),
    width: fc.integer({ min: 1, max: 4_096 }),
    height: fc.integer({ min: 1, max: 4_096 }),
  },
  { requiredKeys: [] },
);

const jobOf = (tasks: fc.Arbitrary<JobTask[]>): fc.Arbitrary<Job> =>
  fc
    .record({
      id,
      memberId: id,
      guildId: fc.option(id),
      channelId: id,
      messageId: id,
      private: fc.boolean(),
      spoiler: maybe(fc.constant(true as const)),
      away: maybe(fc.constant(true as const)),
      withheld: maybe(fc.constant(true as const)),
      flagged: maybe(fc.constantFrom('spoiler', 'private')),
      payer: fc.constantFrom('member', 'guild', 'operator'),
      submission: fc.record({
        prompt: fc.oneof(given(4_000), fc.constant('')),
        operation: maybe(fc.constantFrom(...TASK_OPERATIONS)),
        scale: maybe(fc.constantFrom(2, 4)),
        strength: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
        negative_prompt: maybe(foreign(4_000)),
        width: maybe(fc.integer({ min: 64, max: 2048 })),
        height: maybe(fc.integer({ min: 64, max: 2048 })),
        workflow: maybe(fc.constantFrom('default', 'rr3', 'anime')),
        steps: maybe(fc.integer({ min: 1, max: 50 })),
        cfg: maybe(fc.double({ min: 0, max: 30, noNaN: true })),
        model: maybe(given(4_000)),
      }),
      graph: maybe(graphs),
      input: maybe(inputs),
      tasks,
      createdAt: moment,
      tookMs: maybe(fc.integer({ min: 0, max: 30 * DAY_MS })),
      parent: maybe(fc.tuple(id, maybe(fc.record({ channelId: id, messageId: id })))),
      posted: maybe(fc.record({ channelId: id, messageId: id })),
    })
    .map(({ memberId, messageId, payer, submission, graph, input, parent, posted, tookMs, ...job }) => ({
      ...aJob(),
      ...job,
      member: { id: memberId, locale: 'en-GB' },
      payer: payer === 'operator' ? { kind: payer } : { kind: payer, id: memberId },
      submission: JSON.parse(JSON.stringify(submission)),
      ...(graph && { graph }),
      ...(input && { input }),
      reply: { messageId, tokenExpiresAt: job.createdAt + 900_000 },
      ...(parent && { parent: { jobId: parent[0], ...(parent[1] && { message: parent[1] }) } }),
      ...(posted && { posted }),
      ...(tookMs !== undefined && { endedAt: job.createdAt + tookMs }),
    }));

/** A job of which nothing more comes. */
export const endedJobs = jobOf(tasksOf(completed, failed));
/** A job somewhere on its way. */
export const anyJobs = jobOf(tasksOf(completed, failed, under));

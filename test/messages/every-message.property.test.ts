import { silentLog } from '@darkroom/testing';
import { hyperlink, messageLink } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { consentField, secretForm } from '../../commands/apikey/secret-form.ts';
import { editForm } from '../../commands/imagine/edit-form.ts';
import { optionsOf } from '../../commands/imagine/options-of-job.ts';
import { confirmRows } from '../../commands/imagine/question.ts';
import { commands } from '../../commands/index.ts';
import { listingOf, ONLY, pageId, searchForm } from '../../commands/jobs/listing.ts';
import { renderJob } from '../../commands/jobs/render-job.ts';
import { controlsOf, sectionMenu } from '../../commands/settings/controls.ts';
import { type LIMIT_FORMS, limitForm, wordsForm } from '../../commands/settings/forms.ts';
import { defaultsForm } from '../../commands/settings/mine.ts';
import { describeSettings } from '../../commands/settings/overview.ts';
import { SECTIONS } from '../../commands/settings/sections.ts';
import { explainError } from '../../src/bot/explain-error.ts';
import { UnusableKeyError } from '../../src/credentials/credentials.ts';
import {
  jobProgressOf,
  renderHandover,
  renderProgress,
} from '../../src/delivery/progress/render-progress.ts';
import { explainCancelled, renderCancelledByModerator } from '../../src/delivery/render-cancelled.ts';
import { renderCreditNote, renderOutcome } from '../../src/delivery/render-outcome.ts';
import { renderRedirect } from '../../src/delivery/render-redirect.ts';
import { describeGraph } from '../../src/graphs/describe-graph.ts';
import { BLOCKED_WORDS, FLAGGED, guildSettings, LANGUAGES } from '../../src/guilds/guild-settings.ts';
import type { JobPicture } from '../../src/jobs/delivery-port.ts';
import type { Job } from '../../src/jobs/job.ts';
import { ServiceDownError } from '../../src/jobs/service-calls/circuit-breaker.ts';
import { ShardLostError } from '../../src/jobs/shard.ts';
import { NO_PROGRESS } from '../../src/jobs/task-progress.ts';
import { LIMIT_NAMES } from '../../src/limits/limit-set.ts';
import { LimitReachedError } from '../../src/limits/reservation.ts';
import { explainGraphProblem, graphLines } from '../../src/messages/graph-texts.ts';
import { textsFor } from '../../src/messages/locale/texts.ts';
import { nextStepsOf } from '../../src/messages/next-steps.ts';
import { renderEntry } from '../../src/moderation/render-entry.ts';
import { type Offer, USUAL } from '../../src/requests/offers.ts';
import { StoreError } from '../../src/storage/collection.ts';
import { expectAccepted, expectFormAccepted } from '../support/accepted.ts';
import { anyJobs, endedJobs, foreign, graphs } from '../support/any-job.ts';

const NEXT_STEPS = nextStepsOf(commands);
const MAKINGS = { upscales: true, varies: true };
const LONGEST_ID = '18446744073709551615';
/** What five pictures are named with. */
const LONGEST_LINE = Array.from({ length: 5 }, () =>
  hyperlink('W'.repeat(40), messageLink(LONGEST_ID, LONGEST_ID, LONGEST_ID)),
).join(' ← ');
const id = fc.constantFrom('10000000000000000', LONGEST_ID);
const moment = fc.integer({ min: 0, max: Date.UTC(2099, 0) });
const workflow = fc.constantFrom(
  'default',
  'rr3',
  'anime',
  ...Array.from({ length: 40 }, (_, nth) => `${nth}`.padEnd(32, 'x')),
);
const maybe = <Value>(one: fc.Arbitrary<Value>) => fc.option(one, { nil: undefined });

const pictureOf = (task: number): JobPicture => ({
  task,
  bytes: new Uint8Array([1]),
  contentType: 'image/png',
});

const pictures = (job: Job): JobPicture[] =>
  job.tasks.flatMap(({ state }, task) => (state === 'completed' ? [pictureOf(task)] : []));

const holds = <Value>(values: fc.Arbitrary<Value>, check: (value: Value) => void, numRuns = 60): void =>
  fc.assert(fc.property(values, check), { numRuns });

describe.each(LANGUAGES)('in %s', (language) => {
  const texts = textsFor(language);

  test('Discord takes every outcome of every job', () => {
    holds(fc.tuple(endedJobs, fc.boolean()), ([job, fits]) => {
      const all = pictures(job);
      expectAccepted(renderOutcome(job, fits ? all : [], fits ? [] : all, texts, NEXT_STEPS, MAKINGS));
      expectAccepted(renderOutcome(job, all.slice(0, 1), all.slice(1), texts, NEXT_STEPS, MAKINGS));
    });
  });

  test('Discord takes what is said of every job on its way, wherever it stands', () => {
    const seen = fc.record({
      turnPosition: maybe(fc.nat()),
      begun: fc.boolean(),
      percent: maybe(fc.double({ min: 0, max: 100, noNaN: true })),
      queuePosition: maybe(fc.nat()),
      expectedAt: maybe(moment),
      fetchedUntil: maybe(moment),
    });
    holds(
      fc.tuple(anyJobs, fc.array(seen, { minLength: 4, maxLength: 4 }), moment),
      ([job, progress, now]) => {
        const known = job.tasks.map((_, task) => ({ ...NO_PROGRESS, ...progress[task] }));
        expectAccepted(renderProgress(job, jobProgressOf(job, known, now), texts, NEXT_STEPS));
        expectAccepted(renderHandover(job, texts, NEXT_STEPS));
        expectAccepted(renderCancelledByModerator(job, texts));
        expectAccepted({ content: explainCancelled(job, texts) });
        expectAccepted(renderCreditNote(job, texts, NEXT_STEPS));
        const thumbnail = { state: 'found', url: 'https://cdn.example.com/1.png' } as const;
        // A page has five of them, which count together.
        const line = renderJob(job, 5, { progress: known, thumbnail, line: LONGEST_LINE, now }, texts);
        expectAccepted({ content: texts.ready('<@1>', 4), embeds: [line, line, line, line, line] });
        for (const place of [undefined, job.posted, { channelId: job.channelId, messageId: LONGEST_ID }]) {
          expectAccepted(renderRedirect(job, place, texts));
        }
      },
    );
  });

  test('Discord takes every form, with whatever stands in it already', () => {
    const more = fc.record({ size: maybe(foreign(6_000)), flags: maybe(foreign(4_000)) });
    const offered = fc.uniqueArray(workflow, { maxLength: 40 }).map((names) =>
      names.map(
        (name): Offer => ({
          name,
          cost: Number.MAX_VALUE,
          effects: [],
          models: [],
          usual: USUAL,
          fromWords: true,
          seenByStrangers: false,
          sentTo: undefined,
          operations: {},
        }),
      ),
    );
    holds(fc.tuple(anyJobs, more, offered), ([job, { size, flags }, offers]) => {
      for (const task of [undefined, 0]) {
        const options = {
          ...optionsOf(job, task === undefined ? {} : { task }),
          ...(size !== undefined && { size }),
          ...(flags !== undefined && { flags }),
        };
        for (const canChange of [false, true]) {
          const customId = `imagine:edit:${job.id}:3`;
          const lacks = canChange ? undefined : true;
          expectFormAccepted(editForm({ customId, options, offers, texts, canChange, lacksPicture: lacks }));
          expectFormAccepted(editForm({ customId, options, offers, texts, lacksGraph: lacks }));
          expectFormAccepted(editForm({ customId, options, offers, texts, graphName: options.prompt }));
        }
        expectFormAccepted(defaultsForm(options, offers, texts));
      }
    });
    holds(fc.tuple(fc.constantFrom(...ONLY), foreign(6_000)), ([only, words]) => {
      const listing = listingOf(only, words);
      expectFormAccepted(searchForm(listing, texts));
      expect(pageId(listing, 'older', { isOpen: false, id: LONGEST_ID }).length).toBeLessThanOrEqual(100);
    });
    const { linkForm, generateForm, revokeForm } = texts.apiKey;
    for (const form of [linkForm, generateForm, revokeForm]) {
      expectFormAccepted(secretForm('apikey:link', form, consentField(texts)));
    }
  });

  test('Discord takes the settings of every server, and their forms', () => {
    const size = fc.record({ width: fc.integer({ min: 64, max: 2048 }), height: fc.constant(2048) });
    const limit = maybe(fc.constantFrom(1, 1_000_000));
    const settings = fc
      .record({
        paused: fc.boolean(),
        privateByDefault: fc.boolean(),
        channels: fc.uniqueArray(fc.bigInt({ min: 10n ** 16n, max: 2n ** 64n - 1n }).map(String), {
          maxLength: 25,
        }),
        workflows: fc.uniqueArray(workflow, { maxLength: 25 }),
        defaultWorkflow: maybe(workflow),
        defaultSize: maybe(size),
        largestSize: maybe(size),
        mostSteps: maybe(fc.integer({ min: 1, max: 50 })),
        limits: fc.tuple(...LIMIT_NAMES.map(() => limit)),
        // As many as fit into the form.
        blockedWords: fc.array(
          foreign(BLOCKED_WORDS.characters).filter((word) => word.trim() !== ''),
          { maxLength: 65 },
        ),
        flagged: fc.constantFrom(...FLAGGED),
        logChannelId: maybe(id),
        locale: maybe(fc.constantFrom(...LANGUAGES)),
      })
      .map(({ limits, ...rest }) =>
        guildSettings.parse({
          ...rest,
          roles: rest.channels,
          limits: Object.fromEntries(LIMIT_NAMES.map((name, nth) => [name, limits[nth]])),
        }),
      );
    const blocked = fc.array(fc.record({ memberId: id, until: maybe(moment) }), { maxLength: 200 });
    const names = fc.uniqueArray(workflow, { minLength: 1, maxLength: 40 });
    holds(fc.tuple(settings, names, blocked, fc.boolean()), ([settings, workflows, blocked, known]) => {
      const [gone, _hidden, ...there] = settings.channels;
      const ids = new Set(there);
      const view = {
        settings,
        offers: workflows.map((name, nth) => ({ name, fromWords: nth === 0 })),
        blocked,
        operator: {},
        interactionId: '1'.repeat(20),
        places: known ? { channels: ids, gone: new Set(gone ? [gone] : []), roles: ids } : undefined,
      };
      for (const section of SECTIONS) {
        const description = describeSettings(view, section, texts).slice(0, 4_096);
        const rows = [sectionMenu(section, texts), ...controlsOf(section, view, texts)];
        expectAccepted({ embeds: [{ title: texts.settings.heading, description }], rows });
      }
      for (const form of ['member', 'guild', 'key'] satisfies (keyof typeof LIMIT_FORMS)[]) {
        expectFormAccepted(limitForm(form, settings, texts));
      }
      expectFormAccepted(wordsForm(settings, texts));
    });
  });

  test('Discord takes every line of a log', () => {
    const about = { guildId: '1', memberId: LONGEST_ID, jobId: LONGEST_ID };
    const value = maybe(foreign(6_000));
    const values = fc.record({
      at: moment,
      actorId: fc.option(id),
      setting: foreign(200),
      from: value,
      to: value,
    });
    const longest = '|'.repeat(250);
    const worst = { at: 0, actorId: LONGEST_ID, setting: longest, from: longest, to: longest };
    holds(fc.oneof(values, fc.constant(worst)), ({ setting, from, to, ...who }) => {
      const entries = [
        { ...who, ...about, event: 'setting-changed', setting, from, to },
        {
          ...who,
          ...about,
          event: 'setting-changed',
          setting: 'roles',
          from,
          to: Array(25).fill(LONGEST_ID).join(', '),
        },
        { ...who, ...about, event: 'setting-changed', setting: 'locale', from: 'en', to: 'de' },
        ...(['key-linked', 'key-unlinked', 'key-revoked'] as const).flatMap((event) =>
          (['member', 'guild'] as const).map((owner) => ({ ...who, ...about, event, owner })),
        ),
        ...(
          [
            'credits-viewed',
            'picture-deleted',
            'request-cancelled',
            'member-unblocked',
            'picture-reported',
            'report-dismissed',
            'member-blocked',
          ] as const
        ).map((event) => ({ ...who, ...about, event })),
        { ...who, ...about, event: 'member-blocked', until: who.at },
        { ...who, ...about, event: 'graph-saved', graph: setting },
        { ...who, ...about, event: 'graph-removed', graph: setting },
        { ...who, ...about, event: 'all-stopped', jobs: 1_000_000 },
      ] as const;
      for (const entry of entries) {
        const line = renderEntry(entry, texts);
        // Two of them fit into a message, whatever was changed.
        expect(line.length).toBeLessThanOrEqual(1_000);
        expectAccepted({ content: line });
      }
    });
  });

  test('Discord takes what is said of every graph, and of every file that is none', () => {
    holds(graphs, (graph) => {
      const lines = graphLines(graph.name, describeGraph(graph.nodes), texts);
      const [node, input] = [Object.values(graph.nodes)[0]?.class_type, graph.name];
      const problems = [
        { kind: 'no-text' },
        { kind: 'editor' },
        { kind: 'no-graph' },
        { kind: 'broken', at: { line: 1_000_000, column: 1_000_000 } },
        { kind: 'too-large', nodes: 1_000_000 },
        { kind: 'secret', place: {} },
        { kind: 'secret', place: { ...(node !== undefined && { node }), input } },
      ] as const;
      const said = [lines.join('\n'), ...problems.map((problem) => explainGraphProblem(problem, texts))];
      for (const content of said) {
        // A price, warnings and the rows of a question come below it.
        expect(content.length).toBeLessThanOrEqual(1_500);
        expectAccepted({ content, rows: confirmRows(LONGEST_ID, texts) });
      }
    });
  });

  test('Discord takes what is said of every mistake', () => {
    const reservation = { key: 'k', amount: 1, expires: Date.UTC(2099, 0), limit: 1_000_000 };
    const errors = [
      new ServiceDownError(),
      new ShardLostError(),
      new StoreError('x'.repeat(5_000)),
      new Error('x'.repeat(5_000)),
      ...(['unreadable', 'rejected'] as const).flatMap((why) =>
        (['member', 'guild'] as const).map((kind) => new UnusableKeyError({ kind, id: LONGEST_ID }, why)),
      ),
      ...(['request', 'picture', 'credit'] as const).flatMap((per) =>
        (['member', 'guild', 'key'] as const).map(
          (limited) => new LimitReachedError({ ...reservation, per, limited }),
        ),
      ),
    ];
    const permissions = { callerHas: () => true, botLacks: () => [] };
    const told = { permissions, texts, nextSteps: NEXT_STEPS };
    for (const error of errors) expectAccepted(explainError(error, told, silentLog()));
  });

  test('no sentence of the catalogue alone is longer than a message, and none is empty', () => {
    const sentences = (value: unknown): string[] => {
      if (typeof value === 'string') return [value];
      return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentences) : [];
    };
    for (const sentence of sentences(texts)) {
      expect(sentence.trim()).not.toBe('');
      expectAccepted({ content: sentence });
      expect(sentence.length).toBeLessThanOrEqual(600);
    }
  });
});

import { join } from 'node:path';
import { createVault } from '@darkroom/storage';
import { silentLog, temporaryFolder, until } from '@darkroom/testing';
import { DAY_MS } from '@darkroom/time';
import { ApplicationCommandOptionType, Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import fc from 'fast-check';
import type { InteractionResult } from 'local-discord';
import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { editingEngine, paint } from '../../packages/image-service/test/support/engines.ts';
import { isLoading } from '../../packages/local-discord/src/page/message-flags.ts';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OUTSIDER,
  SECOND_CHANNEL,
  STAFF_ROLE,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { createGuildSettings } from '../../src/guilds/guild-settings.ts';
import type { Job } from '../../src/jobs/job.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { createKnownGuilds } from '../../src/storage/known-guilds.ts';
import { openStore } from '../../src/storage/store.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { createUsage } from '../../src/usage/usage.ts';
import { dayOf } from '../../src/usage/usage-row.ts';
import { endedJobs, foreign } from '../support/any-job.ts';
import { botWorld } from '../support/bot.ts';
import { buttonRow } from '../support/buttons.ts';
import { graphFile, POSTER } from '../support/graph-file.ts';
import { everyJob } from '../support/job-list.ts';
import { withoutRepeatedAnswers } from '../support/repeated-answers.ts';
import { usesOf } from '../support/uses.ts';
import { type Use, walk } from '../support/walk.ts';

const RETENTION_MS = 100 * 365 * DAY_MS;

/** A store for a bot that has made these, which count in their server, and where pictures can be reported. */
async function storeWith(jobs: readonly Job[]): Promise<StoreUrl> {
  const folder = await temporaryFolder();
  const url: StoreUrl = `sqlite://${join(folder, 'bot.sqlite')}`;
  const store = await openStore({ url, log: silentLog() });
  const usage = createUsage({ store, knownGuilds: createKnownGuilds({ store }), retentionMs: RETENTION_MS });
  const jobStore = createJobStore({ store, vault: createVault(['b'.repeat(64)]), rowsAtEnd: usage.rowsOf });
  for (const job of jobs) await jobStore.saveAndSettle(job);
  await createGuildSettings({ store, log: silentLog() }).change(GUILD, (before) => ({
    ...before,
    reportChannelId: SECOND_CHANNEL,
  }));
  await store.close();
  return url;
}

/** Of this member in this channel, and over. */
const here = (job: Job): Job => ({
  ...job,
  member: { id: MEMBER, locale: 'en-GB' },
  guildId: GUILD,
  channelId: CHANNEL,
  state: job.tasks.some(({ state }) => state === 'completed') ? 'delivered' : 'failed',
});

/** A graph may take nothing that can be typed into a form. */
const WITH_EVERY_FORM = { private: false, away: undefined, graph: undefined };

const scene = fc.record({
  jobs: fc
    .uniqueArray(endedJobs, { minLength: 12, maxLength: 12, selector: ({ id }) => id })
    .map((jobs) => jobs.map((job, nth) => here(nth === 0 ? { ...job, ...WITH_EVERY_FORM } : job))),
  /** What is typed, by whoever types something. */
  typed: fc.array(foreign(6_000), { minLength: 6, maxLength: 6 }),
});

test.each(['en-GB', 'de'])(
  'every answer to every command, button, menu and form is one that Discord takes, in %s',
  (locale) =>
    fc.assert(
      fc.asyncProperty(scene, async ({ jobs, typed }) => {
        const world = await botWorld({
          storeUrl: await storeWith(jobs),
          service: { engine: editingEngine() },
        });
        const { rest } = await world.login();
        const [member, moderator] = [world.as(MEMBER), world.as(MODERATOR)];
        for (const person of [member, moderator]) person.changeLocale(locale);
        const { bytes } = await paint({ width: 64, height: 96 });
        const photograph = { name: 'cat.png', bytes, contentType: 'image/png' };
        const unanswered: string[] = [];
        const used = new Set<string>();
        async function use(
          { name, person }: Use,
          interact: () => Promise<InteractionResult>,
        ): Promise<InteractionResult> {
          const answer = await interact();
          used.add(name);
          if (answer.kind === 'failure') unanswered.push(name);
          if (answer.kind === 'modal' && name === 'pressed') person.closeModal(answer.interactionId);
          return answer;
        }
        const post = async (components: readonly object[]): Promise<string> => {
          const body = { content: 'a picture', components };
          // The local Discord answers as Discord does: with the message.
          return ((await rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage).id;
        };

        // One after the other: an answer is given up after three seconds, and a busy machine is slow enough.
        const messageIds: string[] = [];
        for (const { id } of jobs) {
          const ids = [
            ...['edit', 'prompt', 'publish'].map((name) => `imagine:${name}:${id}`),
            ...[0, 1, 2, 3].map((task) => `imagine:vary:${id}:${task}`),
            `imagine:only:${id}:0`,
            `imagine:more:${id}:${MEMBER}`,
            `imagine:delete:${MEMBER}:${id}:${id}`,
            `imagine:report:${id}`,
          ];
          const rows = [ids.slice(0, 5), ids.slice(5, 10), ids.slice(10)];
          const messageId = await post(rows.map((row) => buttonRow(...row).toJSON()));
          for (const pressed of ids)
            await use({ name: 'pressed', person: member }, () => member.press(messageId, pressed));
          messageIds.push(messageId);
        }

        await everyJob(member);
        const months = jobs.map(({ endedAt, createdAt }) => dayOf(endedAt ?? createdAt).slice(0, 7));
        for (const month of new Set(months))
          await use({ name: '/usage', person: moderator }, () =>
            moderator.invoke(CHANNEL, 'usage', { month }),
          );
        for (const words of typed) {
          const prompts = [
            { prompt: `${words.slice(0, 900)} {a, b} fox` },
            { prompt: `a fox --${words.slice(0, 900)}` },
          ];
          for (const options of prompts)
            await use({ name: '/imagine', person: member }, () => member.invoke(CHANNEL, 'imagine', options));
        }

        let nth = 0;
        const [{ id = '' } = {}] = jobs;
        await walk({
          commands,
          people: [member, moderator],
          channelIds: [CHANNEL, SECOND_CHANNEL],
          messageIds: [
            ...messageIds.slice(0, 2),
            (await member.say(CHANNEL, `a ${typed[0]}`.slice(0, 2_000))).id,
            (await member.say(CHANNEL, '', [photograph])).id,
            (await member.say(CHANNEL, '', [photograph, photograph])).id,
          ],
          jobId: id,
          entries: {
            type(field, longest) {
              nth += 1;
              if (field === 'secret') return nth % 2 === 0 ? world.service.key : world.service.loginToken;
              const words = typed[nth % typed.length] ?? '';
              return words.slice(0, longest).trim() === '' ? 'x' : words.slice(0, longest);
            },
            attach: (name) => (name === 'image' ? photograph : graphFile(POSTER)),
            pick: {
              [ApplicationCommandOptionType.User]: OUTSIDER,
              [ApplicationCommandOptionType.Role]: STAFF_ROLE,
              [ApplicationCommandOptionType.Channel]: SECOND_CHANNEL,
            },
          },
          post,
          use,
          settled: () =>
            until(
              () =>
                ![member, moderator].some((person) =>
                  person.messages(CHANNEL, { limit: 500 }).some(isLoading),
                ),
              'every answer',
            ).then(() => undefined),
        });

        // What is still being answered has been answered then.
        await world.stopBot();
        const asked = withoutRepeatedAnswers(world.discord.requests.list());
        expect(asked.filter(({ status }) => status === 400)).toEqual([]);
        expect(world.lines.filter((line) => /"level":[56]0|could not be answered/.test(line))).toEqual([]);
        expect(unanswered).toEqual([]);
        expect(usesOf(commands).filter((name) => !used.has(name))).toEqual([]);
      }),
      { numRuns: 1, endOnFailure: true },
    ),
);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVault } from '@darkroom/storage';
import { silentLog } from '@darkroom/testing';
import { Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import fc from 'fast-check';
import type { InteractionResult } from 'local-discord';
import { expect, onTestFinished, test } from 'vitest';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  SECOND_CHANNEL,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { createGuildSettings } from '../../src/guilds/guild-settings.ts';
import type { Job } from '../../src/jobs/job.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { textsFor } from '../../src/messages/locale/texts.ts';
import { openStore } from '../../src/storage/store.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { endedJobs, foreign } from '../support/any-job.ts';
import { botWorld } from '../support/bot.ts';
import { buttonRow } from '../support/buttons.ts';
import { everyJob } from '../support/job-list.ts';

const JOBS = 12;

/** A store for a bot that has made these, and where pictures can be reported. */
async function storeWith(jobs: readonly Job[]): Promise<StoreUrl> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-jobs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const url: StoreUrl = `sqlite://${join(folder, 'bot.sqlite')}`;
  const store = await openStore({ url, log: silentLog() });
  const jobStore = createJobStore({ store, vault: createVault(['b'.repeat(64)]) });
  for (const job of jobs) await jobStore.save(job);
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

test.each(['en-GB', 'de'])(
  'every answer to every button, form and command is one that Discord takes, in %s',
  async (locale) => {
    const seed = 7;
    const jobs = fc.sample(endedJobs, { numRuns: JOBS, seed }).map(here);
    const [reason = '', ...typed] = fc
      .sample(foreign(497), { numRuns: 6, seed })
      .map((words) => words || 'x');
    const world = await botWorld({ storeUrl: await storeWith(jobs) });
    const { rest } = await world.login();
    const [member, moderator] = [MEMBER, MODERATOR].map((id) => {
      const user = world.as(id);
      user.changeLocale(locale);
      return user;
    });
    if (!member || !moderator) throw new Error('nobody is there');
    const answers: InteractionResult[] = [];
    const note = async (answering: Promise<InteractionResult>): Promise<InteractionResult> => {
      const answer = await answering;
      answers.push(answer);
      if (answer.kind === 'modal') member.closeModal(answer.interactionId);
      return answer;
    };

    await Promise.all(
      jobs.map(async ({ id }) => {
        const ids = [
          ...['details', 'edit', 'prompt', 'publish'].map((name) => `imagine:${name}:${id}`),
          ...[0, 1, 2, 3].map((task) => `imagine:vary:${id}:${task}`),
          `imagine:only:${id}:0`,
          `imagine:more:${id}:${MEMBER}`,
          `imagine:delete:${MEMBER}`,
        ];
        const components = [ids.slice(0, 5), ids.slice(5, 10), ids.slice(10)].map((row) =>
          buttonRow(...row).toJSON(),
        );
        // The local Discord answers as Discord does: with the message.
        const body = { content: 'a picture', components };
        const message = (await rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
        for (const pressed of ids) await note(member.press(message.id, pressed));
      }),
    );

    const shown = jobs.find((job) => !job.private && job.state === 'delivered' && job.reply.messageId);
    if (shown) {
      const body = { content: 'a picture', components: [buttonRow(`imagine:report:${shown.id}`).toJSON()] };
      const message = (await rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
      const form = await moderator.press(message.id, `imagine:report:${shown.id}`);
      if (form.kind !== 'modal') throw new Error(`answered with ${JSON.stringify(form)}`);
      await note(moderator.submitModal(form.interactionId, { reason: `${reason} it` }));
    }

    await everyJob(member);
    for (const words of typed) {
      await note(member.invoke(CHANNEL, 'jobs', { search: `${words}x`.slice(0, 50) }));
      await note(member.invoke(CHANNEL, 'imagine', { prompt: `${words} {a, b} fox` }));
      await note(member.invoke(CHANNEL, 'imagine', { prompt: `a fox --${words}`, size: words }));
      await note(member.invoke(CHANNEL, 'imagine', { prompt: 'a fox', graph_name: words }));
      await note(moderator.invoke(CHANNEL, 'graph remove', { name: words.slice(0, 100) || 'x' }));
    }
    for (const command of [
      'balance',
      'privacy',
      'help',
      'settings me',
      'apikey show',
      'apikey revoke',
      'graph list',
    ])
      await note(member.invoke(CHANNEL, command));
    for (const command of [
      'settings panel',
      'settings check',
      'usage',
      'moderate stop',
      'apikey server show',
    ])
      await note(moderator.invoke(CHANNEL, command));

    // What is still being answered has been answered then.
    await world.stopBot();
    const refused = world.discord.requests.list(({ status }) => status === 400);
    expect(refused, `seed ${seed}`).toEqual([]);
    expect(
      answers.filter(({ kind }) => kind === 'failure'),
      `seed ${seed}`,
    ).toEqual([]);
    const mistake = textsFor(locale).failure.reasons.internal;
    expect(JSON.stringify(member.messages(CHANNEL, { limit: 500 })), `seed ${seed}`).not.toContain(mistake);
    expect(
      world.lines.filter((line) => line.includes('could not be answered')),
      `seed ${seed}`,
    ).toEqual([]);
  },
);

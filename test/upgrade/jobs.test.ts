import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@darkroom/testing';
import Database from 'better-sqlite3';
import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OUTSIDER,
  SECOND_CHANNEL,
  seesOutcome,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { confirmed } from '../support/confirmed.ts';
import { everyJob } from '../support/job-list.ts';
import { copyFixture, type JobName, messageIdOf, secrets } from './fixture.ts';
import { attached, type Installation, installation } from './installation.ts';
import { MINUTE } from './service.ts';

const { jobs, direct, accounts } = secrets;
const RUNNING = 'took up unfinished jobs';

describe('in a Discord that has lost what 0.1.0 posted', () => {
  test('unfinished jobs end in messages of their own, and nothing is submitted twice', async () => {
    const { lines, posted, listed, folder, service } = await installation({ discord: 'empty' });
    expect(lines.find((line) => line.includes(RUNNING))).toContain('"jobs":8');

    const following = await posted('following');
    expect(following.attachments).toHaveLength(2);
    expect(following.id).not.toBe(jobs.following.replyId);
    await listed('following', 'delivered', following.id);

    const queued = await posted('queued');
    expect(queued.attachments).toHaveLength(1);
    await listed('queued', 'delivered', queued.id);

    const lostAnswer = await posted('lostAnswer', SECOND_CHANNEL);
    expect(lostAnswer.attachments).toHaveLength(1);
    await listed('lostAnswer', 'delivered', lostAnswer.id);

    const unclear = await posted('unclear', SECOND_CHANNEL);
    expect(unclear.content).toContain('It is not known whether the image service took the request');
    await listed('unclear', 'failed', unclear.id);

    const asked = await posted('asked', SECOND_CHANNEL);
    expect(asked.content).toContain('restarted before it was sent');
    await listed('asked', 'failed', asked.id);

    await listed('posted', 'delivered');
    for (const name of ['delivering', 'arrived', 'waiting'] as const) await listed(name, 'waiting');

    expect(tasksIn(folder)).toBe(tasksIn(await copyFixture()));
    await until(
      async () => (await service.task(direct.pending)).status === 'completed',
      'the end of a task that no job follows',
    );
  });

  test('/jobs hands out what waits, to who may see it', async () => {
    const world = await installation({ discord: 'empty' });
    const { as, run, listed, service } = world;
    const member = as(MEMBER);
    for (const name of ['delivering', 'arrived'] as const) await listed(name, 'waiting');

    for (const [name, count] of [
      ['waiting', 1],
      ['waitingPrivate', 2],
      ['delivering', 1],
      ['arrived', 1],
    ] as const) {
      const show = `jobs:show:${jobs[name].id}`;
      const list = await run(MEMBER, 'jobs');
      expect(JSON.stringify(list.components)).toContain(show);
      const shown = await pressUntilShown(world, list.id, show);

      const message = await seesOutcome(member, shown.id);
      expect(message.attachments).toHaveLength(count);
      expect((Number(message.flags) & MessageFlags.Ephemeral) !== 0).toBe(jobs[name].private);
      const [first] = await attached(message);
      const task = await service.task({
        key: `${accounts.ada.keys.linked}`,
        taskId: `${jobs[name].tasks[0]?.taskId}`,
      });
      const made = await fetch(task.result.image_url);
      expect(first?.equals(Buffer.from(await made.arrayBuffer()))).toBe(true);
      await until(
        async () => !JSON.stringify((await run(MEMBER, 'jobs')).components).includes(show),
        `${name} as delivered`,
      );
    }
  });
});

describe('in the Discord of 0.1.0', () => {
  const ENDED_IN_REPLY: readonly JobName[] = ['following', 'lostAnswer', 'delivering', 'arrived'];

  test('unfinished jobs end in the replies that 0.1.0 began, each picture once', async () => {
    const { lines, as, outcome, posted, listed } = await installation({ discord: 'as left' });
    const member = as(MEMBER);
    expect((await outcome('following')).attachments).toHaveLength(2);
    for (const name of ['queued', 'lostAnswer', 'delivering', 'arrived'] as const)
      expect((await outcome(name)).attachments).toHaveLength(1);
    expect((await outcome('unclear')).content).toContain(en.failure.reasons.unclear);
    expect((await posted('asked', SECOND_CHANNEL)).content).toContain('restarted');

    for (const name of ENDED_IN_REPLY) await listed(name, 'delivered', jobs[name].replyId);
    await listed('queued', 'delivered', jobs.queued.replyId);
    await listed('unclear', 'failed');
    await listed('posted', 'delivered', messageIdOf('posted'));
    await until(
      () => member.message(jobs.posted.replyId)?.content.includes(messageIdOf('posted')),
      'a reply that says where its picture is',
    );

    const withPicture = [CHANNEL, SECOND_CHANNEL]
      .flatMap((id) => member.messages(id, { limit: 500 }))
      .filter(({ attachments }) => attachments.length > 0);
    expect(withPicture.map(({ id }) => id).toSorted()).toEqual(
      [
        ...(['delivered', 'mixed', 'guild', 'queued', ...ENDED_IN_REPLY] as const).map(
          (name) => jobs[name].replyId,
        ),
        messageIdOf('posted'),
      ].toSorted(),
    );
    // `arrived` and `posted`.
    expect(lines.filter((line) => line.includes('the outcome had arrived already'))).toHaveLength(2);
  });

  test('/jobs lists them, and commands work as 0.1.0 registered them', async () => {
    const { as, text, listed } = await installation({ discord: 'as left', registers: false });
    for (const name of [...ENDED_IN_REPLY, 'posted'] as const) await listed(name, 'delivered');
    await listed('queued', 'delivered');
    await listed('unclear', 'failed');

    const listedFor = async (id: string) => (await everyJob(as(id))).map(({ text }) => text);
    expect((await listedFor(MEMBER)).length).toBeGreaterThan(10);
    expect(await listedFor(MODERATOR)).toEqual([
      expect.stringMatching(/^\*\*1\.\*\* one fox too many\n.*\n.*https:/),
      expect.stringMatching(/^\*\*2\.\*\* a blue fox\n-# <t:\d+:R> · 2 pictures · private$/),
    ]);
    expect(await listedFor(OUTSIDER)).toEqual([
      expect.stringContaining('**1.** a fox in the queue\n'),
      expect.stringContaining(`@me/${jobs.direct.channelId}/${messageIdOf('direct')}`),
      expect.stringContaining(`${GUILD}/${CHANNEL}/${messageIdOf('guild')}`),
    ]);

    const asked = await as(MEMBER).invoke(CHANNEL, 'imagine', {
      prompt: 'x',
      negative_prompt: 'y',
      size: '64x64',
      workflow: 'anime',
      steps: 3,
      seed: 3,
      cfg: 3,
      model: 'animagine-xl-4.0.safetensors',
      count: 2,
      private: true,
    });
    const answer = await confirmed(asked, as(MEMBER));
    if (answer.kind !== 'message') throw new Error(`answered with ${JSON.stringify(answer)}`);
    expect((await seesOutcome(as(MEMBER), answer.message.id)).attachments).toHaveLength(2);
    expect(await text(MEMBER, 'apikey unlink')).toContain('unlinked and erased');
    expect(await text(MEMBER, 'balance')).toMatch(/^The key of this server pays for your pictures\./);
  });

  test('an hour later, what is done is shown and the rest is given up', async () => {
    const { outcome } = await installation({ discord: 'as left', afterMs: 60 * MINUTE });
    const following = await outcome('following');
    expect(following.attachments).toHaveLength(1);
    expect(following.content).toContain('1 of 2 pictures did not come out');
    expect((await outcome('queued')).content).toContain('hat nicht geklappt');
    expect((await outcome('lostAnswer')).content).toContain(en.failure.reasons.unclear);
    expect((await outcome('delivering')).attachments).toHaveLength(1);
  });
});

/** Presses Show; once more, as the bot asks for, where Discord did not say in time whether the outcome had arrived. */
const pressUntilShown = (world: Installation, listId: string, show: string): Promise<APIMessage> =>
  until(async () => {
    const answer = await world.as(MEMBER).press(listId, show);
    if (answer.kind !== 'message') throw new Error(`answered with ${JSON.stringify(answer)}`);
    if (!answer.message.content.includes(en.jobs.unanswered)) return answer.message;
    await delay(1_000);
    return undefined;
  }, 'an outcome that is handed out');

/** How many tasks the service in `folder` has ever accepted. */
function tasksIn(folder: string): unknown {
  const database = new Database(join(folder, 'service.sqlite'), { readonly: true });
  try {
    return database.prepare('select count(*) from tasks').pluck().get();
  } finally {
    database.close();
  }
}

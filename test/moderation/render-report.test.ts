import { expect, test } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { MESSAGE_LIMITS, toBody } from '../../src/messages/message.ts';
import { REASON_CHARACTERS, renderReport } from '../../src/moderation/render-report.ts';
import { aJob } from '../support/job.ts';

test.each(['x', '*'])('the longest prompt and reasons are there for a moderator, all of %s', (character) => {
  const job = { ...aJob(), submission: { prompt: `a red fox ${character.repeat(2_000)}` } };
  const reason = (name: string) =>
    `${name} ${character.repeat(REASON_CHARACTERS)}`.slice(0, REASON_CHARACTERS);
  const { body } = toBody(
    renderReport(
      {
        guildId: '100000000000000001',
        jobId: job.id,
        memberId: job.member.id,
        posted: { channelId: job.channelId, messageId: job.id },
        complaints: ['Ada', 'Bob', 'Eve'].map((name, at) => ({
          reporterId: `20000000000000000${at}`,
          reason: reason(name),
        })),
      },
      job,
      { pictures: [], brought: { sha256: 'f0'.repeat(32) }, texts: en, nextSteps: {} },
    ),
  );
  expect(body.content).toContain('a red fox');
  expect(body.content?.length).toBeLessThan(MESSAGE_LIMITS.content);
  const [described] = body.embeds ?? [];
  for (const name of ['Ada', 'Bob', 'Eve']) expect(described?.description).toContain(`: ${name} `);
});

test('of many complaints as many are there as fit, and how many more there are', () => {
  const complaints = Array.from({ length: 30 }, (_, nth) => ({
    reporterId: `2000000000000000${nth + 10}`,
    reason: nth < 20 ? 'It is rude.' : `${nth} ${'x'.repeat(REASON_CHARACTERS - 3)}`,
  }));
  const job = aJob();
  const { content, embeds: [described] = [] } = renderReport(
    {
      guildId: '100000000000000001',
      jobId: job.id,
      memberId: job.member.id,
      posted: { channelId: job.channelId, messageId: job.id },
      complaints,
    },
    job,
    { pictures: [], brought: undefined, texts: en, nextSteps: {} },
  );
  expect(content).toMatch(/^<@\d+>, <@\d+>, <@\d+>, … \+27 /);
  expect(described?.description?.match(/It is rude/g)).toHaveLength(20);
  expect(described?.description).toMatch(/\n… \+\d$/);
  expect(described?.description?.length).toBeLessThan(MESSAGE_LIMITS.embedDescription);
});

import { NOWHERE, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import type { APIMessage } from 'discord-api-types/v10';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  answer,
  bytes,
  drip,
  gibberish,
  halfBody,
  hang,
  html,
  json,
  redirect,
  refusal,
  reset,
  task,
  times,
  tooMany,
  withByteOrderMark,
} from '../../packages/image-api/test/support/behaviours.ts';
import type { Behaviour } from '../../packages/image-api/test/support/exchange.ts';
import { A_KEY, A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import { paintNoise } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, MEMBER, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { confirmed } from '../../src/playground/demo/confirmed.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { type Faults, faultyServiceWorld } from '../support/faulty-service.ts';
import { withoutRepeatedAnswers } from '../support/repeated-answers.ts';

/** A task that is completed, whose picture is said to be there. */
const completedAt =
  (address: (baseUrl: string) => string): Behaviour =>
  (exchange) =>
    task({ status: 'completed', result: { image_url: address(exchange.baseUrl) } })(exchange);

const UNCLEAR = /I don’t know whether the image service took the request\./;
const SENSELESS = /an answer that makes no sense/;
const BLOCKED = /a file that cannot be shown here\./;

test.each<[string, Faults, RegExp]>([
  [
    'an error that is a string',
    { submit: [refusal(400, 'The prompt is not allowed')] },
    /refused the request\. It said: The prompt is not allowed/,
  ],
  [
    'an error that is an object',
    { submit: [refusal(422, { code: 'blocked', message: 'Not that' })] },
    /refused the request\. It said: Not that/,
  ],
  [
    'an error whose code is the name of something else',
    { submit: [refusal(400, { code: 'constructor', message: 'Not that' })] },
    /refused the request\. It said: Not that/,
  ],
  [
    '200 with success: false',
    { submit: [json({ success: false, data: null, error: 'Insufficient balance' })] },
    /does not have enough credits/,
  ],
  [
    'a key that is refused',
    { submit: [refusal(401, 'Invalid API key')] },
    /did not accept the key of this bot’s operator/,
  ],
  ['too few credits', { submit: [refusal(402, 'Top up first')] }, /does not have enough credits/],
  ['a page in place of an answer', { submit: [html(200)] }, UNCLEAR],
  ['a page with 404', { submit: [html(404)] }, UNCLEAR],
  ['a page with 500', { submit: [html(500)] }, UNCLEAR],
  ['half an answer', { submit: [halfBody()] }, UNCLEAR],
  ['a reset', { submit: [reset()] }, UNCLEAR],
  ['silence', { submit: [hang()] }, UNCLEAR],
  ['a byte now and then', { submit: [drip()] }, UNCLEAR],
  ['something that is not HTTP', { submit: [gibberish()] }, UNCLEAR],
])(
  'a submission that meets %s ends with a true sentence, and is not sent again',
  async (_, sickness, sentence) => {
    const world = await faultyServiceWorld(sickness);
    const ended = await world.besideHealthy();
    expect(ended.content).toMatch(sentence);
    if (sickness.submit?.[0]) expect(world.submissions()).toBe(1);
    const answers = world.discord.requests.list(({ path }) => path.endsWith('/callback'));
    expect(withoutRepeatedAnswers(answers)).toHaveLength(2);
  },
);

test('429 with Retry-After is waited out before a task is submitted', async () => {
  const world = await faultyServiceWorld({ submit: [tooMany(2), answer({ id: '4711', status: 'queued' })] });
  expect((await world.besideHealthy()).attachments).toHaveLength(1);
  expect(world.submissions()).toBe(2);
});

test.each([600, 5 * 365 * 24 * 3_600])(
  '429 for longer than anybody waits, %i seconds, is a wait for a turn, until the service takes it',
  async (seconds) => {
    const world = await faultyServiceWorld({
      submit: [tooMany(seconds), answer({ id: '4711', status: 'queued' })],
    });
    const reply = await world.ask();
    await world.reads('Waiting: number 1');
    await world.logs('the image service takes no task of this key for now');
    world.clock.advance(5 * MINUTE_MS + 5_000);
    expect((await world.ended(reply.id)).attachments).toHaveLength(1);
    await world.logs('the image service takes tasks of this key again');
    expect(world.submissions()).toBe(2);
  },
);

test('where nothing can draw it for now, its reply says so, and it is drawn as soon as something can', async () => {
  const message = 'What draws the workflow "default" is away.';
  const world = await faultyServiceWorld({
    submit: [
      refusal(503, { code: 'engine_unavailable', message }, { 'retry-after': '600' }),
      answer({ id: '4711', status: 'queued' }),
    ],
  });
  const reply = await world.ask();
  await world.reads(en.progress.engineUnavailable);
  world.clock.advance(10 * MINUTE_MS + 5_000);
  expect((await world.ended(reply.id)).attachments).toHaveLength(1);
  expect(world.submissions()).toBe(2);
});

test('a service that cannot be reached is told so, and nothing was submitted', async () => {
  const world = await botWorld({ imageUrl: NOWHERE, operatorKey: A_KEY });
  const ended = await world.imagined({ prompt: 'a red fox' });
  expect(ended.content).toMatch(/cannot be reached\. Nothing was sent/);
});

test.each<[string, Faults]>([
  [
    'a burst of 500 and 502',
    {
      status: [
        ...times(2, html(500)),
        ...times(2, html(502)),
        task({ status: 'completed', result: { image_url: '/pictures/x.png' } }),
      ],
    },
  ],
  [
    'pages with 401, 403 and 404',
    { status: [html(404), html(401), html(403), completedAt((base) => `${base}/pictures/1.png`)] },
  ],
  ['pages with 200', { status: [...times(2, html(200)), completedAt((base) => `${base}/pictures/1.png`)] }],
  ['resets', { status: [...times(2, reset()), completedAt((base) => `${base}/pictures/1.png`)] }],
  ['half an answer', { status: [halfBody(), completedAt((base) => `${base}/pictures/1.png`)] }],
  ['silence', { status: [hang(), completedAt((base) => `${base}/pictures/1.png`)] }],
  ['a byte now and then', { status: [drip(), completedAt((base) => `${base}/pictures/1.png`)] }],
  ['something that is not HTTP', { status: [gibberish(), completedAt((base) => `${base}/pictures/1.png`)] }],
  [
    'a byte order mark',
    {
      status: [
        withByteOrderMark({ id: '1', status: 'processing', progress: 5 }),
        completedAt((base) => `${base}/pictures/1.png`),
      ],
    },
  ],
  ['429 with Retry-After', { status: [tooMany(3), completedAt((base) => `${base}/pictures/1.png`)] }],
  [
    '429 without Retry-After',
    { status: [...times(2, tooMany()), completedAt((base) => `${base}/pictures/1.png`)] },
  ],
  [
    'unknown words for its state',
    {
      status: [
        task({ status: 'denoising' }),
        task({ status: 'WARMING_UP' }),
        completedAt((base) => `${base}/pictures/1.png`),
      ],
    },
  ],
  ['a relative address', { status: [completedAt(() => '/pictures/1.png')] }],
  [
    'completed, and the address a moment later',
    {
      status: [task({ status: 'completed', result: null }), completedAt((base) => `${base}/pictures/1.png`)],
    },
  ],
  [
    'a picture whose host fails for a while',
    { picture: [...times(12, html(503)), bytes(A_PNG, 'image/png')] },
  ],
  ['a picture that hangs once', { picture: [hang(), bytes(A_PNG, 'image/png')] }],
  ['a picture that breaks off once', { picture: [halfBody(A_PNG, 'image/png'), bytes(A_PNG, 'image/png')] }],
  ['a picture that is not there yet', { picture: [html(404), bytes(A_PNG, 'image/png')] }],
])('a task that meets %s still comes out, submitted once', (_, sickness) => comesOut(sickness));

test('a task that meets 404 right after the submission still comes out, submitted once', () =>
  // It may be unknown for ten seconds of the clock, which a busy machine needs to ask once: here they are twenty.
  comesOut(
    { status: [refusal(404, 'Task not found'), completedAt((base) => `${base}/pictures/1.png`)] },
    { clock: createFastClock({ factor: 0.5 }) },
  ));

async function comesOut(...[sickness, options]: Parameters<typeof faultyServiceWorld>): Promise<void> {
  const world = await faultyServiceWorld(sickness, options);
  const ended = await world.besideHealthy();
  expect(ended.content).toBe(`<@${MEMBER}>`);
  expect(ended.attachments).toHaveLength(1);
  expect(world.submissions()).toBe(1);
}

test.each<[string, Faults, RegExp]>([
  [
    'is unknown to the service',
    { status: [refusal(404, 'Task not found')] },
    /no longer knows this picture\./,
  ],
  ['is completed without an address', { status: [task({ status: 'completed', result: null })] }, SENSELESS],
  [
    'fails',
    { status: [task({ status: 'failed', error: 'Task processing failed or timed out' })] },
    /could not make this picture\. It said: Task processing failed or timed out/,
  ],
  [
    'meets a key that was revoked',
    { status: [refusal(401, 'Invalid key')] },
    /did not accept the key.*Credits of this bot’s operator may have been taken/,
  ],
  [
    'has a picture that is 404',
    { picture: [html(404)] },
    /finished, but the image service does not hand it over\. You may be able to open it yourself: <http/,
  ],
  ['has a page as its picture', { picture: [html(200)] }, BLOCKED],
  ['has a damaged picture', { picture: [bytes(A_PNG.subarray(0, 50), 'image/png')] }, BLOCKED],
  [
    'has a picture of 70 MB',
    { picture: [bytes(Buffer.concat([A_PNG, Buffer.alloc(70_000_000)]), 'image/png')] },
    BLOCKED,
  ],
  [
    'has a picture behind redirects without end',
    { picture: [redirect('/pictures/deadbeef-0000-4000-8000-000000000000.png')] },
    BLOCKED,
  ],
  [
    'has a picture that redirects to a private address',
    { picture: [redirect('http://10.0.0.1/pictures/1.png')] },
    BLOCKED,
  ],
  [
    'has a picture on a private address',
    { status: [completedAt(() => 'http://192.168.1.1/secret.png')] },
    BLOCKED,
  ],
  [
    'has a picture on another port of this machine',
    { status: [completedAt(() => 'http://127.0.0.1:1/secret.png')] },
    BLOCKED,
  ],
  ['has a picture in the file system', { status: [completedAt(() => 'file:///etc/passwd')] }, BLOCKED],
])('a task that %s ends with a true sentence', async (_, sickness, sentence) => {
  const world = await faultyServiceWorld(sickness);
  const ended = await world.besideHealthy();
  expect(ended.content).toMatch(sentence);
  expect(ended.attachments).toHaveLength(0);
  expect(world.submissions()).toBe(1);
});

test('a cost that no picture has closes no budget, and is told in the log', async () => {
  const status: Behaviour = ({ request, baseUrl, ...exchange }) => {
    const id = request.query.get('task_id');
    const result = { image_url: `${baseUrl}/pictures/${id}.png` };
    return answer({ id, status: 'completed', created_at: null, cost: 1e308, result })({
      request,
      baseUrl,
      ...exchange,
    });
  };
  const world = await faultyServiceWorld({ status: [status] }, { operatorLimits: { keyCreditsDay: 10 } });
  expect((await world.besideHealthy()).attachments).toHaveLength(1);
  expect((await world.imagined({ prompt: 'a healthy fox' })).attachments).toHaveLength(1);
  expect(world.lines.filter((line) => line.includes('far more'))).toHaveLength(1);
});

test('what a request that failed has cost stands in /balance, and nothing of one that was paid back', async () => {
  const failed = (cost: number) => answer({ status: 'failed', error: 'Out of memory', cost });
  const world = await faultyServiceWorld({ status: [failed(3), failed(0)] });
  await world.besideHealthy();
  const costs = async () => messageOf(await world.member.invoke(CHANNEL, 'balance')).content;
  expect(await costs()).toBe(`${en.balance.operatorPays}\n${en.balance.lastPictures}\n- **3** · a sick fox`);
  await world.besideHealthy();
  expect((await costs()).match(/a sick fox/g)).toHaveLength(1);
});

test.each([
  ['Content Moderated', {}, true],
  ['TIMED_OUT', {}, true],
  ['JOB_STATE_EXPIRED', {}, true],
  ['Content Moderated', { cost: 0 }, false],
  ['Request Moderated', {}, false],
])(
  'whether a task that ends as %s with %j counts as if it had been drawn, and may have been charged: %s',
  async (status, told, mayBe) => {
    const world = await faultyServiceWorld(
      { status: [answer({ status, result: null, ...told })] },
      { operatorLimits: { memberDay: 1 } },
    );
    const asked = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a sick fox', private: true });
    const { content } = await world.ended(messageOf(asked).id);
    expect(content).toContain(`It said: ${status.replace(/_/g, '\\_')}`);
    expect(content.includes(en.failure.mayBeCharged.operator)).toBe(mayBe);
    const next = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a healthy fox' }));
    if (mayBe) expect(next.content).toContain('your limit of 1 picture');
    else expect((await world.ended(next.id)).attachments).toHaveLength(1);
  },
);

test('a picture of 30 MB is made smaller, and attached', async () => {
  const { bytes: noise } = await paintNoise({ width: 3_200, height: 3_200 });
  expect(noise.length).toBeGreaterThan(30_000_000);
  const world = await faultyServiceWorld(
    { picture: [bytes(noise, 'image/png')] },
    { timeoutMs: WAIT_TIMEOUT_MS, clock: createFastClock({ factor: 2 }) },
  );
  const [attachment] = (await world.besideHealthy()).attachments;
  expect(attachment?.size).toBeLessThanOrEqual(10 * 1024 * 1024);
  expect(
    (await sharp(await world.attached({ attachments: attachment ? [attachment] : [] } as never)).metadata())
      .width,
  ).toBeGreaterThan(1_000);
});

test('progress that goes backwards, is text, a fraction or absent never falls in the chat', async () => {
  const said = ['40', 20, '55%', undefined, 0.6, null, 'soon', -5, 1e9];
  const percents: number[] = [];
  /** What comes after a percentage is said once the chat has shown that. */
  const status: Behaviour = (exchange) => {
    const [progress] = said;
    const rises = { '40': 40, '55%': 55, '0.6': 60 }[`${progress}`];
    if (rises === undefined || percents.includes(rises)) said.shift();
    return (said.length > 0 ? task({ progress }) : completedAt((base) => `${base}/pictures/1.png`))(exchange);
  };
  const world = await faultyServiceWorld({ status: [status] });
  world.as(MEMBER).subscribe((event) => {
    if (event.type !== 'message-updated' || !event.message.content.includes('sick')) return;
    const percent = /(\d+) %/.exec(event.message.content)?.[1];
    if (percent !== undefined) percents.push(Number(percent));
  });
  expect((await world.besideHealthy()).attachments).toHaveLength(1);
  expect(percents).toEqual(expect.arrayContaining([40, 55, 60]));
  expect(percents).toEqual(percents.toSorted((one, other) => one - other));
});

test('a drawing that is lost and begins anew shows the percentage that it has then', async () => {
  const said = [60, 0, 5, 9];
  const world = await faultyServiceWorld({
    status: [(exchange) => task({ progress: said.length > 1 ? said.shift() : said[0] })(exchange)],
  });
  await world.ask();
  await world.reads('60 %');
  await world.reads('9 %');
});

test('a service that says for ever that it takes one more second gets no edit for that', async () => {
  let polls = 0;
  const status: Behaviour = (exchange) =>
    (++polls < 30 ? task({ progress: 50, eta_seconds: 1 }) : completedAt((base) => `${base}/pictures/1.png`))(
      exchange,
    );
  const world = await faultyServiceWorld({ status: [status] });
  const seen: string[] = [];
  world.as(MEMBER).subscribe((event) => {
    if (event.type !== 'message-updated' || !event.message.content.includes('50 %')) return;
    seen.push(event.message.content);
  });
  expect((await world.besideHealthy()).attachments).toHaveLength(1);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.slice(1).filter((content) => content.includes(' left'))).toEqual([]);
});

/** A job whose first poll is told to wait for an hour, some seconds before its 31 minutes are over. */
async function shortlyBeforeTheEnd(...later: Behaviour[]) {
  const clock = createFastClock({ factor: 0.001 });
  const endsAt = clock.now() + 31 * MINUTE_MS;
  const world = await faultyServiceWorld({ status: [tooMany(3_600), ...later] }, { clock });
  const reply = await world.ask();
  const polls = () => world.hostile.requests('status').length;
  await expect
    .poll(() => {
      clock.advance(1_000);
      return polls();
    })
    .toBe(1);
  // Of the 31 minutes one is over, or several, where the machine is slow.
  await expect.poll(() => clock.sleeps().some((ms) => ms > 20 * MINUTE_MS && ms < 31 * MINUTE_MS)).toBe(true);
  clock.advance(endsAt - 1_000 - clock.now());
  return { ...world, reply, polls, endsAt };
}

test('a picture that is finished while polls are to wait for an hour is brought before its time is over', async () => {
  const world = await shortlyBeforeTheEnd(completedAt((base) => `${base}/pictures/1.png`));
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.clock.now()).toBeLessThan(world.endsAt);
});

test('of a task whose polls are to wait for an hour again and again its member is told in time what is known', async () => {
  const world = await shortlyBeforeTheEnd();
  await expect.poll(world.polls).toBe(2);
  world.clock.advance(MINUTE_MS);
  expect((await world.ended(world.reply.id)).content).toMatch(/did not finish in time/);
});

test('a task that never ends is given up after half an hour, and its member told what is known', async () => {
  const world = await faultyServiceWorld({ status: [task({ progress: 10 })] });
  const reply = await world.ask();
  await world.reads('10 %');
  for (let minute = 0; minute < 32; minute += 1) world.clock.advance(MINUTE_MS);
  const ended = await world.ended(reply.id);
  expect(ended.content).toMatch(/did not finish in time/);
  expect(JSON.stringify(ended.components)).toContain('Try again');
  expect((await world.imagined({ prompt: 'a healthy fox' })).attachments).toHaveLength(1);
});

test('a service that fails whatever it is asked is noticed once; new requests are told so, and running jobs go on when it is back', async () => {
  const world = await faultyServiceWorld();
  const politely = world.hostile.politely;
  const reply = await world.ask();
  await expect.poll(() => world.hostile.requests('status')).not.toEqual([]);
  world.hostile.script('status', html(500));
  world.hostile.script('submit', html(500));
  const moderator = world.as(MODERATOR);
  await confirmed(await moderator.invoke(CHANNEL, 'imagine', { prompt: 'four foxes', count: 4 }), moderator);
  await world.logs('the image service is down');
  // Now and then one is let through, to see.
  let refused: APIMessage | undefined;
  await expect
    .poll(async () => {
      refused = messageOf(await moderator.invoke(CHANNEL, 'imagine', { prompt: 'another fox' }));
      return refused.content;
    })
    .toMatch(/not answering right now\. Nothing was sent/);
  if (!refused) throw new Error('nothing was refused');
  const kept = await moderator.press(refused.id, buttonOf(refused, en.editForm.edit));
  expect(JSON.stringify(kept)).toContain('another fox');
  await world.reads('The service does not answer; retrying');
  world.hostile.script('status', politely);
  world.hostile.script('submit', politely);
  expect((await world.ended(reply.id)).attachments).toHaveLength(1);
  expect(world.lines.filter((line) => line.includes('the image service is down'))).toHaveLength(1);
  expect((await world.imagined({ prompt: 'a last fox' })).attachments).toHaveLength(1);
});

test('an unclear submission is sent again under the same key where the service has said that this is safe', async () => {
  const clock = createFastClock({ factor: 20 });
  const world = await faultyServiceWorld({}, { clock });
  const announce: Behaviour = (exchange) => {
    exchange.response.setHeader('idempotency-key-supported', 'true');
    return world.hostile.politely(exchange);
  };
  world.hostile.script('status', announce);
  world.hostile.script('submit', announce, reset(), announce);
  await world.imagined({ prompt: 'a first fox' });
  const second = await world.imagined({ prompt: 'a second fox' });
  expect(second.attachments).toHaveLength(1);
  const keys = world.hostile.requests('submit').map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(keys[1]).toBe(keys[2]);
  expect(keys[0]).not.toBe(keys[1]);
});

test('a service that never answers keeps no reply from saying in time how its picture will come', async () => {
  const world = await faultyServiceWorld({ status: [hang()] }, { timeoutMs: 10 * WAIT_TIMEOUT_MS });
  await world.ask();
  await expect.poll(() => world.hostile.requests('status')).toHaveLength(1);
  await expect.poll(() => Math.max(...world.clock.sleeps())).toBeGreaterThan(12 * MINUTE_MS);
  world.clock.advance(13.2 * MINUTE_MS);
  await world.reads('This is taking longer than usual');
});

import { failureOf, silentLog } from '@darkroom/testing';
import { createSemaphore, HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { DiscordAPIError, HTTPError } from 'discord.js';
import { expect, test } from 'vitest';
import { A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import { createOutage } from '../../src/delivery/outage.ts';
import { createOutcomeMessage } from '../../src/delivery/outcome-message.ts';
import { createSender } from '../../src/delivery/sender.ts';
import type { Target } from '../../src/delivery/targets.ts';
import { transferMs } from '../../src/delivery/transfer-time.ts';
import type { FindResult, JobPicture } from '../../src/jobs/delivery-port.ts';
import type { Message } from '../../src/messages/message.ts';
import { aJob } from '../support/job.ts';

const MIB = 1024 ** 2;
const LOCATION = { channelId: '400000000000000001', messageId: '600000000000000001' };
const SENT = { state: 'sent', location: LOCATION };

const request = { body: undefined, files: [] };
const UNAVAILABLE = new HTTPError(503, 'Service Unavailable', 'PATCH', '/', request);
const refusedBy = (code: number, status = 403) =>
  new DiscordAPIError({ code, message: 'no' }, code, status, 'PATCH', '/', request);
const UNKNOWN_CHANNEL = refusedBy(10003, 404);
const TOO_LARGE = refusedBy(40005, 413);

/** An outcome on its way to a target that fails with `failures` in turn, the last one for ever, or then works. */
function senderWorld({
  target: name = 'reply',
  failures = [],
  forEver = false,
  finds = [{ state: 'absent' }],
  picture = { bytes: A_PNG, contentType: 'image/png', task: 0 },
  waits = [],
  attachmentLimit = 10 * MIB,
  bytesPerMs = Number.POSITIVE_INFINITY,
}: {
  target?: Target['name'];
  failures?: Error[];
  forEver?: boolean;
  /** What becomes of searches for our message, in turn, and of the last one for ever. */
  finds?: (FindResult | Error)[];
  picture?: JobPicture;
  /** What the target asks for before each attempt, in milliseconds. */
  waits?: number[];
  attachmentLimit?: number;
  /** How fast the line is. */
  bytesPerMs?: number;
} = {}) {
  const clock = createFakeClock();
  const calls: ('send' | 'find')[] = [];
  const outage = createOutage({ clock, log: silentLog() });
  const { sendWithRetry } = createSender({
    async findIn() {
      calls.push('find');
      const result = (finds.length > 1 ? finds.shift() : finds[0]) ?? { state: 'absent' };
      if (result instanceof Error) throw result;
      return result;
    },
    memory: createSemaphore(1024 ** 2),
    outage,
    clock,
    log: silentLog(),
  });
  const readAt: number[] = [];
  const sizes: number[] = [];
  const left = [...failures];
  const target = {
    name,
    waitMs: () => waits.shift() ?? 0,
    async send({ files = [] }: Message) {
      calls.push('send');
      const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
      sizes.push(bytes);
      const tookMs = Math.floor(bytes / bytesPerMs);
      if (tookMs > 0) await clock.sleep(tookMs);
      const failure = forEver && left.length === 1 ? left[0] : left.shift();
      if (failure) throw failure;
      return LOCATION;
    },
  };
  async function read(): Promise<JobPicture> {
    readAt.push(clock.now());
    return picture;
  }
  const job = aJob({ attachmentLimit });
  const message = createOutcomeMessage(job, [{ task: 0, size: A_PNG.byteLength, read }], {});
  const { signal } = new AbortController();
  return {
    clock,
    outage,
    calls,
    /** When a picture was read. */
    readAt,
    /** The bytes of files in each attempt. */
    sizes,
    send: () => sendWithRetry({ target, message, job, signal, giveUpAfterMs: 10 * MINUTE_MS }),
    /** The result, once so much time has passed. */
    async sendWithin(ms: number) {
      const result = this.send();
      await clock.advance(ms);
      return result;
    },
  };
}

test('while its target takes nothing, no picture is read', async () => {
  const { readAt, clock, send } = senderWorld({ waits: [5_000, 2_000] });
  const startedAt = clock.now();
  const sending = send();
  await clock.advance(10_000);
  expect(await sending).toEqual(SENT);
  expect(readAt).toHaveLength(1);
  // Each wait with its jitter.
  const [readAfterMs] = readAt.map((at) => at - startedAt);
  expect(readAfterMs).toBeGreaterThanOrEqual(7_000);
  expect(readAfterMs).toBeLessThan(8_000);
});

test('where its target takes nothing for longer than anybody waits, a message is put aside at once', async () => {
  const { clock, send } = senderWorld({ waits: [11 * MINUTE_MS] });
  const sending = send();
  await clock.settle();
  expect(clock.sleeps).toEqual([]);
  expect(await sending).toEqual({ state: 'unconfirmed' });
});

test('a message that cannot be written is a mistake of ours, and no trouble of Discord to wait for', async () => {
  const { bytes: _missing, ...withoutBytes } = { bytes: A_PNG, contentType: 'image/png', task: 0 };
  const { clock, send } = senderWorld({ picture: withoutBytes as JobPicture });
  expect(await failureOf(send())).toBeInstanceOf(TypeError);
  expect(clock.sleeps).toEqual([]);
});

test('a message that could not be written is written anew for the next attempt', async () => {
  const { bytes, ...withoutBytes } = { bytes: A_PNG, contentType: 'image/png', task: 0 };
  const picture = withoutBytes as JobPicture;
  const { send } = senderWorld({ picture });
  await failureOf(send());
  Object.assign(picture, { bytes });
  expect(await send()).toEqual(SENT);
});

test('where Discord fails the message is sent again, and nothing is looked for before Discord forgets a nonce', async () => {
  const world = senderWorld({ target: 'channel', failures: [UNAVAILABLE, UNAVAILABLE] });
  expect(await world.sendWithin(MINUTE_MS)).toEqual(SENT);
  expect(world.calls).toEqual(['send', 'send', 'send']);
});

test('after a minute of failures our message is looked for before another is posted', async () => {
  const location = { channelId: '1', messageId: '2' };
  const world = senderWorld({
    target: 'channel',
    failures: [UNAVAILABLE],
    forEver: true,
    finds: [{ state: 'found', message: location }],
  });
  expect(await world.sendWithin(3 * MINUTE_MS)).toEqual({ state: 'sent', location });
  expect(world.calls.filter((call) => call === 'find')).toHaveLength(1);
});

test('a reply is edited again without a look: an edit does the same twice', async () => {
  const world = senderWorld({ failures: [UNAVAILABLE], forEver: true });
  expect(await world.sendWithin(11 * MINUTE_MS)).toEqual({ state: 'unconfirmed' });
  expect(world.calls).not.toContain('find');
});

test('ten minutes are no more where the clock is set back meanwhile', async () => {
  const { clock, send } = senderWorld({ failures: [UNAVAILABLE], forEver: true });
  const sending = Promise.race([send(), clock.sleep(12 * MINUTE_MS)]);
  await clock.advance(MINUTE_MS);
  clock.setBack(HOUR_MS);
  await clock.advance(11 * MINUTE_MS);
  expect(await sending).toEqual({ state: 'unconfirmed' });
});

test('what waits for its turn behind hundreds of others is unconfirmed after ten minutes too', async () => {
  const { outage, clock, calls, send } = senderWorld({ failures: [UNAVAILABLE], forEver: true });
  const fail = () => failureOf(outage.observe(Promise.reject(UNAVAILABLE)));
  for (let call = 0; call < 5; call += 1) await fail();
  async function tryForEver(): Promise<never> {
    for (;;) {
      await outage.untilAdmitted(new AbortController().signal);
      await fail();
    }
  }
  for (let other = 0; other < 200; other += 1) void tryForEver();
  const sending = send();
  await clock.advance(10 * MINUTE_MS);
  expect(await sending).toEqual({ state: 'unconfirmed' });
  expect(calls).toEqual(['send']);
});

test('a refusal is final, and where nothing may have arrived nothing is looked for', async () => {
  const world = senderWorld({ failures: [UNKNOWN_CHANNEL] });
  expect(await world.send()).toEqual({ state: 'refused', closesChannel: true });
  expect(world.calls).toEqual(['send']);
});

test.each<[FindResult, object]>([
  [{ state: 'found', message: LOCATION }, SENT],
  [{ state: 'absent' }, { state: 'refused', closesChannel: false }],
  [{ state: 'unknown' }, { state: 'unverifiable' }],
])('a refusal after an attempt that may have arrived is verified: %o', async (finds, result) => {
  const world = senderWorld({ failures: [UNAVAILABLE, refusedBy(50013)], finds: [finds] });
  expect(await world.sendWithin(MINUTE_MS)).toEqual(result);
  expect(world.calls).toEqual(['send', 'send', 'find']);
});

test('what is too large is sent smaller at once, in the end without pictures', async () => {
  const bytes = Buffer.concat([A_PNG, Buffer.alloc(300 * 1024)]);
  const picture = { bytes, contentType: 'image/png', task: 0 };
  const world = senderWorld({ failures: [TOO_LARGE, TOO_LARGE], picture });
  expect(await world.send()).toEqual(SENT);
  // Nothing but timeouts: of two uploads, and of a message without files.
  const uploadMs = 15_000 + transferMs(bytes.byteLength);
  expect(world.clock.sleeps).toEqual([uploadMs, uploadMs, 15_000]);
});

/** A picture with so many bytes, most of which it can do without. */
const pictureOf = (bytes: number) => ({
  bytes: Buffer.concat([A_PNG, Buffer.alloc(bytes - A_PNG.byteLength)]),
  contentType: 'image/png',
  task: 0,
});

test('a picture of 24 MiB arrives over a line that sends 2 Mbit/s', async () => {
  const world = senderWorld({ picture: pictureOf(24 * MIB), attachmentLimit: 25 * MIB, bytesPerMs: 250 });
  expect(await world.sendWithin(2 * MINUTE_MS)).toEqual(SENT);
  expect(world.calls).toEqual(['send']);
});

test('after two uploads that took too long a picture is sent smaller', async () => {
  const picture = pictureOf(3 * MIB);
  const world = senderWorld({ picture, attachmentLimit: 5 * MIB, bytesPerMs: 100 });
  expect(await world.sendWithin(2 * MINUTE_MS)).toEqual(SENT);
  const [first, second, third, ...more] = world.sizes;
  expect([first, second, more]).toEqual([3 * MIB, 3 * MIB, []]);
  expect(third).toBeLessThan(2 * MIB);
});

test('over a line that is too slow for any picture comes what is written, with a link', async () => {
  const world = senderWorld({ picture: pictureOf(MIB), bytesPerMs: 10 });
  expect(await world.sendWithin(5 * MINUTE_MS)).toEqual(SENT);
  expect(world.sizes.at(-1)).toBe(0);
});

test('a picture whose uploads arrive, though Discord says so too late, stays in the message', async () => {
  const finds = [{ state: 'absent' as const }, { state: 'found' as const, message: LOCATION }];
  const world = senderWorld({ picture: pictureOf(MIB), bytesPerMs: 10, finds });
  expect(await world.sendWithin(5 * MINUTE_MS)).toEqual(SENT);
  expect(world.calls).toEqual(['send', 'send', 'find', 'send', 'send', 'find']);
  expect(new Set(world.sizes)).toEqual(new Set([MIB]));
});

test('while nobody can say whether a slow upload has arrived the picture stays as it is', async () => {
  const world = senderWorld({ picture: pictureOf(MIB), bytesPerMs: 10, finds: [UNAVAILABLE] });
  expect(await world.sendWithin(11 * MINUTE_MS)).toEqual({ state: 'unconfirmed' });
  expect(new Set(world.sizes)).toEqual(new Set([MIB]));
});

test('after uploads that Discord itself did not take a picture stays as it is', async () => {
  const world = senderWorld({ picture: pictureOf(3 * MIB), failures: [UNAVAILABLE, UNAVAILABLE] });
  expect(await world.sendWithin(MINUTE_MS)).toEqual(SENT);
  expect(world.sizes).toEqual([3 * MIB, 3 * MIB, 3 * MIB]);
});

test('what is too large without pictures is refused', async () => {
  const world = senderWorld({ failures: [TOO_LARGE], forEver: true });
  expect(await world.send()).toEqual({ state: 'refused', closesChannel: false });
});

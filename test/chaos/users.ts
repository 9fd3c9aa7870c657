import { setTimeout as delay } from 'node:timers/promises';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, LocalDiscord, OptionValue } from 'local-discord';
import type { LimitForm } from '../../commands/settings/forms.ts';
import { isLoading } from '../../packages/local-discord/src/page/message-flags.ts';
// The one that is thrown here: the package has another copy of it where this is run as a program.
import { UserClientError } from '../../packages/local-discord/src/user-client/user-client-error.ts';
import { BOT, GUILD, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { type KeyChange, MAKINGS, type Making, type UserAction, WIDEST_LIMITS } from './actions.ts';
import type { Observations, ObservedOutcome } from './observations.ts';
import type { Trace } from './trace.ts';

/** How long a user waits for the list of their jobs, in real milliseconds. */
const LIST_MS = 4_000;

/** Its buttons, and how their ids begin. */
const LIST_BUTTONS = { stop: 'jobs:stop', show: 'imagine:show' };
type ListButton = keyof typeof LIST_BUTTONS;
/** Likewise what becomes of a key: longer than any call that the bot makes for it. */
const KEY_MS = 15_000;
/** How often a moderator tries to change limits. */
const LIMIT_TRIES = 8;
/** How often somebody tries to make something of a picture, and the real milliseconds between two tries. */
const MAKING_TRIES = 5;
const MAKING_PAUSE_MS = 1_000;
/** How long whoever asked for it waits for a picture, in real milliseconds. */
const PICTURE_MS = 30_000;

/** A command or button that a user sent to the bot, and its first answer. */
interface Invocation {
  /** Whether it asks for pictures. */
  forPictures: boolean;
  answer: InteractionResult;
  /** Real milliseconds since the epoch; when the answer came. */
  at: number;
}

/** What users did. The checks need it to know what to expect. */
export interface UserHistory {
  invocations: Invocation[];
  /** Messages that somebody deleted, or said yes to the deletion of: `removing`. */
  deleted: Set<string>;
  removing: Set<string>;
  /** Jobs that their member stopped. */
  stopped: Set<string>;
  /** When a moderator had stopped everything in a server, by the clock of the run. */
  stops: { guildId: string; at: number }[];
  /** What each member did to their key, one after the other. `done`: whether the bot has said so. */
  keys: Map<string, { change: KeyChange; done: boolean }[]>;
  /** Jobs that their member had shown from /jobs. */
  shown: Set<string>;
  /** The limits of the first server that were typed in. `done`: whether the bot has shown them. */
  limits: { form: LimitForm; limits: Record<string, string>; done: boolean }[];
}

/** Undefined where Discord's client does not let the user do it. */
const orNothing = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error: unknown) => {
    if (!(error instanceof UserClientError)) throw error;
    return undefined;
  });

/** Simulated users, who ask for pictures in several channels, several at once, and press buttons. */
export function createUsers({
  discord,
  userIds,
  channels,
  key,
  photograph,
  observations,
  trace,
  now,
}: {
  discord: LocalDiscord;
  userIds: readonly string[];
  channels: readonly string[];
  /** That members link. */
  key: string;
  /** That they bring. */
  photograph: OptionValue;
  observations: Observations;
  trace: Trace;
  now: () => number;
}) {
  const history: UserHistory = {
    invocations: [],
    deleted: new Set(),
    removing: new Set(),
    stopped: new Set(),
    stops: [],
    keys: new Map(),
    shown: new Set(),
    limits: [],
  };
  const pending = new Set<Promise<void>>();
  /** Of each member, until when their key is being changed. */
  const changing = new Map<string, Promise<void>>();

  /** Whether the message of an answer comes to say this. */
  async function comesToSay(
    userId: string,
    answer: InteractionResult,
    words: string,
    longestMs: number,
  ): Promise<boolean> {
    if (answer.kind !== 'message' && answer.kind !== 'update') return false;
    const { id } = answer.message;
    const isSaid = (message: APIMessage) => message.id === id && message.content.includes(words);
    const said = discord.as(userId).waitForMessage(isSaid, { signal: AbortSignal.timeout(longestMs) });
    return said.then(
      () => true,
      () => false,
    );
  }

  async function changeKey(userId: string, change: KeyChange): Promise<void> {
    const changes = history.keys.get(userId) ?? [];
    history.keys.set(userId, changes);
    const user = discord.as(userId);
    const asked = await invoke(`runs /apikey ${change}`, [userId], () =>
      user.invoke(channels[0] ?? '', `apikey ${change}`),
    );
    if (change === 'unlink') {
      const isAsked = await comesToSay(userId, asked, 'stays valid', LIST_MS);
      if (asked.kind !== 'message' || !isAsked) return;
      const { id } = asked.message;
      const [unlink] = /apikey:unlink:own:\d+/.exec(JSON.stringify(user.message(id)?.components)) ?? [];
      if (unlink === undefined) return;
      const entry = { change, done: false };
      changes.push(entry);
      const press = () => user.press(id, unlink);
      const answer = await invoke('presses unlink', [userId], press);
      entry.done = await comesToSay(userId, answer, 'is unlinked', KEY_MS);
      return;
    }
    if (asked.kind !== 'modal') return;
    const entry = { change, done: false };
    changes.push(entry);
    const asks = JSON.stringify(asked.modal).includes('"moderators"');
    const answer = await invoke('submits a key', [userId], () =>
      user.submitModal(asked.interactionId, { secret: key, ...(asks && { moderators: ['no'] }) }),
    );
    entry.done = await comesToSay(userId, answer, 'is linked', KEY_MS);
  }

  async function invoke(
    what: string,
    ids: string[],
    send: () => Promise<InteractionResult>,
    forPictures = false,
  ) {
    const answer = await send();
    trace.record('user', `${what}: ${answer.kind}`, [...ids, answer.interactionId]);
    history.invocations.push({ forPictures, answer, at: Date.now() });
    return answer;
  }

  /** Runs /jobs, waits for the list, and presses the buttons that `choose` picks. */
  async function openJobs(
    userId: string,
    channelId: string,
    choose: (ids: (press: ListButton) => string[]) => [press: ListButton, jobId: string][],
  ): Promise<void> {
    const user = discord.as(userId);
    const answer = await invoke('runs /jobs', [userId], () => user.invoke(channelId, 'jobs'));
    if (answer.kind !== 'message') return;
    const { id } = answer.message;
    const isList = (message: APIMessage) => message.id === id && !isLoading(message);
    const list = await user
      .waitForMessage(isList, { channelId, signal: AbortSignal.timeout(LIST_MS) })
      .catch(() => undefined);
    const buttons = JSON.stringify(list?.components ?? []);
    const idsOf = (press: ListButton) =>
      [...buttons.matchAll(new RegExp(`${LIST_BUTTONS[press]}:(\\d+)`, 'g'))].map(([, found = '']) => found);
    for (const [press, jobId] of choose(idsOf)) {
      if (press === 'show') history.shown.add(jobId);
      else history.stopped.add(jobId);
      await invoke(`presses ${press}`, [jobId], () => user.press(id, `${LIST_BUTTONS[press]}:${jobId}`));
    }
  }

  /** Presses More under a picture. */
  async function pressMore(userId: string, { messageId, jobId }: ObservedOutcome): Promise<void> {
    const id = `imagine:more:${jobId}:${userId}`;
    await invoke(`presses ${id}`, [messageId, jobId], () => discord.as(userId).press(messageId, id));
  }

  /** The message that has this button or menu, once the user sees it. */
  async function holding(userId: string, id: string): Promise<APIMessage | undefined> {
    const holdsIt = ({ components }: APIMessage) => JSON.stringify(components ?? []).includes(`"${id}"`);
    const signal = AbortSignal.timeout(LIST_MS);
    return discord
      .as(userId)
      .waitForMessage(holdsIt, { signal })
      .catch(() => undefined);
  }

  /** Presses Delete, behind the More of the picture, and says yes. */
  async function deletePicture(userId: string, outcome: ObservedOutcome): Promise<void> {
    const { messageId, jobId } = outcome;
    await pressMore(userId, outcome);
    for (const step of ['delete', 'remove']) {
      const id = `imagine:${step}:${userId}:${messageId}:${jobId}`;
      const asked = await holding(userId, id);
      if (!asked) return;
      if (step === 'remove') for (const set of [history.deleted, history.removing]) set.add(messageId);
      await invoke(`presses ${id}`, [messageId, jobId], () => discord.as(userId).press(asked.id, id));
    }
  }

  /**
   * Asks for something that is made of a picture, by a button in its row or by what stands behind its More. Undefined
   * where that did not come.
   */
  async function askFor(
    making: Making,
    { messageId, jobId, ...outcome }: ObservedOutcome,
  ): Promise<InteractionResult | undefined> {
    const user = discord.as(outcome.memberId);
    const ask = (send: () => Promise<InteractionResult>) =>
      invoke(`asks for ${making}`, [messageId, jobId], send, true);
    switch (making) {
      case 'vary':
        return ask(() => user.press(messageId, `imagine:vary:${jobId}:0:subtly`));
      case 'upscale':
        return ask(() => user.press(messageId, `imagine:of:${jobId}:0:2x`));
      case 'change': {
        // In words, where the picture can be changed, and else another one is asked for.
        const open = () => user.press(messageId, `imagine:edit:${jobId}`);
        const asked = await invoke('presses edit', [messageId, jobId], open);
        if (asked.kind !== 'modal') return undefined;
        const said = JSON.stringify(asked.modal).includes('"change"') ? { change: 'in the snow' } : {};
        return ask(() => user.submitModal(asked.interactionId, said));
      }
      case 'expand':
      case 'background': {
        const id = making === 'expand' ? `imagine:expand:${jobId}:0` : `imagine:of:${jobId}:0:background`;
        await pressMore(outcome.memberId, { messageId, jobId, ...outcome });
        const more = await holding(outcome.memberId, id);
        if (!more) return undefined;
        return ask(() =>
          making === 'expand' ? user.select(more.id, id, ['left']) : user.press(more.id, id),
        );
      }
    }
  }

  /**
   * Again where nobody has a picture yet, it is refused, or the bot is killed meanwhile. Of several pictures one is picked first.
   * Returns the job.
   */
  async function make({
    making,
    nth,
  }: Omit<UserAction & { kind: 'make' }, 'kind'>): Promise<string | undefined> {
    for (let tries = 0; tries < MAKING_TRIES; tries++) {
      const single = observations
        .outcomes()
        .filter(
          ({ files, memberId, messageId }) => files.length === 1 && discord.as(memberId).message(messageId),
        );
      const outcome = single[(nth + tries) % single.length];
      const asked = outcome && (await orNothing(askFor(making, outcome)));
      // A refusal is said at once.
      if (asked?.kind === 'message' && isLoading(asked.message)) return asked.interactionId;
      await delay(MAKING_PAUSE_MS);
    }
    return undefined;
  }

  /** Whether the job comes to show a picture. */
  async function comesToShow(job: string): Promise<boolean> {
    for (const giveUpAt = Date.now() + PICTURE_MS; Date.now() < giveUpAt; await delay(100)) {
      const outcome = observations.outcomes().find(({ jobId }) => jobId === job);
      if (outcome) return outcome.files.length > 0;
    }
    return false;
  }

  /** The panel of the moderator, once it shows limits. It stays open whatever becomes of the bot. */
  let panel: string | undefined;

  async function openLimits(): Promise<void> {
    const moderator = discord.as(MODERATOR);
    await invoke('opens the settings', [], () => moderator.invoke(channels[0] ?? '', 'settings panel'));
    const opened = await holding(MODERATOR, 'settings:section');
    if (!opened) return;
    await invoke('looks at limits', [], () => moderator.select(opened.id, 'settings:section', ['limits']));
    panel = (await holding(MODERATOR, 'settings:limits:key'))?.id;
  }

  /** Again where the bot is killed meanwhile, as it lives for no longer than a few answers take. */
  async function changeLimits({ form, limits }: UserAction & { kind: 'limits' }): Promise<void> {
    const moderator = discord.as(MODERATOR);
    for (let tries = 0; tries < LIMIT_TRIES; tries++) {
      if (panel === undefined) await openLimits();
      const message = panel;
      if (message === undefined) continue;
      const id = `settings:limits:${form}`;
      const asked = await invoke(`presses ${id}`, [], () => moderator.press(message, id));
      if (asked.kind !== 'modal') continue;
      const entry = { form, limits, done: false };
      history.limits.push(entry);
      const submit = () => moderator.submitModal(asked.interactionId, limits);
      entry.done = (await invoke(`limits ${JSON.stringify(limits)}`, [], submit)).kind === 'update';
      if (entry.done) return;
    }
  }

  async function perform(action: UserAction): Promise<void> {
    const userId = 'user' in action ? (userIds[action.user % userIds.length] ?? '') : MODERATOR;
    const user = discord.as(userId);
    const channelId = (index: number) => channels[index] ?? user.openDirectMessage(BOT).id;
    switch (action.kind) {
      case 'imagine': {
        const { options, deletedAfterMs } = action;
        const what = `asks for ${options.count} of ${options.prompt}`;
        const image = action.begins ? { image: photograph } : {};
        const send = () => user.invoke(channelId(action.channel), 'imagine', { ...options, ...image });
        const answer = await invoke(what, [], send, true);
        if (answer.kind !== 'message' || deletedAfterMs === undefined) return;
        await delay(deletedAfterMs);
        const { id } = answer.message;
        if (!user.message(id)) return;
        history.deleted.add(id);
        discord.world.deleteMessage(id);
        return;
      }
      case 'cancel': {
        const buttons = user.messages(channelId(action.channel)).flatMap(({ id, components }) =>
          [...JSON.stringify(components ?? []).matchAll(/imagine:cancel:(\w+)/g)].map(([button]) => ({
            id,
            button,
          })),
        );
        const own = buttons.flatMap(({ id, button }) => {
          const jobId = history.invocations.find(
            ({ answer }) => answer.kind === 'message' && answer.message.id === id,
          )?.answer.interactionId;
          return jobId === undefined ? [] : [{ id, button, jobId }];
        });
        const chosen = own[action.nth % own.length];
        if (!chosen) return;
        history.stopped.add(chosen.jobId);
        await invoke('presses cancel', [chosen.id, chosen.jobId], () => user.press(chosen.id, chosen.button));
        return;
      }
      case 'key': {
        const before = changing.get(userId) ?? Promise.resolve();
        const change = before.catch(() => undefined).then(() => changeKey(userId, action.change));
        changing.set(userId, change);
        return change;
      }
      case 'stop': {
        const stop = () => discord.as(MODERATOR).invoke(channels[0] ?? '', 'moderate stop');
        const answer = await invoke('runs /moderate stop', [MODERATOR], stop);
        await comesToSay(MODERATOR, answer, 'ancelled', KEY_MS);
        history.stops.push({ guildId: GUILD, at: now() });
        return;
      }
      case 'limits':
        return changeLimits(action);
      case 'make':
        await make(action);
        return;
      case 'again':
      case 'delete': {
        const own = observations
          .outcomes()
          .filter(({ memberId, messageId }) => memberId === userId && user.message(messageId));
        const outcome = own[action.nth % own.length];
        if (!outcome) return;
        if (action.kind === 'delete') return deletePicture(userId, outcome);
        const { messageId, jobId } = outcome;
        const press = () => user.press(messageId, `imagine:again:${jobId}`);
        await invoke('presses again', [messageId, jobId], press, true);
        return;
      }
      case 'jobs': {
        const { press, nth } = action;
        await openJobs(userId, channelId(action.channel), (idsOf) => {
          const ids = idsOf(press);
          const id = ids[nth % ids.length];
          return id === undefined ? [] : [[press, id]];
        });
      }
    }
  }

  return {
    history,
    /** Starts an action and does not wait for it. */
    perform(action: UserAction): void {
      const work = orNothing(perform(action)).finally(() => pending.delete(work));
      pending.add(work);
    },
    /** Resolves when every action has ended. */
    async idle(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending);
    },
    /** Makes everything of pictures that can be made of them, each until a picture comes of it. */
    async makeEach(): Promise<void> {
      for (const limits of WIDEST_LIMITS) await changeLimits(limits);
      for (const making of MAKINGS) {
        for (let tries = 0; tries < MAKING_TRIES; tries++) {
          const job = await make({ making, nth: tries });
          if (job !== undefined && (await comesToShow(job))) break;
        }
      }
    },
    /** Makes a user fetch everything that waits in their /jobs. */
    fetchWaiting: (userId: string): Promise<void> =>
      orNothing(openJobs(userId, channels[0] ?? '', (idsOf) => idsOf('show').map((id) => ['show', id]))),
  };
}

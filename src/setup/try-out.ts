import { PortNotFree } from '@darkroom/process';
import { isTimeout, withTimeout } from '@darkroom/time';
import { z } from 'zod';
import { startBot } from '../app/start-bot.ts';
import { loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { Stopped } from './ask.ts';
import { machineProblem } from './machine-problem.ts';
import { type StepContext, triesAgain } from './step.ts';
import { whatIsTriedAgain } from './tried-again.ts';

/** What the bot logs when an outcome is in its channel: one without pictures says there why. */
const delivered = z.object({ msg: z.literal('delivered'), pictures: z.number() });
const WAIT_MS = 10 * 60_000;
const LAST_PORT = 65_535;
/** One that is free. */
const ANY_PORT = 0;

/**
 * Runs the bot until somebody has seen a picture of theirs in Discord, or would rather go on; on another port where
 * its own is taken.
 */
export async function tryOut(context: StepContext): Promise<void> {
  const { ask, words } = context;
  const { trying } = words;
  if (!ask.isAttended || !(await ask.confirm(trying.question))) return;
  while (true) {
    try {
      const pictures = await runUntilOutcome(context);
      if (pictures) return ask.right(trying.came);
      ask.wrong(pictures === 0 ? trying.noPicture : trying.notYet);
    } catch (error) {
      if (error instanceof Stopped) return;
      if (error instanceof PortNotFree) {
        ask.wrong(trying.failed(trying.portTaken(error.port)));
        if (await settlePort(error, context)) continue;
      } else ask.wrong(trying.failed(machineProblem(error, words)));
    }
    if (!(await triesAgain(context))) return;
  }
}

/** Whether it is another one now. */
async function settlePort(
  { port, setting }: PortNotFree,
  { settings, ask, words }: StepContext,
): Promise<boolean> {
  const typed = await ask.text(words.trying.port, {
    initial: `${port < LAST_PORT ? port + 1 : ANY_PORT}`,
    problem: (text) =>
      /^\d{1,5}$/.test(text) && Number(text) <= LAST_PORT ? undefined : words.trying.notAPort(LAST_PORT),
  });
  return settings.save({ [setting]: typed });
}

/**
 * Resolves with how many pictures came in answer to somebody; undefined where nobody asked for one in time. Rejects
 * as the bot does where it does not start, and with `Stopped`.
 */
async function runUntilOutcome({ settings, ask, words }: StepContext): Promise<number | undefined> {
  const { trying } = words;
  const config = loadConfig({ ...(await settings.all()), HTTP_PORT: '' }, { tokenRequired: true });
  let onOutcome: (pictures: number) => void = () => undefined;
  const outcome = new Promise<number>((resolve) => {
    onOutcome = resolve;
  });
  const waits = whatIsTriedAgain(ask.tell, words);
  const log = createLog({
    destination: {
      write(line) {
        waits.write(line);
        const { success, data } = delivered.safeParse(JSON.parse(line));
        if (success) onOutcome(data.pictures);
      },
    },
  });
  const stop = await ask.during(trying.starting, async (_, signal) => {
    const stop = await startBot(config, config.DISCORD_TOKEN, log, () => undefined, signal);
    if (signal.aborted) await stop();
    return stop;
  });
  try {
    ask.tell(trying.begun);
    return await ask.during(trying.waiting, (_, signal) =>
      withTimeout(WAIT_MS, () => outcome, { signal }).catch((error: unknown) => {
        if (isTimeout(error)) return undefined;
        throw error;
      }),
    );
  } finally {
    await ask.during(trying.stopping, stop);
  }
}

import { PortNotFree } from '@darkroom/process';
import { refdClock } from '@darkroom/time';
import { startBot } from '../app/start-bot.ts';
import { loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { Stopped } from './ask.ts';
import { machineProblem } from './machine-problem.ts';
import type { StepContext } from './step.ts';
import { triesAgain } from './try-again.ts';

/** What the bot logs when a picture is in its channel. */
const DELIVERED = '"msg":"delivered"';
const WAIT_MS = 10 * 60_000;
const LAST_PORT = 65_535;
/** One that is free. */
const ANY_PORT = 0;

/** Runs the bot until somebody has seen a picture of theirs in Discord, or would rather go on; on another port where its own is taken. */
export async function tryOut(context: StepContext): Promise<void> {
  const { ask, words } = context;
  const { trying } = words;
  if (!ask.isAttended || !(await ask.confirm(trying.question))) return;
  while (true) {
    try {
      return await runUntilDelivered(context);
    } catch (error) {
      if (error instanceof Stopped) return;
      if (error instanceof PortNotFree) {
        ask.wrong(trying.failed(trying.portTaken(error.port)));
        if (await settlePort(error, context)) continue;
      } else ask.wrong(trying.failed(machineProblem(error, words)));
      if (!(await triesAgain(context))) return;
    }
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

/** Rejects as the bot does where it does not start, and with `Stopped`. */
async function runUntilDelivered({ settings, ask, words: { trying } }: StepContext): Promise<void> {
  const config = loadConfig({ ...settings.all(), HTTP_PORT: '', LOG_LEVEL: 'info' }, { tokenRequired: true });
  let onDelivered: () => void = () => undefined;
  const delivered = new Promise<true>((resolve) => {
    onDelivered = () => resolve(true);
  });
  const log = createLog({
    level: 'info',
    destination: { write: (line) => line.includes(DELIVERED) && onDelivered() },
  });
  const stop = await ask.during(trying.starting, async (_, signal) => {
    const stop = await startBot(config, config.DISCORD_TOKEN, log, () => undefined);
    if (signal.aborted) await stop();
    return stop;
  });
  try {
    ask.tell(trying.begun);
    const came = await ask.during(trying.waiting, async (_, signal) => {
      const over = new AbortController();
      const late = refdClock.sleep(WAIT_MS, AbortSignal.any([signal, over.signal])).then(() => false);
      return Promise.race([delivered, late]).finally(() => over.abort());
    });
    if (came) ask.right(trying.came);
    else ask.wrong(trying.notYet);
  } finally {
    await ask.during(trying.stopping, stop);
  }
}

import { messageOf } from '@darkroom/process';
import { refdClock } from '@darkroom/time';
import { startBot } from '../app/start-bot.ts';
import { loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import type { StepContext } from './step.ts';

/** What the bot logs when a picture is in its channel. */
const DELIVERED = '"msg":"delivered"';
const WAIT_MS = 10 * 60_000;

/** Runs the bot until somebody has seen a picture of theirs in Discord, or would rather go on. */
export async function tryOut({ settings, ask, words: { trying } }: StepContext): Promise<void> {
  if (!ask.isAttended || !(await ask.confirm(trying.question))) return;
  const config = loadConfig({ ...settings.all(), HTTP_PORT: '', LOG_LEVEL: 'info' }, { tokenRequired: true });
  let onDelivered: () => void = () => undefined;
  const delivered = new Promise<true>((resolve) => {
    onDelivered = () => resolve(true);
  });
  const log = createLog({
    level: 'info',
    destination: { write: (line) => line.includes(DELIVERED) && onDelivered() },
  });
  try {
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
      await stop();
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'Stopped') return;
    ask.wrong(trying.failed(messageOf(error)));
  }
}

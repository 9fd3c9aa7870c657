import { confirm, log, password, select, text } from '@clack/prompts';
import { repeat, systemClock } from '@darkroom/time';
import { wrapAnsi } from 'fast-wrap-ansi';
import { type Ask, Stopped } from './ask.ts';
import { withoutEcho } from './without-echo.ts';

export const askInTerminal = (words: { yes: string; no: string }): Ask => ({
  isAttended: true,
  topic: (heading) => log.step(wrapped(heading)),
  tell(sentence) {
    // Perhaps of something that is going on, whose line is shown anew below.
    process.stdout.write(CLEAR_LINE);
    log.message(wrapped(sentence));
  },
  right: (sentence) => log.success(wrapped(sentence)),
  wrong: (sentence) => log.error(wrapped(sentence)),

  choose: async (message, choices) =>
    // Nothing but their values can be chosen.
    answered(
      await select<string>({
        message: wrapped(message),
        options: choices.map(({ value, label, hint }) => ({
          value,
          label: indented(hint ? `${label} (${hint})` : label),
        })),
        showInstructions: false,
      }),
    ) as (typeof choices)[number]['value'],

  text: async (message, { initial, problem }) =>
    answered(
      await text({
        message: framed(message),
        ...(initial !== undefined && { initialValue: initial }),
        validate: (typed = '') => told(problem(typed.trim())),
      }),
    ).trim(),

  secret: async (message, { problem }) =>
    answered(
      await password({
        message: framed(message),
        validate: (typed = '') => told(problem(typed.trim())),
        clearOnError: true,
      }),
    ).trim(),

  confirm: async (message) =>
    answered(
      await confirm({ message: wrapped(message), active: words.yes, inactive: words.no, initialValue: true }),
    ),

  /** Not clack's own spinner, which ends the process at Ctrl-C. */
  during: (message, work) =>
    withoutEcho(async (signal) => {
      const over = new AbortController();
      const began = systemClock.now();
      let shown = message;
      const show = async () => {
        const seconds = Math.floor((systemClock.now() - began) / 1_000);
        process.stdout.write(`${CLEAR_LINE}${cut(`◒  ${seconds > 0 ? `${seconds} s  ` : ''}${shown}`)}`);
      };
      const counting = repeat(show, { everyMs: 1_000, clock: systemClock, signal: over.signal });
      const onProgress = (progress: string) => {
        shown = `${message} ${progress}`;
      };
      signal.addEventListener('abort', () => {
        onProgress('^C');
        void show();
      });
      try {
        return await work(onProgress, signal);
      } finally {
        over.abort();
        await counting;
        process.stdout.write(CLEAR_LINE);
      }
    }),
});

const CLEAR_LINE = '\r\u001B[2K';

const columns = (): number => process.stdout.columns ?? 80;

/** Between words, beside the frame that clack draws. */
const wrapped = (sentence: string): string => wrapAnsi(sentence, Math.max(20, columns() - 3));

/** One of several choices, whose further lines stand below its first word. */
const indented = (choice: string): string =>
  wrapAnsi(choice, Math.max(20, columns() - 16)).replaceAll('\n', '\n  ');

/** A line that is wider than the terminal could not be written over. */
const cut = (line: string): string => line.slice(0, Math.max(10, columns() - 1));

/** A question, where clack does not wrap it by itself. */
const framed = (question: string) => wrapped(question).replaceAll('\n', '\n│  ');

/** What is wrong, below the question. */
const told = (problem: string | undefined) => problem && wrapped(problem).replaceAll('\n', '\n   ');

function answered<Value>(answer: Value): Exclude<Value, symbol> {
  if (typeof answer === 'symbol') throw new Stopped();
  // Clack's only symbol, that of Ctrl-C, is out.
  return answer as Exclude<Value, symbol>;
}

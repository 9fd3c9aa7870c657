import { confirm, log, password, select, text } from '@clack/prompts';
import { wrapAnsi } from 'fast-wrap-ansi';
import { type Ask, Stopped } from './ask.ts';

/** Asks whoever sits at the terminal. */
export const askInTerminal = (words: { yes: string; no: string }): Ask => ({
  isAttended: true,
  topic: (heading) => log.step(wrapped(heading)),
  tell: (sentence) => log.message(wrapped(sentence)),
  right: (sentence) => log.success(wrapped(sentence)),
  wrong: (sentence) => log.error(wrapped(sentence)),

  choose: async (message, choices) =>
    answered(
      // What clack calls an option of a text is a choice of ours.
      await select<string>({
        message,
        options: choices.map((choice) => given(choice)),
        showInstructions: false,
      }),
    ) as (typeof choices)[number]['value'],

  text: async (message, { initial, problem }) =>
    answered(
      await text({
        message,
        ...given({ initialValue: initial }),
        validate: (typed = '') => problem(typed.trim()),
      }),
    ).trim(),

  secret: async (message, { problem }) =>
    answered(
      await password({ message, validate: (typed = '') => problem(typed.trim()), clearOnError: true }),
    ).trim(),

  confirm: async (message) =>
    answered(await confirm({ message, active: words.yes, inactive: words.no, initialValue: true })),

  /** Not clack's own spinner, which ends the process at Ctrl-C. */
  async during(message, work) {
    const stopped = new AbortController();
    const onInterrupt = () => stopped.abort(new Stopped());
    process.once('SIGINT', onInterrupt);
    const show = (words: string) => process.stdout.write(`\r\u001B[2K${cut(`◒  ${words}`)}`);
    show(message);
    try {
      return await work((progress) => show(`${message} ${progress}`), stopped.signal);
    } catch (error) {
      throw stopped.signal.aborted ? stopped.signal.reason : error;
    } finally {
      process.off('SIGINT', onInterrupt);
      process.stdout.write('\r\u001B[2K');
    }
  },
});

const columns = (): number => process.stdout.columns ?? 80;

/** Between words, beside the frame that clack draws. */
const wrapped = (sentence: string): string => wrapAnsi(sentence, Math.max(20, columns() - 3));

/** A line that is wider than the terminal could not be written over. */
const cut = (line: string): string => line.slice(0, Math.max(10, columns() - 1));

function answered<Value>(answer: Value): Exclude<Value, symbol> {
  if (typeof answer === 'symbol') throw new Stopped();
  // Clack's only symbol, that of Ctrl-C, is out.
  return answer as Exclude<Value, symbol>;
}

/** Without what is undefined. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };

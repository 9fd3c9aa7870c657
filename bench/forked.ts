import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

type Question = { id: number; question: unknown };
type Answer = { id: number; answer?: unknown; error?: string };

/** A compiled file in a process of its own, which `answerQuestions` there lets be asked. */
export function forkFile(file: URL, options: ForkOptions & { args?: readonly string[] } = {}) {
  const child = fork(fileURLToPath(file), options.args ?? [], options);
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  const name = file.pathname.split('/').at(-1);
  const closed = once(child, 'close').then(([code, signal]) => {
    const error = new Error(`${name} ended with ${code ?? signal}`);
    for (const { reject } of waiting.values()) reject(error);
    return error;
  });
  child.on('message', ({ id, answer, error }: Answer) => {
    if (error === undefined) waiting.get(id)?.resolve(answer);
    else waiting.get(id)?.reject(new Error(`${name}: ${error}`));
    waiting.delete(id);
  });
  let asked = 0;
  return {
    pid: child.pid ?? Number.NaN,
    /**
     * Resolves once its standard output has said this; rejects where it ends before. Only with `stdio` that pipes it.
     */
    async says(words: string): Promise<void> {
      let said = '';
      const heard = new Promise<void>((resolve) => {
        child.stdout?.setEncoding('utf8').on('data', (text: string) => {
          if (said.includes(words)) return;
          said += text;
          if (said.includes(words)) resolve();
        });
      });
      await Promise.race([
        heard,
        closed.then((error) => Promise.reject(new Error(`${error.message}: ${said}`))),
      ]);
    },
    ask<Answered>(question: object): Promise<Answered> {
      const id = asked++;
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
      child.send({ id, question } satisfies Question);
      // What the other side answers is what its caller expects: one file declares both.
      return answer as Promise<Answered>;
    },
    /** Ends it and waits for its end: SIGKILL unless told otherwise. */
    async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      child.kill(signal);
      await closed;
    },
  };
}

/** Answers what the process that forked this one asks. Does not keep the process alive; ends it with its parent. */
export function answerQuestions<Asked>(answer: (question: Asked) => unknown): void {
  process.on('message', async ({ id, question }: Question) => {
    try {
      // As in `ask`.
      process.send?.({ id, answer: await answer(question as Asked) } satisfies Answer);
    } catch (error) {
      process.send?.({ id, error: `${error instanceof Error ? error.stack : error}` } satisfies Answer);
    }
  });
  process.on('disconnect', () => process.exit());
  process.channel?.unref();
}

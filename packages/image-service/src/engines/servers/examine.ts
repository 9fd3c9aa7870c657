import { OperatorError } from '@darkroom/process';
import type { Server } from './server.ts';

/** Whether all of these servers answer; see `Engine.examine`. */
export const examineServers =
  (servers: readonly Server[]) =>
  async (signal: AbortSignal): Promise<string> => {
    const answer = await Promise.all(servers.map((server) => server.isHealthy(signal)));
    const missed = servers.filter((_, at) => !answer[at]);
    if (missed.length > 0)
      throw new OperatorError(
        missed.map(({ name, problem }) => `${name} ${problem() ?? 'does not answer'}.`).join(' '),
      );
    return `${servers.map(({ name }) => name).join(', ')} ${servers.length > 1 ? 'answer' : 'answers'}`;
  };

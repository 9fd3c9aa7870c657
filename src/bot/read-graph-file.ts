import { withTimeout } from '@darkroom/time';
import { fetchBytes } from '../delivery/attached-files.ts';
import { looksSecret } from '../graphs/find-secret.ts';
import { GRAPH_BOUNDS, type NamedGraph } from '../graphs/named-graph.ts';
import type { AttachedFile } from '../jobs/input.ts';
import type { Caller } from '../jobs/job-request.ts';
import { readable } from '../messages/foreign-text.ts';
import { explainGraphProblem } from '../messages/graph-texts.ts';
import type { Texts } from '../messages/locale/en.ts';
import { truncate } from '../messages/message.ts';
import { UserError } from '../messages/user-error.ts';
import type { Inspector } from '../requests/inspection/inspector.ts';

/** For the whole of a file, in real milliseconds. */
const FETCH_TIMEOUT_MS = 5_000;

interface Asked {
  caller: Pick<Caller, 'member'>;
  texts: Texts;
  context: { requests: { inspector: Pick<Inspector, 'parseGraph'> } };
}

/**
 * The graph in a file that was attached to an option, by the name of the file. Rejects with `UserError` where it
 * cannot be fetched or is none that can be sent.
 */
export async function readGraphFile(
  file: AttachedFile,
  { caller, texts, context }: Asked,
): Promise<NamedGraph> {
  if (file.size > GRAPH_BOUNDS.file) throw new UserError(texts.graph.fileTooLarge);
  const bytes = await withTimeout(FETCH_TIMEOUT_MS, (signal) =>
    fetchBytes(file.url, GRAPH_BOUNDS.file, signal),
  ).catch((cause: unknown) => {
    throw new UserError(texts.graph.notFetched, { cause });
  });
  if (!bytes) throw new UserError(texts.graph.fileTooLarge);
  const parsed = await context.requests.inspector.parseGraph(caller.member.id, bytes);
  if ('problem' in parsed) throw new UserError(explainGraphProblem(parsed.problem, texts));
  return { name: nameOf(file.name), ...parsed.graph };
}

function nameOf(filename: string): string {
  const name = readable(filename.replace(/\.json$/i, ''));
  return name === '' || looksSecret(name) ? 'graph' : truncate(name, GRAPH_BOUNDS.name);
}

import { withTimeout } from '@darkroom/time';
import { looksSecret } from '../graphs/find-secret.ts';
import { GRAPH_BOUNDS } from '../graphs/graph-bounds.ts';
import type { NamedGraph } from '../graphs/named-graph.ts';
import { readable } from '../messages/foreign-text.ts';
import { explainGraphProblem } from '../messages/graph-texts.ts';
import type { Texts } from '../messages/locale/en.ts';
import { truncate } from '../messages/message.ts';
import { UserError } from '../messages/user-error.ts';
import type { Inspector } from '../requests/inspection/inspector.ts';
import type { AttachedFile } from './options.ts';

/** For the whole of a file, in real milliseconds. */
const FETCH_TIMEOUT_MS = 5_000;

/**
 * The graph in a file that was attached to an option, by the name of the file. Rejects with `UserError` where it cannot be
 * fetched or is none that can be sent.
 */
export async function readGraphFile(
  file: AttachedFile,
  {
    memberId,
    inspector,
    texts,
  }: { memberId: string; inspector: Pick<Inspector, 'parseGraph'>; texts: Texts },
): Promise<NamedGraph> {
  if (file.size > GRAPH_BOUNDS.file) throw new UserError(texts.graph.fileTooLarge);
  const bytes = await withTimeout(FETCH_TIMEOUT_MS, (signal) => fetchFile(file.url, signal)).catch(
    (cause: unknown) => {
      throw new UserError(texts.graph.notFetched, { cause });
    },
  );
  if (!bytes) throw new UserError(texts.graph.fileTooLarge);
  const parsed = await inspector.parseGraph(memberId, bytes);
  if ('problem' in parsed) throw new UserError(explainGraphProblem(parsed.problem, texts));
  return { name: nameOf(file.name), ...parsed.graph };
}

/** Undefined where it is larger than was said. */
async function fetchFile(url: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const response = await fetch(url, { signal, redirect: 'error' });
  if (!response.ok || !response.body) throw new Error(`Discord's CDN answered with ${response.status}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.byteLength;
    if (size > GRAPH_BOUNDS.file) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function nameOf(filename: string): string {
  const name = readable(filename.replace(/\.json$/i, ''));
  return name === '' || looksSecret(name) ? 'graph' : truncate(name, GRAPH_BOUNDS.name);
}

import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** Which file imports which, by their paths from the root, types included. */
type Import = readonly [from: string, to: string];

/** Every import of a file of ours in `commands` and `src`; without `types`, those that are there when it runs. */
export async function importsOf(root: string, { types = true } = {}): Promise<Import[]> {
  const imports: Import[] = [];
  const listed = await Promise.all(
    ['commands', 'src'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => posix.join(folder, name)),
    ),
  );
  for (const name of listed.flat().filter((path) => path.endsWith('.ts'))) {
    const text = await readFile(join(root, name), 'utf8');
    for (const [, type, to = ''] of text.matchAll(/^(?:import|export) (type )?[^;]*?from '(\.[^']+)'/gm))
      if (types || type === undefined) imports.push([name, posix.join(posix.dirname(name), to)]);
  }
  return imports;
}

/** Each set of folders that reach each other by imports, by name. A file of `src` itself is a folder of its own. */
export function circlesOfFolders(imports: readonly Import[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of imports) {
    const folders = next.get(folderOf(from)) ?? new Set();
    next.set(folderOf(from), folders.add(folderOf(to)));
  }

  function reachableFrom(folder: string): ReadonlySet<string> {
    const seen = new Set<string>();
    const left = [...(next.get(folder) ?? [])].filter((other) => other !== folder);
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      if (seen.has(one)) continue;
      seen.add(one);
      left.push(...(next.get(one) ?? []));
    }
    return seen;
  }

  const reachable = new Map([...next.keys()].map((folder) => [folder, reachableFrom(folder)]));
  const circles = new Set<string>();
  for (const [folder, others] of reachable) {
    if (!others.has(folder)) continue;
    const circle = [...others].filter((other) => reachable.get(other)?.has(folder));
    circles.add(circle.toSorted().join(' '));
  }
  return [...circles].map((circle) => circle.split(' '));
}

function folderOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'commands' ? first : `${first}/${second}`;
}

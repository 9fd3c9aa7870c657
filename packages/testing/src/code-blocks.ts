import { readFile } from 'node:fs/promises';

/** The code blocks of a Markdown page in `language`, as the page marks them (`js`, `sh`, …), in their order. */
export async function codeBlocks(page: URL, language: string): Promise<string[]> {
  const text = await readFile(page, 'utf8');
  const blocks = text.matchAll(/^```(?<marked>\w+)[^\n]*\n(?<code>[\s\S]*?)^```$/gm);
  return [...blocks].flatMap(({ groups }) => (groups?.marked === language ? [groups.code ?? ''] : []));
}

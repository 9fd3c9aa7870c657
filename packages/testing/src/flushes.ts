import { type FileHandle, open, readdir } from 'node:fs/promises';
import { onTestFinished, vi } from 'vitest';

/**
 * What is flushed to the disk until the test ends: a file or the folder, and the names in `folder` at that moment.
 * `refusal`: of a file system that flushes none of `refused`, which are folders unless given.
 */
export async function watchFlushes(
  folder: string,
  { refusal, refused = 'folder' }: { refusal?: Error; refused?: 'file' | 'folder' } = {},
): Promise<string[]> {
  const handle = await open(folder);
  const handles: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = handles;
  const flushed: string[] = [];
  const spy = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    const kind = (await this.stat()).isDirectory() ? 'folder' : 'file';
    flushed.push(`${kind}: ${await readdir(folder)}`);
    if (kind === refused && refusal) throw refusal;
    return sync.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  return flushed;
}

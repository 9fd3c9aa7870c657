import type { BoundedPlace } from './bounded-place.ts';

/** Removes files from their place, all at once; resolves with why some could not be, by the names that were given. */
export async function removeFiles(
  place: Pick<BoundedPlace, 'remove'>,
  names: readonly string[],
  fileOf = (name: string) => name,
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  await Promise.all(
    names.map((name) => place.remove(fileOf(name)).catch((error: unknown) => failures.set(name, error))),
  );
  return failures;
}

import type { FormErrors, Path } from './form-errors.ts';

/** Source: 'Reference', file type filtering: the extensions of each group. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ['image', ['.png', '.gif', '.jpg', '.jpeg', '.jfif', '.webp', '.avif']],
  ['video', ['.mp4', '.mov', '.qt', '.webm']],
  ['audio', ['.mp3', '.m4a', '.wav', '.ogg', '.opus', '.flac']],
]);

/** Each entry of `file_types` is a group, or an extension with its dot. `at` is what has them. */
export function checkFileTypes(
  errors: FormErrors,
  types: readonly string[] | null | undefined,
  at: Path,
): void {
  for (const [index, type] of (types ?? []).entries()) {
    if (GROUPS.has(type) || /^\.[^.\s]+$/.test(type)) continue;
    const groups = [...GROUPS.keys()].join(', ');
    errors.add(
      [...at, 'file_types', index],
      'BASE_TYPE_CHOICES',
      `Value must be one of {${groups}}, or an extension that begins with a dot.`,
    );
  }
}

/** Every extension that `types` allow, in lower case. */
export const extensionsOf = (types: readonly string[]): string[] =>
  types.flatMap((type) => GROUPS.get(type) ?? [type.toLowerCase()]);

/** Whether a file of this name may be picked: its extension alone counts. Without types any file may. */
export const fitsFileTypes = (name: string, types: readonly string[] | null | undefined): boolean =>
  !types?.length || extensionsOf(types).some((extension) => name.toLowerCase().endsWith(extension));

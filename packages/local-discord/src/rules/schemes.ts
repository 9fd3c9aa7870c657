import type { FormErrors, Path } from './form-errors.ts';

/** Schemes of an address that leads to a page or a picture. */
export const WEB = ['http', 'https'] as const;

/** Refuses an address with any other scheme. What is no address at all has been refused before. */
export function checkScheme(
  errors: FormErrors,
  url: string | null | undefined,
  at: Path,
  schemes: readonly string[],
): void {
  const [, scheme] = /^([^:]*):/.exec(url ?? '') ?? [];
  if (scheme === undefined || schemes.includes(scheme.toLowerCase())) return;
  const list = schemes.map((one) => `'${one}'`).join(', ');
  errors.add(
    at,
    'URL_TYPE_INVALID_SCHEME',
    `Scheme "${scheme}" is not supported. Scheme must be one of (${list}).`,
  );
}

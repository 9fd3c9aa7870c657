import { codeOf } from '@darkroom/process';

/**
 * The URL of a PostgreSQL with `sslmode` as `pg` 8 understands it, so that it does not warn of what its next version
 * will do: whoever asks for encryption gets a server whose certificate is checked. `uselibpqcompat=true` leaves it as
 * it stands. `sslrootcert=system` is libpq's for the authorities that Node knows by itself, and no file
 * (brianc/node-postgres#3101).
 */
export function verifiedUrl(url: string): string {
  const bySystem = url.replace(/([?&])sslrootcert=system(?=&|$)/, '$1sslmode=verify-full');
  return /[?&]uselibpqcompat=true(?:&|$)/.test(bySystem)
    ? bySystem
    : bySystem.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNKNOWN_AUTHORITY: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What mends it where the certificate of a server could not be checked, to be added to the error; else nothing. */
export function mendOf(error: unknown): string {
  const code = codeOf(error);
  if (UNKNOWN_AUTHORITY.has(code))
    return '; name the file of the certificate that it is signed with in its URL, by sslrootcert=FILE';
  // As of Cloud SQL by its address.
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID'
    ? '; name it as its certificate does, or have only checked who signed that, by sslmode=verify-ca&uselibpqcompat=true&sslrootcert=FILE'
    : '';
}

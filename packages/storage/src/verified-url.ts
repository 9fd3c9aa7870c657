/**
 * The URL of a PostgreSQL with `sslmode` as `pg` 8 understands it, so that it does not warn of what its next version
 * will do: whoever asks for encryption gets a server whose certificate is checked. `uselibpqcompat=true` leaves it as
 * it stands.
 */
export const verifiedUrl = (url: string): string =>
  /[?&]uselibpqcompat=true(?:&|$)/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNKNOWN_AUTHORITY: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether a certificate could not be checked, as nobody knows who has signed it. */
export const isUnknownAuthority = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && UNKNOWN_AUTHORITY.has(error.code);

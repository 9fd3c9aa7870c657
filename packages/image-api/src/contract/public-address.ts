/**
 * How JSON Schema tells an address of a name on the public internet, in the characters of RFC 3986; a service may be
 * told of others, and takes public numbers as well. Whether a label that begins with `xn--` is Punycode, no pattern
 * tells: an address with one that is not is refused.
 */
export const PUBLIC_ADDRESS = {
  maxLength: 2_000,
  pattern:
    '^https://([a-zA-Z0-9_][a-zA-Z0-9_-]*\\.)+[a-zA-Z][a-zA-Z0-9-]+(:([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?([/?#][!-~]*)?$',
} as const;

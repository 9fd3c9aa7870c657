/** Addresses that no caller may have this service connect to, and what is said of each. */
export const PRIVATE_ADDRESSES: [address: string, words: RegExp][] = [
  ['https://user:secret@example.com/', /user name/],
  ['https://127.0.0.1/', /this machine/],
  ['https://10.1.2.3/', /private network/],
  ['https://0x7f.1/', /this machine/],
  ['https://169.254.169.254/', /private network/],
  ['https://[::1]/', /this machine/],
  ['https://[::ffff:127.0.0.1]/', /this machine/],
  ['https://[::127.0.0.1]/', /this machine/],
  ['https://localhost:8443/', /this machine/],
  [`https://example.com/${'x'.repeat(2_000)}`, /characters/],
];

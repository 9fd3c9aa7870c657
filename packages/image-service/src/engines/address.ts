/** Where a machine is that draws. */
export interface Address {
  /** Scheme, host and port. */
  origin: string;
  /** The path before every call: empty, or `/path`. */
  base: string;
  /** Host and port, for logs. */
  name: string;
  /** What the machine wants, or what stands before it: user and password, given in the address. */
  headers: Readonly<Record<string, string>>;
}

/** Reads `http://user:password@host:8188/path`. */
export function readAddress(url: string): Address {
  const { origin, host, pathname, username, password } = new URL(url);
  const credentials = [username, password].map(decoded).join(':');
  return {
    origin,
    base: pathname.replace(/\/+$/, ''),
    name: host,
    headers: username ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {},
  };
}

/** A lone `%` stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

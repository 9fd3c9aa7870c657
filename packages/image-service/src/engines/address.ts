/** Where a machine is that draws. */
export interface Address {
  /** Scheme, host and port. */
  origin: string;
  /** The path before every call: empty, or `/path`. */
  base: string;
  /** Host and port, for logs. */
  name: string;
  /** ComfyUI has no passwords; what stands before it may want one, which is given in the address. */
  headers: Readonly<Record<string, string>>;
}

/** Reads `http://user:password@host:8188/path`. */
export function readAddress(url: string): Address {
  const { origin, host, pathname, username, password } = new URL(url);
  const credentials = [username, password].map(decodeURIComponent).join(':');
  return {
    origin,
    base: pathname.replace(/\/+$/, ''),
    name: host,
    headers: username ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {},
  };
}

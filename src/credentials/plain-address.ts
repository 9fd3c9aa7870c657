/** Names and addresses of the machine itself. */
const HERE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether keys that are sent to `address` can be read on the way: plain HTTP, to another machine. */
export function isReadOnTheWay(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !HERE.test(hostname);
}

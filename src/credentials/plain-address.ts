/**
 * Names and addresses of the machine itself, and names without a dot: these exist only in a network of its owner's,
 * such as the one of compose.yaml.
 */
const HERE = /^([^.:]+|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether keys that are sent to `address` can be read on the way: plain HTTP, to a machine elsewhere. */
export function isReadOnTheWay(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !HERE.test(hostname);
}

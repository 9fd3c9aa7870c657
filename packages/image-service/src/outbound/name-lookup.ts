import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** For each attempt to ask a name server. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Looks names up that callers have chosen, at the name servers of this machine or at `nameServers`. `dns.lookup`
 * would hold one of Node's four threads for as long as the caller's own name server likes, and pictures are read and
 * written by these.
 */
export function createNameLookup(nameServers?: readonly string[]): { lookup: LookupFunction; close(): void } {
  const asking = new Set<Resolver>();

  async function addressesOf(hostname: string) {
    // One for each look-up: it reads only when it is made what name servers this machine has (nodejs/node#49485).
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (nameServers) resolver.setServers(nameServers);
    asking.add(resolver);
    const found = await Promise.allSettled([
      resolver.resolve4(hostname).then((all) => all.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(hostname).then((all) => all.map((address) => ({ address, family: 6 }))),
    ]);
    asking.delete(resolver);
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const [failed] = found.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    if (addresses.length === 0) throw failed;
    return addresses;
  }

  return {
    /** Answers with all addresses. */
    lookup(hostname, _options, callback) {
      addressesOf(hostname).then(
        (addresses) => callback(null, addresses),
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
    },

    close(): void {
      for (const resolver of asking) resolver.cancel();
    },
  };
}

import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { ServiceError } from '../service-error.ts';

/** Whether `address` belongs to the public internet: not loopback, private, link-local, mapped, reserved, … */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_UNICAST));
}

/**
 * Whatever else of IPv6 is no public address, named or not: RFC 4291, 2.4 and
 * https://www.iana.org/assignments/ipv6-address-space
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * A look-up that answers public addresses only. The socket connects to exactly the addresses that were checked, so a
 * name that resolves to others a moment later (DNS rebinding) gains nothing.
 */
export function onlyPublic(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, answer, family) => {
      if (error) return callback(error, []);
      const all = Array.isArray(answer) ? answer : [{ address: answer, family: family ?? isIP(answer) }];
      const [first, ...others] = all.filter(({ address }) => isPublicAddress(address));
      if (!first) return callback(notPublic(hostname), []);
      return options.all ? callback(null, [first, ...others]) : callback(null, first.address, first.family);
    });
}

/** For how long a connection to a stranger is held that nobody uses; undici would hold it for 10 minutes if asked to. */
export const IDLE_CONNECTION_MS = 4_000;

/** Opens connections to any address of `trustedOrigins`, and to public addresses of every other. */
export function createGuardedConnector({
  trustedOrigins,
  lookup = dns.lookup,
  trustedLookup = lookup,
  timeoutMs,
}: {
  trustedOrigins: readonly string[];
  lookup?: LookupFunction | undefined;
  /** For the names of `trustedOrigins`; `lookup` unless given. */
  trustedLookup?: LookupFunction | undefined;
  timeoutMs: number;
}): buildConnector.connector {
  const trusted = buildConnector({ timeout: timeoutMs, lookup: trustedLookup });
  const guarded = buildConnector({ timeout: timeoutMs, lookup: onlyPublic(lookup) });
  return (target, callback) => {
    if (trustedOrigins.includes(`${target.protocol}//${target.host}`)) return trusted(target, callback);
    if (isIP(target.hostname) && !isPublicAddress(target.hostname)) {
      return callback(notPublic(target.hostname), null);
    }
    return guarded(target, callback);
  };
}

const notPublic = (host: string) =>
  new ServiceError('blocked', `${host} is neither a public address nor one that is trusted`);

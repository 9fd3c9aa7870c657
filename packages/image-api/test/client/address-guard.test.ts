import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createGuardedConnector, isPublicAddress, onlyPublic } from '../../src/client/address-guard.ts';
import { ServiceError } from '../../src/service-error.ts';

test.each([
  '127.0.0.1',
  '10.0.0.8',
  '172.16.3.4',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '2001:db8::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::127.0.0.1',
  '::7f00:1',
  'fec0::1',
  '64:ff9b:1::7f00:1',
  '100::1',
  '5f00::1',
  '4000::1',
  'not an address',
  '',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test('of what a name resolves to, only public addresses are passed on', async () => {
  const lookup = onlyPublic(resolvingTo('10.0.0.1', '1.1.1.1', '::1', '2606:4700:4700::1111'));
  expect(await ask(lookup, { all: true })).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ]);
  expect(await ask(lookup, {})).toEqual('1.1.1.1');
});

test('a look-up that gives one address, as it may, is checked the same', async () => {
  const single =
    (address: string): LookupFunction =>
    (_host, _options, callback) =>
      callback(null, address, 4);
  expect(await ask(onlyPublic(single('1.1.1.1')), {})).toBe('1.1.1.1');
  await expect(ask(onlyPublic(single('10.0.0.1')), {})).rejects.toMatchObject({ kind: 'blocked' });
});

test('a name with private addresses only is blocked, and its failure to resolve stays what it is', async () => {
  await expect(ask(onlyPublic(resolvingTo('127.0.0.1', 'fd00::1')), { all: true })).rejects.toMatchObject({
    kind: 'blocked',
  });
  const unknown: LookupFunction = (_host, _options, callback) =>
    callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
  await expect(ask(onlyPublic(unknown), { all: true })).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('an address in the place of a name is checked without a look-up', () => {
  const lookup = vi.fn<LookupFunction>();
  const connect = createGuardedConnector({
    trustedOrigins: ['http://127.0.0.1:80'],
    lookup,
    timeoutMs: 1_000,
  });
  for (const hostname of ['127.0.0.1', '::1', '169.254.169.254']) {
    const callback = vi.fn();
    connect({ hostname, host: hostname, protocol: 'http:', port: '9' }, callback);
    expect(callback).toHaveBeenCalledExactlyOnceWith(expect.any(ServiceError), null);
  }
  expect(lookup).not.toHaveBeenCalled();
});

function resolvingTo(...addresses: string[]): LookupFunction {
  const all: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  return (_host, _options, callback) => callback(null, all);
}

function ask(lookup: LookupFunction, options: LookupOptions): Promise<string | LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup('pictures.example', options, (error, address) => (error ? reject(error) : resolve(address)));
  });
}

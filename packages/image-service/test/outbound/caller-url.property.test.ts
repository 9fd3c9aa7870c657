import { isPublicAddress } from '@darkroom/image-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../src/api-error.ts';
import { parseCallerUrl } from '../../src/outbound/caller-url.ts';

const anyAddress = fc.oneof(
  fc.webUrl({ withQueryParameters: true }),
  fc.string({ unit: 'binary' }),
  fc.ipV4Extended().map((ip) => `https://${ip}/`),
  fc.ipV6().map((ip) => `https://[${ip}]/`),
  fc.webAuthority({ withUserInfo: true, withIPv4: true, withIPv6: true }).map((host) => `https://${host}/`),
);

test('whatever address a caller names, it is refused in words, or is https to a name or a public address', () => {
  fc.assert(
    fc.property(anyAddress, (text) => {
      try {
        const { protocol, username, password, hostname } = parseCallerUrl(text, {
          parameter: 'webhook',
          allowedOrigins: [],
        });
        expect([protocol, username, password]).toEqual(['https:', '', '']);
        const host = hostname.replace(/^\[|\]$/g, '');
        if (/^[\d.]+$/.test(host) || host.includes(':')) expect(isPublicAddress(host)).toBe(true);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        expect(error.details).toEqual({ field: 'webhook' });
      }
    }),
    { numRuns: 500 },
  );
});

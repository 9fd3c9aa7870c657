import { isPublicAddress } from '@darkroom/image-api';
import { anyCodePoint } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PUBLIC_ADDRESS } from '../../../image-api/src/contract/public-address.ts';
import { ApiError } from '../../src/api-error.ts';
import { parseCallerUrl } from '../../src/outbound/caller-url.ts';

const anyAddress = fc.oneof(
  fc.webUrl({ withQueryParameters: true }),
  fc.string({ unit: anyCodePoint }),
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

const described = new RegExp(PUBLIC_ADDRESS.pattern);
const isTaken = (text: string) =>
  parseCallerUrl(text, { parameter: 'image', allowedOrigins: [] }).protocol === 'https:';

/** Of what only looks like Punycode, the description cannot say that it is refused. */
const fitting = fc
  .stringMatching(described, { maxLength: PUBLIC_ADDRESS.maxLength })
  .filter((text) => URL.canParse(text) || !/[/.]xn--/i.test(text));

test('an address that fits its description is taken', () => {
  fc.assert(
    fc.property(fitting, (text) => {
      expect(isTaken(text)).toBe(true);
    }),
  );
});

const address = fc
  .tuple(
    fc.webAuthority({ withPort: true }),
    fc.boolean(),
    fc.webPath(),
    fc.webQueryParameters(),
    fc.webFragments(),
  )
  .map(
    ([host, isLoud, path, query, fragment]) =>
      `https://${isLoud ? host.toUpperCase() : host}${path}?${query}#${fragment}`,
  )
  .filter((text) => URL.canParse(text));

test('an address of a name that is taken fits the description', () => {
  fc.assert(
    fc.property(address, (text) => {
      expect(isTaken(text)).toBe(true);
      expect(text).toMatch(described);
    }),
    {
      examples: [
        [
          'https://bucket.s3.eu-central-1.amazonaws.com/a%20b/fox+(1)@2x.png?X-Amz-Credential=AK%2F20300101,x:y&X-Amz-Signature=0f#a',
        ],
        ['https://CDN.Example.com:65535'],
        ['https://my_files.example.com/'],
      ],
    },
  );
});

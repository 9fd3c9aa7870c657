import { HEADERS } from '../../contract/endpoints.ts';

/** The ways in which a request says who asks, for the description of the API. See `credentials.ts`. */
export const SECURITY_SCHEMES = {
  key: {
    type: 'apiKey',
    in: 'header',
    name: HEADERS.key,
    description: 'An API key. Takes precedence over the other ways.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
  keyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'An API key. Shows up in the logs of proxies; a header does not.',
  },
  token: { type: 'http', scheme: 'bearer', description: 'A login token.' },
  tokenInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'A login token. Shows up in the logs of proxies; a header does not.',
  },
} as const;

type Requirement = { [Scheme in keyof typeof SECURITY_SCHEMES]?: string[] };

/** One of these is needed. */
export const BY_KEY: Requirement[] = [{ key: [] }, { bearer: [] }, { keyInQuery: [] }];
export const BY_TOKEN: Requirement[] = [{ token: [] }, { tokenInQuery: [] }];
/** Or else the body says who asks, of which OpenAPI has no notion. */
export const IN_BODY: Requirement = {};

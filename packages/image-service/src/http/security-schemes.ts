import { HEADERS, type Operation } from '@darkroom/image-api/contract';

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

/** One of these is needed where an operation names no others. */
export const BY_KEY: Requirement[] = [{ key: [] }, { bearer: [] }, { keyInQuery: [] }];
const BY_TOKEN: Requirement[] = [{ token: [] }, { tokenInQuery: [] }];
/** Or else the body says who asks, which OpenAPI cannot express. */
const IN_BODY: Requirement = {};

/** How a request for an operation may say who asks. */
export function securityOf({ auth, body }: Operation): Requirement[] {
  if (auth === 'key') return BY_KEY;
  return [...(auth === 'login token' ? [] : BY_KEY), ...BY_TOKEN, ...(body ? [IN_BODY] : [])];
}

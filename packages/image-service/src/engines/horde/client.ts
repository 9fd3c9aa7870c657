import { VERSION } from '@darkroom/image-api';
import { z } from 'zod';
import { readAddress } from '../address.ts';
import { CallFailed } from '../call-failed.ts';
import { createHttpCaller } from '../http-caller.ts';
import * as responses from './responses.ts';

/** Anybody's key: such requests come last. */
export const ANONYMOUS_KEY = '0000000000';

const TIMEOUT_MS = 20_000;
/** The Horde fetches a picture itself before it sends it. */
const STATUS_TIMEOUT_MS = 60_000;
/** Name and version, before the contact: a client that does not say them is blocked. */
const CLIENT_AGENT = `Darkroom:${VERSION}`;
const SHARED_KEY = /^[0-9a-f]{8}-/i;

export type HordeClient = ReturnType<typeof createHordeClient>;

/** The calls of the AI Horde that are used here. Each has a timeout and rejects with `CallFailed`. */
export function createHordeClient({
  url,
  key,
  contact = 'whoever runs this bot',
  timeoutMs = TIMEOUT_MS,
}: {
  url: string;
  key: string;
  /** Where those who run the Horde reach whoever runs this, such as an address. */
  contact?: string | undefined;
  timeoutMs?: number | undefined;
}) {
  const address = readAddress(url);
  const headers = { ...address.headers, apikey: key, 'client-agent': `${CLIENT_AGENT}:${contact}` };
  const { read, close } = createHttpCaller({ address: { ...address, headers }, timeoutMs });
  const id = encodeURIComponent;

  return {
    /** Host and port, for logs. */
    name: address.name,

    /** Asks for a picture; returns the request's id. */
    submit: async (body: unknown): Promise<string> =>
      (await read(responses.submitted, { method: 'POST', path: '/generate/async', body })).id,

    /** How far a request is; it may be asked for every second. */
    check: (request: string, signal: AbortSignal) =>
      read(responses.check, { path: `/generate/check/${id(request)}`, signal }),

    /** What was drawn; it may be asked for ten times a minute. */
    generations: async (request: string, signal: AbortSignal) => {
      const path = `/generate/status/${id(request)}`;
      return (await read(responses.status, { path, signal, timeoutMs: STATUS_TIMEOUT_MS })).generations;
    },

    cancel: (request: string): Promise<unknown> =>
      read(z.unknown(), { method: 'DELETE', path: `/generate/status/${id(request)}` }),

    /** Asks for something to be made of a picture without words; returns the request's id. */
    submitForm: async (body: unknown): Promise<string> =>
      (await read(responses.submitted, { method: 'POST', path: '/interrogate/async', body })).id,

    /** How far that is; it may be asked for ten times a second. */
    form: async (request: string, signal: AbortSignal) => {
      const path = `/interrogate/status/${id(request)}`;
      return (await read(responses.forms, { path, signal })).forms[0];
    },

    cancelForm: (request: string): Promise<unknown> =>
      read(z.unknown(), { method: 'DELETE', path: `/interrogate/status/${id(request)}` }),

    /** The models that machines offer now, those of most machines first. */
    models: async (signal?: AbortSignal): Promise<string[]> =>
      (await read(responses.models, { path: '/status/models?type=image', signal }))
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count)
        .map(({ name }) => name),

    /** Whose key it is. Rejects with status 401 where it is nobody's. */
    async user(signal?: AbortSignal): Promise<z.infer<typeof responses.user> | undefined> {
      // A key that is shared by its owner has no user.
      if (SHARED_KEY.test(key)) return undefined;
      return read(responses.user, { path: '/find_user', signal }).catch((error: unknown) => {
        if (!(error instanceof CallFailed) || error.status !== 404) throw error;
        throw new CallFailed('the key is unknown', { status: 401, cause: error });
      });
    },

    close,
  };
}

import { Client, type ClientConfig } from 'pg';
import { verifiedUrl } from './verified-url.ts';

const CONNECT_MS = 5_000;

/** A connection of one's own, which is not made yet. Where it breaks, whoever asks next is told. */
export const createClient = (url: string, options: Omit<ClientConfig, 'connectionString'>): Client =>
  new Client({ ...options, connectionString: verifiedUrl(url), connectionTimeoutMillis: CONNECT_MS })
    // Without a listener, an error would end the process.
    .on('error', () => undefined);

/** One request that reached the REST API. */
export interface RequestRecord {
  method: string;
  /** Without the API's prefix and query; interaction tokens are replaced by `[token]`. */
  path: string;
  hasFiles: boolean;
  /** What was answered; `null` while it is not, or where the connection was cut instead. */
  status: number | null;
  /** Discord's error code, where the answer carried one. */
  code: number | null;
  /** On the local Discord's clock. */
  at: number;
}

/** The oldest are forgotten, so that a local Discord may run for weeks. */
const KEPT = 10_000;

/** What was asked of the REST API, for tests to look at. */
export function createRequests() {
  const records: RequestRecord[] = [];

  return {
    add(record: RequestRecord): RequestRecord {
      if (records.length === KEPT) records.shift();
      records.push(record);
      return record;
    },
    /** In order of arrival. */
    list(matches: (record: RequestRecord) => boolean = () => true): RequestRecord[] {
      return records.filter(matches);
    },
    clear(): void {
      records.length = 0;
    },
  };
}

export type Requests = ReturnType<typeof createRequests>;

export function maskTokens(path: string): string {
  return path.replace(/^(\/(?:webhooks|interactions)\/[^/]+\/)[^/]+/, '$1[token]');
}

/** A field of a request: as a package calls it, and as a model does. */
export interface FieldName {
  package: string;
  model: string;
}

/** Sends what a package asks as the model takes it. Replicate's package wraps them in `input`. */
export const withFieldName =
  (fetch: typeof globalThis.fetch, { package: from, model: to }: FieldName): typeof globalThis.fetch =>
  async (url, init) => {
    if (typeof init?.body !== 'string') return fetch(url, init);
    const rename = (fields: object): object =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name === from ? to : name, value]));
    const { input, ...fields } = JSON.parse(init.body);
    const renamed = { ...rename(fields), ...(input && { input: rename(input) }) };
    return fetch(url, { ...init, body: JSON.stringify(renamed) });
  };

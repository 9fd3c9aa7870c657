/** A field of a request: as a package calls it, and as a model does. */
export interface FieldName {
  package: string;
  model: string;
}

/**
 * Sends what a package asks as the model takes it, where that differs. Replicate's package wraps the fields in
 * `input`.
 */
export function withFieldName(
  fetch: typeof globalThis.fetch,
  field: FieldName | undefined,
): typeof globalThis.fetch {
  if (!field) return fetch;
  const { package: from, model: to } = field;
  return async (url, init) => {
    if (typeof init?.body !== 'string') return fetch(url, init);
    const rename = (fields: object): object =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name === from ? to : name, value]));
    const { input, ...fields } = JSON.parse(init.body);
    const renamed = { ...rename(fields), ...(input && { input: rename(input) }) };
    return fetch(url, { ...init, body: JSON.stringify(renamed) });
  };
}

/** What `promise` rejects with. Throws when it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (outcome === undefined) throw new Error('expected a rejection');
  return outcome.error;
}

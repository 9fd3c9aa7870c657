import type { Model, Sdk } from './sdk.ts';

/** One pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const ELSEWHERE = 'https://provider.invalid/picture';
/** An answer in which every package finds a picture. */
const ANSWER = {
  data: [{ b64_json: PICTURE }],
  images: [{ url: ELSEWHERE }],
  output: [ELSEWHERE],
  predictions: [{ bytesBase64Encoded: PICTURE }],
  candidates: [
    { content: { parts: [{ inlineData: { mimeType: 'image/png', data: PICTURE } }] }, finishReason: 'STOP' },
  ],
  id: 'learnt',
  polling_url: ELSEWHERE,
  status: 'Ready',
  result: { sample: ELSEWHERE },
};

/**
 * What a package does with what it is asked for, found out without calling anybody: the SDK asks for a picture that
 * nobody draws. Rejects where the package cannot ask at all, as without a key.
 */
export async function learn(sdk: Sdk, modelOn: (fetch: typeof globalThis.fetch) => Model) {
  let asked: { url: string; headers: Readonly<Record<string, string>> } | undefined;
  const { warnings } = await sdk.generateImage({
    model: modelOn(async (url, init) => {
      asked ??= { url: `${url}`, headers: Object.fromEntries(new Headers(init?.headers)) };
      return new Response(JSON.stringify(ANSWER), { headers: { 'content-type': 'application/json' } });
    }),
    prompt: 'a pixel',
    size: '1024x1024',
    aspectRatio: '1:1',
    seed: 1,
    maxRetries: 0,
  });
  if (!asked) throw new Error('the package asked nobody');
  const unsupported = warnings.flatMap((warning) =>
    warning.type === 'unsupported' ? [warning.feature] : [],
  );
  return {
    url: asked.url,
    /** The headers that it names itself with: its key among them. */
    headers: asked.headers,
    /** What a model makes nothing of, in the SDK's own words: `seed`, `size`, … */
    unsupported,
  };
}

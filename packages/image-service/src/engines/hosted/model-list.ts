import { z } from 'zod';
import { parseJson } from '../parse-json.ts';

export { readAddress } from '../address.ts';
export { refusesKey } from './trouble.ts';

const named = z.array(z.object({ id: z.string() }));
/** Some servers that speak as OpenAI name their models without an object around. */
const list = z.object({ data: named }).transform(({ data }) => data);

/** The models that a server names which speaks as OpenAI; undefined where the answer is none of such a server. */
export const readModelList = (answer: string): readonly string[] | undefined =>
  list
    .or(named)
    .safeParse(parseJson(answer))
    .data?.map(({ id }) => id);

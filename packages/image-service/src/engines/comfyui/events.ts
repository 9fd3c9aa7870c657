import { z } from 'zod';
import { parseJson } from '../parse-json.ts';

const progress = z.looseObject({ value: z.number(), max: z.number() });

/** The WebSocket's messages that tell the progress of a prompt. */
const message = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('execution_cached'),
    data: z.looseObject({ prompt_id: z.string(), nodes: z.array(z.string()) }),
  }),
  z.looseObject({
    type: z.literal('executing'),
    data: z.looseObject({ prompt_id: z.string(), node: z.string().nullish() }),
  }),
  z.looseObject({
    type: z.literal('executed'),
    data: z.looseObject({ prompt_id: z.string(), node: z.string() }),
  }),
  z.looseObject({
    type: z.literal('progress'),
    data: progress.extend({ prompt_id: z.string(), node: z.string() }),
  }),
  z.looseObject({
    type: z.literal('progress_state'),
    data: z.looseObject({
      prompt_id: z.string(),
      nodes: z.record(z.string(), progress.extend({ state: z.string() })),
    }),
  }),
  z.looseObject({
    type: z.enum(['execution_success', 'execution_error', 'execution_interrupted']),
    data: z.looseObject({ prompt_id: z.string() }),
  }),
]);
export type ComfyEvent = z.infer<typeof message>;

/** Parses a text message; undefined where it is of another kind or cannot be understood. Never throws. */
export const readEvent = (text: string): ComfyEvent | undefined => message.safeParse(parseJson(text)).data;

import type { z } from 'zod';

/** A schema by what it gives and what it takes, and not by how it is made: so declarations can be read. */
export interface Schema<Output, Input = unknown> extends z.ZodType<Output, Input> {}

/** Of a part of an answer. */
export const schema = <Output>(made: z.ZodType<Output>): Schema<Output> => made;

/** Of a part of a request. */
export const taking = <Output, Input>(made: z.ZodType<Output, Input>): Schema<Output, Input> => made;

import type { TaskOperation } from '@darkroom/image-api';
import { z } from 'zod';
import type { OfferedWorkflow } from '../workflows/workflows.ts';

export type DescribedWorkflows = readonly Pick<OfferedWorkflow, 'name' | 'graphs'>[];

const schema = z.record(z.string(), z.unknown());
const described = z.object({
  properties: z
    .object({
      prompt: z.object({ anyOf: z.tuple([schema, schema]) }),
      image: z.object({ anyOf: z.tuple([schema, schema]) }),
    })
    .catchall(schema),
});

const ABSENT = { type: 'null' };
const orAbsent = (value: object) => ({ anyOf: [value, ABSENT] });
const among = (...operations: readonly TaskOperation[]) => ({ type: 'string', enum: operations });

/** One way to submit something: what it needs, and what else it may say. */
const alternative = (needed: object, more: object = {}) => ({
  type: 'object',
  properties: { ...needed, ...more },
  required: Object.keys(needed),
});

/** An expansion makes at least one side longer. */
const LONGER = {
  anyOf: ['left', 'top', 'right', 'bottom'].map((side) => ({
    type: 'object',
    properties: { [side]: { type: 'integer', minimum: 1 } },
    required: [side],
  })),
};

/**
 * A submission as this service takes it: by a name of its workflows, some of which take words only. `null` counts as
 * absent. What goes together is told by operation, as the contract checks it.
 */
export function describeSubmission(submission: unknown, workflows: DescribedWorkflows): void {
  const { prompt, image, operation: _, ...others } = described.parse(submission).properties;
  const [text, graph] = prompt.anyOf;
  const [picture, several] = image.anyOf;
  const words = { ...text, pattern: '\\S' };
  const onePicture = { anyOf: [picture, { ...several, maxItems: 1 }] };
  const ofWords = { operation: orAbsent(among('generate')), image: ABSENT };
  const graphs = workflows.flatMap(({ name, graphs }) => (graphs ? [name] : []));
  const named = { type: 'string', enum: graphs };
  const ofGraph = graphs.includes('default')
    ? alternative({ prompt: graph }, { ...ofWords, workflow: orAbsent(named) })
    : alternative({ prompt: graph, workflow: named }, ofWords);
  Object.assign(Object(submission), {
    properties: {
      ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, orAbsent(value)])),
      workflow: orAbsent({ type: 'string', enum: workflows.map(({ name }) => name) }),
    },
    required: undefined,
    oneOf: [
      alternative({ prompt: words }, ofWords),
      ...(graphs.length > 0 ? [ofGraph] : []),
      alternative({ operation: among('edit'), prompt: words, image }),
      alternative(
        { operation: among('upscale', 'remove_background'), image: onePicture },
        { prompt: orAbsent(text) },
      ),
      alternative(
        { operation: among('expand'), image: onePicture, expand: LONGER },
        { prompt: orAbsent(text) },
      ),
    ],
  });
}

import { STATUS_CODES } from 'node:http';
import { HEADERS, type Operation, PICTURE_LIMITS } from '@darkroom/image-api/contract';
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { type DescribedWorkflows, describeSubmission } from './describe-submission.ts';
import { boundGraph, GRAPH_VALUE } from './graph-bounds.ts';
import { aliasOf, OPERATIONS_BY_NAME } from './operation.ts';
import { BY_KEY, SECURITY_SCHEMES } from './security-schemes.ts';
import { MAX_PARTS } from './upload-body.ts';

const DESCRIPTION = `
Generates images from text prompts. A submission creates a task; ask for the task's status every 2 to 3 seconds until it
is \`completed\` or \`failed\`.

Each operation has two addresses with the same handler: the one shown here, and the interface's own, which stands in its
description and tells operations apart by the query parameter \`endpoint\` or \`action\`. Every answer but a picture is an envelope of \`success\`, \`data\` and \`error\`; \`error.code\` is stable. Answers and
webhooks may get further fields: ignore those that you do not know. A key may also be sent as \`api_key\` in the body of an operation that has one, where it is in none of the other places.`.trim();

const EVERYWHERE = {
  [HEADERS.requestId]: { type: 'string', format: 'uuid', description: 'Also `error.request_id`.' },
  [HEADERS.idempotencySupported]: {
    const: 'true',
    description: 'What is repeated under its Idempotency-Key is done once.',
  },
};
const RATE_LIMIT = {
  'ratelimit-limit': { type: 'integer', description: 'Requests that are taken in the time of the limit.' },
  'ratelimit-remaining': { type: 'integer', description: 'How many of them are left.' },
  'ratelimit-reset': { type: 'integer', description: 'Seconds until there are all of them again.' },
};
const RETRY_AFTER = {
  'retry-after': { type: 'integer', description: 'Seconds to wait. With it, nothing has been done.' },
};
const ACCEPT_ENCODING = {
  'accept-encoding': { const: 'identity', description: 'Where the `Content-Encoding` of the body is why.' },
};
const WWW_AUTHENTICATE = { 'www-authenticate': { const: 'Bearer' } };

/**
 * The headers of an answer. Those of the rate limit come with every answer of an operation that counts, and with 429.
 */
const headersOf = (status: string, { config }: RouteOptions) => ({
  ...EVERYWHERE,
  ...((status === '429' || config?.limited) && RATE_LIMIT),
  ...((status === '429' || status === '503') && RETRY_AFTER),
  ...(status === '415' && ACCEPT_ENCODING),
  ...(status === '401' && WWW_AUTHENTICATE),
});

const TAGS: Readonly<Record<Operation['tag'], string>> = {
  tasks: 'What is drawn, and how it is doing',
  pictures: 'What was drawn, and what others are made of',
  account: 'Credits, and what they were spent on',
  keys: 'API keys',
  webhooks: 'Being told of the end of a task',
};

const OF_WEBHOOKS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** What the service sends to others. */
const WEBHOOKS = {
  taskEnded: {
    post: {
      operationId: 'taskEnded',
      tags: ['webhooks'],
      summary: 'A task has ended',
      description:
        'Sent to the `webhook` of its submission, signed as Standard Webhooks says. The same `webhook-id` may come twice.',
      security: [],
      parameters: OF_WEBHOOKS.map((name) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/TaskEnded' } } },
      },
      responses: {
        '2XX': { description: 'Received. After any other answer it is sent again.' },
        410: { description: 'Not wanted any more: nothing further is sent.' },
      },
    },
  },
};

/** The body of an operation that takes a file: a form, which its handler reads. */
const fileBody = ({ file }: Partial<Operation> = {}) =>
  file === undefined
    ? {}
    : {
        consumes: ['multipart/form-data'],
        body: {
          type: 'object',
          maxProperties: MAX_PARTS,
          additionalProperties: { type: 'string' },
          required: [file],
          properties: {
            [file]: { type: 'string', format: 'binary', minLength: 1, maxLength: PICTURE_LIMITS.bytes },
          },
        },
      };

type Document = Parameters<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>[0];
type Described = Extract<Document, { openapiObject: unknown }>['openapiObject'];

const PICTURES = PICTURE_LIMITS.types.join(', ');

/** Bodies with what they may look like, and what can be asked for with an answer. */
function addExamplesAndLinks({ paths = {} }: Described): void {
  for (const described of Object.values(paths).flatMap((path) => [path?.get, path?.post])) {
    const operation = OPERATIONS_BY_NAME.get(described?.operationId ?? '');
    if (!described || !operation) continue;
    const media = described.requestBody && 'content' in described.requestBody && described.requestBody;
    if (media) {
      // The plugin marks every body as required. One that may be null may be left out as well.
      media.required = !operation.body?.safeParse(null).success;
      const { 'application/json': json, 'multipart/form-data': form } = media.content;
      if (json) json.example = operation.example ?? {};
      if (form && operation.file) form.encoding = { [operation.file]: { contentType: PICTURES } };
    }
    const links = Object.entries(operation.leadsTo ?? {}).map(([operationId, parameters]) => {
      const taken = Object.entries(parameters).map(([name, field]) => [
        name,
        `$response.body#/data/${field}`,
      ]);
      const place = OPERATIONS_BY_NAME.get(operationId)?.body ? 'requestBody' : 'parameters';
      return [operationId, { operationId, [place]: Object.fromEntries(taken) }];
    });
    if (links.length > 0)
      Object.assign(described.responses?.[200] ?? {}, { links: Object.fromEntries(links) });
  }
}

interface Whole {
  components?: { schemas?: Record<string, unknown> };
  webhooks: object;
}

/**
 * A description without schemas that nothing refers to: each that has a name is there as it is taken and as it is
 * sent. Where it is only taken, its name is the plain one.
 */
function withoutSpareSchemas({ components: named = {}, ...described }: Whole): object {
  const { schemas = {}, ...components } = named;
  const referred = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
  const needed = new Set<string>();
  const need = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    referred(schemas[name]).forEach(need);
  };
  referred({ ...described, components }).forEach(need);
  const plain = (name: string) => {
    const shorter = name.replace(/Input$/, '');
    return needed.has(shorter) ? name : shorter;
  };
  const kept = [...needed].sort().map((name) => [plain(name), schemas[name]]);
  const whole = { ...described, components: { ...components, schemas: Object.fromEntries(kept) } };
  return JSON.parse(
    JSON.stringify(whole).replaceAll(
      /("#\/components\/schemas\/)(\w+)"/g,
      (_, path: string, name: string) => `${path}${plain(name)}"`,
    ),
  );
}

export interface ApiDescription {
  /** What `workflow` of a submission may be. */
  workflows: DescribedWorkflows;
  /** The path below which callers reach the service, such as `/images`; empty where there is none. */
  publicPath: string;
}

/** Has schemas of what is sent say nothing of further fields: zod has an output take none. */
function openUp(sent: unknown): void {
  if (typeof sent !== 'object' || sent === null) return;
  if ('additionalProperties' in sent && sent.additionalProperties === false) delete sent.additionalProperties;
  Object.values(sent).forEach(openUp);
}

/** Describes every route that is registered after it, at `/openapi.json`, from the schemas that the routes use. */
export function describeApi(app: FastifyInstance, { workflows, publicPath }: ApiDescription): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Darkroom image service',
        version: '1',
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // Without a host: from wherever the description was read, which may be the service itself.
      ...(publicPath !== '' && { servers: [{ url: publicPath }, { url: '/' }] }),
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: SECURITY_SCHEMES,
      },
      security: BY_KEY,
    },
    // The routes themselves know nothing of that path.
    stripBasePath: false,
    transform(described) {
      const { schema, url } = jsonSchemaTransform(described);
      const { operation } = described.route.config ?? {};
      openUp(schema?.response);
      for (const [status, answer] of Object.entries(schema?.response ?? {})) {
        Object.assign(answer, {
          description: STATUS_CODES[status],
          headers: headersOf(status, described.route),
        });
      }
      if (!operation) return { schema, url };
      const taken = fileBody(OPERATIONS_BY_NAME.get(schema.operationId ?? ''));
      const own = `The interface's own address: \`${url}?${operation}\`.`;
      const description = [schema.description, own].filter(Boolean).join(' ');
      return { schema: { ...schema, ...taken, description }, url: aliasOf(operation) };
    },
    transformObject(document) {
      if (!('openapiObject' in document)) return document.swaggerObject;
      addExamplesAndLinks(document.openapiObject);
      const described: Whole = Object.assign(jsonSchemaTransformObject(document), { webhooks: WEBHOOKS });
      const schemas = described.components?.schemas ?? {};
      for (const [name, sent] of Object.entries(schemas)) if (!name.endsWith('Input')) openUp(sent);
      describeSubmission(schemas.SubmissionInput, workflows);
      Object.assign(schemas, { GraphInput: boundGraph(schemas.GraphInput), GraphValue: GRAPH_VALUE });
      return withoutSpareSchemas(described);
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}

import { type Environment, readEnvironment, setting } from '@darkroom/process';
import { isReadableUrl, UNREADABLE_URL } from '@darkroom/storage';
import { z } from 'zod';
import { modelList } from './engines/comfyui/workflow-models.ts';
import { hostedPackages, isProvider, PROVIDER_NAMES } from './engines/hosted/providers.ts';
import { BUCKET_PACKAGES, bucketIn, folderIn } from './files/open-place.ts';
import { budget } from './ledger/budget.ts';
import { priceList } from './ledger/price.ts';
import { workflowList } from './workflows/workflow-settings.ts';

export { ENGINE_SETTINGS, ENGINES, type EngineName } from './engines/engine-names.ts';
export { USUAL_MODELS } from './engines/hosted/providers.ts';

/** Of the database, unless it is elsewhere. */
export const DEFAULT_FILE = 'data/service.sqlite';

/** Of proxies. All that there are (`/0`) would be every caller's, and Fastify takes none so. */
const network = z.union([z.cidrv4(), z.cidrv6()]).refine((text) => !text.endsWith('/0'));

/** How many proxies stand before the service, or their addresses. */
const trustedProxies = z.union(
  [
    setting.wholeNumber(1, 10),
    setting.list.pipe(z.array(z.union([z.ipv4(), z.ipv6(), network, z.literal('loopback')]))).readonly(),
  ],
  'expected how many proxies there are, or their addresses such as 10.0.0.0/8',
);

const origins = setting.list
  .refine(
    (list) => list.every(isOrigin),
    'expected origins such as http://10.0.0.5:8080 without a path, separated by commas',
  )
  .readonly();

const EXPECTED_COST = 'expected what a picture costs, such as 0.04';

/** A model as people know it: `openai:gpt-image-2.6-flare`. */
const hostedModel = z.string().transform((text, context) => {
  const [, provider = '', model = ''] = /^([^:]+):(\S+)$/.exec(text) ?? [];
  if (isProvider(provider)) return { provider, model };
  const message = `expected a provider and its model, such as openai:gpt-image-2.6-flare; providers are ${PROVIDER_NAMES.join(', ')}`;
  context.issues.push({ code: 'custom', message, input: undefined });
  return z.NEVER;
});

/** The environment variables of the service. `.env.example` explains each of them. */
export const serviceEnvironment = z.object({
  SECRET_KEY: setting.secretKeys.optional(),
  SERVICE_HOST: z.string().default('127.0.0.1'),
  SERVICE_PORT: setting.port(4281),
  SERVICE_DATABASE_URL: z
    .string()
    .regex(
      /^(sqlite|postgres|postgresql):\/\/./,
      'expected sqlite://path/to/file.sqlite or postgres://user:password@host/database',
    )
    .refine(isReadableUrl, UNREADABLE_URL)
    .default(`sqlite://${DEFAULT_FILE}`),
  PICTURES_URL: z
    .string()
    .refine(
      (url) => folderIn(url) !== undefined || bucketIn(url) !== undefined,
      'expected file://path/to/folder or s3://bucket/prefix',
    )
    .optional(),
  PICTURES_ENDPOINT: setting.httpUrl.optional(),
  AWS_REGION: z.string().optional(),
  SERVICE_WORKFLOWS: setting.json.pipe(workflowList).readonly().optional(),
  SERVICE_PRICES: setting.json.pipe(priceList).readonly().optional(),
  SERVICE_BUDGET: setting.json.pipe(budget).readonly().optional(),
  SERVICE_CORS_ORIGINS: setting.list
    .refine(
      (origins) => origins.every((origin) => origin === '*' || isOrigin(origin)),
      'expected origins such as https://app.example.com without a path, separated by commas, or *',
    )
    .readonly()
    .optional(),
  SERVICE_WEBHOOK_ORIGINS: origins.optional(),
  SERVICE_METRICS: z.enum(['on', 'off'], 'expected on or off').default('on'),
  COMFYUI_URL: setting.httpUrls.optional(),
  COMFYUI_MODELS: setting.json.pipe(modelList).readonly().optional(),
  COMFYUI_NODES: setting.list.readonly().optional(),
  SDWEBUI_URL: setting.secretHttpUrls.optional(),
  HOSTED_MODEL: hostedModel.optional(),
  HOSTED_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, 'expected a key of the provider, without spaces')
    .optional(),
  HOSTED_BASE_URL: setting.httpUrl.optional(),
  HOSTED_PICTURE_ORIGINS: origins.optional(),
  HOSTED_COST: z.coerce.number(EXPECTED_COST).positive(EXPECTED_COST).max(1_000, EXPECTED_COST).optional(),
  AI_HORDE_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'expected a key of the AI Horde; 0000000000 is anonymous')
    .optional(),
  AI_HORDE_URL: setting.httpUrl.optional(),
  AI_HORDE_CONTACT: setting.webPage.optional(),
  AI_HORDE_NSFW: z.enum(['allowed', 'never'], 'expected allowed or never').optional(),
  PUBLIC_BASE_URL: setting.httpUrl.optional(),
  TRUST_PROXY: trustedProxies.optional(),
  LOG_LEVEL: setting.logLevel,
});

/** Scheme, host and port, as a browser writes them: `https://app.example.com`. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}

export type ServiceConfig = Readonly<z.infer<typeof serviceEnvironment>>;

/** What is wrong with a combination of variables. */
export function checkServiceEnvironment({
  SERVICE_DATABASE_URL,
  SECRET_KEY,
  PICTURES_URL,
  PICTURES_ENDPOINT,
  HOSTED_MODEL,
  HOSTED_BASE_URL,
}: Environment): string[] {
  const problems: string[] = [];
  if (/^postgres/.test(SERVICE_DATABASE_URL ?? '') && SECRET_KEY === undefined) {
    problems.push(
      'SECRET_KEY: missing; beside PostgreSQL there is no file to keep one in (openssl rand -hex 32)',
    );
  }
  if (PICTURES_ENDPOINT !== undefined && !PICTURES_URL?.startsWith('s3:'))
    problems.push('PICTURES_ENDPOINT: where a bucket is; PICTURES_URL names none (s3://bucket)');
  if (HOSTED_MODEL?.startsWith('openai-compatible:') && HOSTED_BASE_URL === undefined)
    problems.push(
      'HOSTED_BASE_URL: missing; the address of the server of HOSTED_MODEL, such as http://127.0.0.1:8080/v1',
    );
  return problems;
}

/** The packages that these settings want beside those that are always installed; none for what is no value of theirs. */
export function wantedPackages({ HOSTED_MODEL, PICTURES_URL }: Environment): string[] {
  const provider = HOSTED_MODEL && hostedModel.safeParse(HOSTED_MODEL).data?.provider;
  return [
    ...(provider ? hostedPackages(provider) : []),
    ...(PICTURES_URL && bucketIn(PICTURES_URL) ? BUCKET_PACKAGES : []),
  ];
}

/** Throws as `readEnvironment` does. */
export const loadServiceConfig = (env: Environment): ServiceConfig =>
  readEnvironment(serviceEnvironment, env, checkServiceEnvironment);

import { z } from 'zod';
import { modelList, priceList } from './service/settings.ts';

function wholeNumber(least: number, most: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.coerce.number(error).int(error).min(least, error).max(most, error);
}
const port = (fallback: number) => wholeNumber(0, 65_535).default(fallback);
const httpUrl = z
  .url({
    protocol: /^https?$/,
    normalize: true,
    error: 'expected an address such as https://images.example.com',
  })
  .transform((url) => url.replace(/\/+$/, ''));
const list = z.string().transform((text) => text.split(',').map((part) => part.trim()));
const httpUrls = list.pipe(z.array(httpUrl)).readonly();
const secretKeys = list
  .pipe(
    z.tuple([z.string()], z.string()).check((context) => {
      if (!context.value.every((key) => /^[0-9a-f]{64}$/i.test(key))) {
        context.issues.push({
          code: 'custom',
          message:
            'expected 64 hexadecimal characters, or several of these separated by commas (openssl rand -hex 32)',
          input: undefined,
        });
      }
    }),
  )
  .readonly();

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'expected JSON', input: undefined });
    return z.NEVER;
  }
});

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** What each variable means stands in `.env.example`. */
const environment = z.object({
  NODE_ENV: z.string().optional(),
  DISCORD_TOKEN: z.string().optional(),
  DISCORD_APPLICATION_ID: z
    .string()
    .regex(/^\d{17,20}$/, 'expected the digits of an application id')
    .optional(),
  DISCORD_GUILD_ID: z
    .string()
    .regex(/^\d{17,20}$/, 'expected the digits of a server id')
    .optional(),
  DISCORD_API_URL: httpUrl.default('https://discord.com/api'),
  IMAGE_API_URL: httpUrl.optional(),
  IMAGE_API_KEY: z
    .string()
    .regex(/^sk-[0-9a-f]{48}$/i, 'expected sk- followed by 48 hexadecimal characters')
    .optional(),
  STORE_URL: z
    .templateLiteral(['sqlite://', z.string().min(1)], 'expected sqlite://path/to/file.sqlite')
    .default('sqlite://data/darkroom.sqlite'),
  SECRET_KEY: secretKeys.optional(),
  GUILD_CALLS_PER_SECOND: wholeNumber(1, 1_000).default(50),
  PLAYGROUND_PORT: port(4280),
  SERVICE_HOST: z.string().default('127.0.0.1'),
  SERVICE_PORT: port(4281),
  SERVICE_DATABASE_URL: z
    .string()
    .regex(
      /^(sqlite|postgres|postgresql):\/\/./,
      'expected sqlite://path/to/file.sqlite or postgres://user:password@host/database',
    )
    .default('sqlite://data/service.sqlite'),
  SERVICE_PRICES: json.pipe(priceList).readonly().optional(),
  COMFYUI_URL: httpUrls.optional(),
  COMFYUI_MODELS: json.pipe(modelList).readonly().optional(),
  COMFYUI_NODES: list.readonly().optional(),
  PUBLIC_BASE_URL: httpUrl.optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`).optional(),
});

export type Config = Readonly<z.infer<typeof environment>>;
export const CONFIG_KEYS: readonly string[] = Object.keys(environment.shape);

/** Everything that is wrong with the environment, in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The environment as one frozen object. White space around a value is cut off; an empty variable counts as absent.
 * Throws `ConfigError`; never shows a value.
 * `tokenRequired`: without `DISCORD_TOKEN` there is nothing to start.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  { tokenRequired = false }: { tokenRequired?: boolean } = {},
): Config {
  const trimmed = Object.entries(env).map(([name, value]) => [name, value?.trim()] as const);
  const present = Object.fromEntries(trimmed.filter(([, value]) => value));
  const read = environment.safeParse(present);
  const problems = (read.error?.issues ?? []).map(describe);
  if (tokenRequired && present.DISCORD_TOKEN === undefined) {
    problems.push('DISCORD_TOKEN: missing; the bot cannot log in to Discord without it');
  }
  if (/^postgres/.test(present.SERVICE_DATABASE_URL ?? '') && present.SECRET_KEY === undefined) {
    problems.push(
      'SECRET_KEY: missing; beside PostgreSQL there is no file to keep one in (openssl rand -hex 32)',
    );
  }
  if (read.success && problems.length === 0) return Object.freeze(read.data);
  // Several parts of one list may be wrong in the same way.
  const different = [...new Set(problems)];
  const wrong = new Set(different.map((problem) => problem.split(':', 1)[0]));
  throw new ConfigError(
    [
      `Darkroom cannot start; ${wrong.size === 1 ? 'one setting is' : `${wrong.size} settings are`} wrong:`,
      ...different.map((problem) => `  ${problem}`),
      '.env.example explains each of them.',
    ].join('\n'),
  );
}

/** `SERVICE_PRICES: rr3.step: expected …` */
function describe({ path: [name, ...within], message }: z.core.$ZodIssue): string {
  const where = within.filter((part) => typeof part === 'string').join('.');
  return [name, where, message].filter(Boolean).join(': ');
}

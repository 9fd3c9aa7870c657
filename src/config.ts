import { checkServiceEnvironment, serviceEnvironment } from '@darkroom/image-service/config';
import { type Environment, ownCommand, readEnvironment, setting } from '@darkroom/process';
import { z } from 'zod';
import { tokenProblem } from './discord-token.ts';
import { limitEnvironment } from './limits/limit-environment.ts';
import { MOST_SHARDS } from './shards/installation.ts';
import { storeUrl } from './storage/store-url.ts';

/** `expected`: what is said where it is none. */
const snowflake = (expected: string) => z.string().regex(/^\d{17,20}$/, expected);

/** What each variable means stands in `.env.example`. */
const environment = z.object({
  NODE_ENV: z.string().optional(),
  DISCORD_TOKEN: z
    .string()
    .check((context) => {
      const message = tokenProblem(context.value);
      if (message) context.issues.push({ code: 'custom', message, input: undefined });
    })
    .optional(),
  DISCORD_APPLICATION_ID: snowflake('expected the digits of an application id').optional(),
  DISCORD_GUILD_ID: snowflake('expected the digits of a server id').optional(),
  DISCORD_API_URL: setting.httpUrl
    .refine(
      (url) => !/\/v\d+$/.test(url),
      'expected the address without the version at its end: https://discord.com/api',
    )
    .default('https://discord.com/api'),
  IMAGE_API_URL: setting.httpUrl.optional(),
  IMAGE_API_KEY: z
    .string()
    .regex(/^sk-[0-9a-f]{48}$/i, 'expected sk- followed by 48 hexadecimal characters')
    .optional(),
  IMAGE_API_KEY_GUILDS: setting.list
    .pipe(z.array(snowflake('expected ids of servers, separated by commas')))
    .readonly()
    .optional(),
  IMAGE_API_KEY_OUTSIDE: z
    .enum(['true', 'false'], 'expected true or false')
    .default('false')
    .transform((value) => value === 'true'),
  IMAGE_MODELS: setting.list.readonly().optional(),
  ...limitEnvironment.shape,
  STORE_URL: storeUrl.default('sqlite://data/darkroom.sqlite'),
  SHARDS: z
    .union(
      [z.literal('auto'), setting.wholeNumber(1, MOST_SHARDS)],
      `expected auto, or a whole number from 1 to ${MOST_SHARDS}`,
    )
    .default('auto'),
  GUILD_CALLS_PER_SECOND: setting.wholeNumber(1, 1_000).default(50),
  RETENTION_DAYS: setting.wholeNumber(1, 3_650).default(90),
  HTTP_PORT: setting.wholeNumber(0, 65_535).optional(),
  HTTP_HOST: z.string().default('127.0.0.1'),
  PLAYGROUND_PORT: setting.port(4280),
  ...serviceEnvironment.shape,
});

export type Config = Readonly<z.infer<typeof environment>>;
type ConfigWithToken = Config & { readonly DISCORD_TOKEN: string };
export const CONFIG_KEYS: readonly string[] = Object.keys(environment.shape);

/** Where the bot keeps things is nothing to a program that keeps none. */
export const NOTHING_KEPT = {
  SECRET_KEY: '',
  STORE_URL: '',
  PICTURES_URL: '',
  PICTURES_ENDPOINT: '',
  PUBLIC_BASE_URL: '',
} satisfies Environment;

/** The environment of the bot, and of the image service that it may contain. Throws as `readEnvironment` does. */
export function loadConfig(env: Environment, options: { tokenRequired: true }): ConfigWithToken;
/** `tokenRequired`: without `DISCORD_TOKEN` there is nothing to start. */
export function loadConfig(env: Environment, options?: { tokenRequired?: boolean }): Config;
export function loadConfig(
  env: Environment,
  { tokenRequired = false }: { tokenRequired?: boolean } = {},
): Config {
  return readEnvironment(environment, env, (present) => [
    ...(tokenRequired && present.DISCORD_TOKEN === undefined
      ? [
          `DISCORD_TOKEN: missing; ${ownCommand('setup')} asks for it, or copy it from the page Bot of your application on https://discord.com/developers/applications`,
        ]
      : []),
    ...checkServiceEnvironment(present),
    // What holds for the service's database holds for the bot's store.
    ...checkServiceEnvironment({ ...present, SERVICE_DATABASE_URL: present.STORE_URL }),
  ]);
}

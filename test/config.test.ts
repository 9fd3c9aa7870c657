import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { OperatorError } from '@darkroom/process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONFIG_KEYS, loadConfig } from '../src/config.ts';
import { WRONG_SETTINGS } from './support/wrong-settings.ts';

const EXAMPLE = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
const SECRET = 'ab'.repeat(32);
/** Of the form that Discord's have: the application's id in Base64, a time, a signature. */
const TOKEN = `${Buffer.from('300000000000000001').toString('base64')}.Gabcde.${'x'.repeat(38)}`;

function problemOf(env: Record<string, string>, options?: { tokenRequired: boolean }): string {
  try {
    loadConfig(env, options);
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
  throw new Error('expected the configuration to be refused');
}

test('without any variable the configuration is its defaults', () => {
  expect(loadConfig({})).toEqual({
    DISCORD_API_URL: 'https://discord.com/api',
    IMAGE_API_KEY_OUTSIDE: false,
    STORE_URL: 'sqlite://data/darkroom.sqlite',
    SHARDS: 'auto',
    GUILD_CALLS_PER_SECOND: 50,
    MEMBER_OPEN_REQUESTS: 10,
    MEMBER_PICTURES_PER_HOUR: 100,
    MEMBER_PICTURES_PER_DAY: 400,
    GUILD_PICTURES_PER_HOUR: 1_000,
    GUILD_PICTURES_PER_DAY: 5_000,
    IMAGE_API_KEY_PICTURES_PER_DAY: 500,
    IMAGE_API_KEY_PICTURES_PER_MONTH: 5_000,
    RETENTION_DAYS: 90,
    HTTP_HOST: '127.0.0.1',
    PLAYGROUND_PORT: 4280,
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: 4281,
    SERVICE_DATABASE_URL: 'sqlite://data/service.sqlite',
    SERVICE_METRICS: 'on',
  });
});

test('what Kubernetes says of a Service that is named as a setting begins is none', () => {
  const links = { SERVICE_PORT: 'tcp://10.0.0.1:4281', HTTP_PORT: 'tcp://10.0.0.2:80' };
  expect(loadConfig(links)).toEqual(loadConfig({}));
});

test('everything that is wrong stands in one message, each by its name', () => {
  const message = problemOf(WRONG_SETTINGS);
  const named = message.split('\n').flatMap((line) => /^ {2}([A-Z_]+): ./.exec(line)?.[1] ?? []);
  expect(named.toSorted()).toEqual(Object.keys(WRONG_SETTINGS).toSorted());
  expect(message).toContain(`${named.length} settings are wrong`);
  expect(message).toContain('.env.example');
});

test('a single problem is spoken of in the singular', () => {
  expect(problemOf({ LOG_LEVEL: 'loud' })).toContain('One setting is wrong');
});

test('a value is never shown, whatever is wrong with it', () => {
  const token = fc.stringMatching(/^[a-z0-9]{12,40}$/).map((text) => `zq${text}`);
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(WRONG_SETTINGS)), token, (name, value) => {
      expect(problemOf({ [name]: value })).not.toContain(value);
    }),
  );
});

test.each([
  ['SERVICE_PRICES', '{"default":', 'expected JSON'],
  ['SERVICE_PRICES', '[1]', 'expected an object with prices of default, anime, z-image, rr3'],
  ['SERVICE_PRICES', '{"zq7":1}', 'expected an object with prices of default, anime, z-image, rr3'],
  ['SERVICE_PRICES', '{"anime":"two"}', /anime: expected credits from 0 to 1000000: a number, or an object/],
  ['SERVICE_PRICES', '{"anime":-1}', /anime: expected credits/],
  ['SERVICE_PRICES', '{"rr3":{"zq7":1}}', /rr3: expected credits/],
  ['SERVICE_PRICES', '{"rr3":{"step":-1}}', /rr3\.step: expected credits/],
  [
    'SERVICE_WORKFLOWS',
    '{"Photo":"comfyui"}',
    /expected an object with workflows by names of up to 32 small letters/,
  ],
  ['SERVICE_WORKFLOWS', '{"photo":"zq7"}', /photo: expected an engine, or an object with engine/],
  ['SERVICE_WORKFLOWS', '{"photo":{"zq7":1}}', /photo: expected an engine, or an object with engine/],
  [
    'COMFYUI_MODELS',
    '{"zq7":"x"}',
    'expected an object with default, anime, z-image, flux-kontext, qwen-image-edit, upscale, background, allowed',
  ],
  ['COMFYUI_MODELS', '{"z-image":{"vae":7}}', 'z-image.vae: expected the file name of a model'],
  ['COMFYUI_MODELS', '{"allowed":["a"," "]}', 'allowed: expected the file name of a model'],
])('%s=%s is wrong, and what of it', (name, value, words) => {
  const [, problem, ...rest] = problemOf({ [name]: value }).split('\n');
  expect(problem?.startsWith(`  ${name}: `)).toBe(true);
  expect(problem).toMatch(words);
  expect(problem).not.toContain('zq7');
  expect(rest).toHaveLength(1);
});

test('several problems of one setting are one setting that is wrong', () => {
  const message = problemOf({ COMFYUI_MODELS: '{"default":1,"anime":2}' });
  expect(message).toContain('One setting is wrong, so nothing was done:\n  COMFYUI_MODELS: default: ');
  expect(message).toContain('\n  COMFYUI_MODELS: anime: ');
});

test('with PostgreSQL, a missing SECRET_KEY is a problem among others', () => {
  const SERVICE_DATABASE_URL = 'postgres://somebody@127.0.0.1/images';
  const message = problemOf({ SERVICE_DATABASE_URL, LOG_LEVEL: 'loud' });
  expect(message).toMatch(/2 settings are wrong[\s\S]*LOG_LEVEL[\s\S]*SECRET_KEY: missing/);
  expect(loadConfig({ SERVICE_DATABASE_URL, SECRET_KEY: SECRET }).SECRET_KEY).toEqual([SECRET]);
});

test.each(['STORE_URL', 'SERVICE_DATABASE_URL'])(
  'a password in %s that ends the address too soon is a problem that tells how it is written',
  (name) => {
    for (const password of ['p#zq7', 'p/zq7', 'p?zq7']) {
      const url = `postgres://somebody:${password}@127.0.0.1/images`;
      const message = problemOf({ [name]: url, SECRET_KEY: SECRET });
      expect(message).toContain(`${name}: not an address; in its password write %23 for #, %2F for /`);
      expect(message).not.toContain('zq7');
    }
    for (const url of [
      'postgres://somebody:p%23@127.0.0.1:5432/images',
      'postgres://somebody:p@/images?host=/run/postgresql',
    ])
      expect(loadConfig({ [name]: url, SECRET_KEY: SECRET })).toMatchObject({ [name]: url });
  },
);

test('an empty variable counts as absent, and white space around a value is cut off', () => {
  const blank = Object.fromEntries(CONFIG_KEYS.map((name) => [name, ' \t']));
  expect(loadConfig(blank)).toEqual(loadConfig({}));
  expect(loadConfig({ DISCORD_TOKEN: ` ${TOKEN}\r\n`, PLAYGROUND_PORT: ' 80 ' })).toMatchObject({
    DISCORD_TOKEN: TOKEN,
    PLAYGROUND_PORT: 80,
  });
});

test('addresses lose the slashes at their end', () => {
  expect(loadConfig({ IMAGE_API_URL: 'https://images.example.com/base//' }).IMAGE_API_URL).toBe(
    'https://images.example.com/base',
  );
});

test.each([
  ['abc', /not a bot token\. On https:.+ go to the page Bot and press Reset Token/],
  ['300000000000000001', 'id of an application'],
  ['f'.repeat(64), 'public key'],
  ['aB3-'.repeat(8), 'client secret'],
  [`Bot ${TOKEN}`, 'leave out the word "Bot"'],
  [`"${TOKEN}"`, 'quotation marks'],
  [TOKEN.replace('.Gabcde', ''), 'not a bot token'],
])(
  'what is no token is recognised without Discord, with where one is found, and not shown',
  (text, words) => {
    const problem = problemOf({ DISCORD_TOKEN: text });
    expect(problem).toMatch(words);
    expect(problem).toContain('DISCORD_TOKEN: not a bot token');
    expect(problem).not.toContain(TOKEN);
  },
);

test('an address of Discord with a version is refused, as the version is added', () => {
  expect(problemOf({ DISCORD_API_URL: 'https://discord.com/api/v10' })).toContain('without the version');
});

test('several ComfyUI servers are a list', () => {
  const { COMFYUI_URL } = loadConfig({
    COMFYUI_URL: 'http://127.0.0.1:8188/, https://gpu.example.com/comfy',
  });
  expect(COMFYUI_URL).toEqual(['http://127.0.0.1:8188', 'https://gpu.example.com/comfy']);
  expect(problemOf({ COMFYUI_URL: 'http://127.0.0.1:8188,' })).toContain('COMFYUI_URL');
});

test('an address with a user name or a password in it is refused, and not shown', () => {
  for (const name of ['IMAGE_API_URL', 'PUBLIC_BASE_URL', 'COMFYUI_URL']) {
    const problem = problemOf({ [name]: 'https://studio:hunter2@images.example.com' });
    expect(problem).toContain(`${name}: expected an address without a user name or password in it`);
    expect(problem).not.toContain('hunter2');
  }
});

test('an address to which paths are added ends where they begin', () => {
  for (const name of ['IMAGE_API_URL', 'PUBLIC_BASE_URL', 'HOSTED_BASE_URL', 'COMFYUI_URL', 'SDWEBUI_URL'])
    for (const end of ['?version=1', '/?', '#top'])
      expect(problemOf({ [name]: `https://images.example.com/api${end}` })).toContain(
        `${name}: expected an address without anything that begins with ? or #`,
      );
  const PUBLIC_BASE_URL = 'https://images.example.com/api';
  expect(loadConfig({ PUBLIC_BASE_URL: `${PUBLIC_BASE_URL}/` })).toMatchObject({ PUBLIC_BASE_URL });
  const AI_HORDE_CONTACT = 'https://example.com/bot?tab=1#readme';
  expect(loadConfig({ AI_HORDE_CONTACT })).toMatchObject({ AI_HORDE_CONTACT });
});

test('several addresses where one is expected are refused', () => {
  const [one, other] = ['http://127.0.0.1:8080/v1', 'http://gpu-2/v1'];
  for (const url of [`${one},${other}`, `${one}, ${other}`, `${other},${one}`, `http://a,${other}`])
    expect(problemOf({ HOSTED_BASE_URL: url })).toContain('HOSTED_BASE_URL: expected one address');
  const HOSTED_BASE_URL = 'http://127.0.0.1:8080/a,b';
  expect(loadConfig({ HOSTED_BASE_URL })).toMatchObject({ HOSTED_BASE_URL });
});

test('a WebUI may have a password in its address, which is never shown', () => {
  const SDWEBUI_URL = 'http://ann:hunter2@127.0.0.1:7860/, http://gpu-2:7860';
  expect(loadConfig({ SDWEBUI_URL }).SDWEBUI_URL).toEqual([
    'http://ann:hunter2@127.0.0.1:7860',
    'http://gpu-2:7860',
  ]);
  const problem = problemOf({ SDWEBUI_URL: 'http://ann:hunter2@127.0.0.1:many' });
  expect(problem).toContain('SDWEBUI_URL');
  expect(problem).not.toContain('hunter2');
});

test('proxies are told by how many they are, or by their addresses', () => {
  expect(loadConfig({ TRUST_PROXY: '2' }).TRUST_PROXY).toBe(2);
  expect(loadConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).TRUST_PROXY).toEqual(['10.0.0.0/8', '::1']);
  for (const wrong of ['true', '0.0.0.0/0', '10.0.0.1, ::/0'])
    expect(problemOf({ TRUST_PROXY: wrong })).toContain('TRUST_PROXY: expected how many proxies');
});

test('further node classes are a list', () => {
  expect(loadConfig({ COMFYUI_NODES: 'UltimateSDUpscale, FaceDetailer' }).COMFYUI_NODES).toEqual([
    'UltimateSDUpscale',
    'FaceDetailer',
  ]);
});

test('several secret keys are a list, the first first', () => {
  const other = 'CD'.repeat(32);
  expect(loadConfig({ SECRET_KEY: `${SECRET}, ${other}` }).SECRET_KEY).toEqual([SECRET, other]);
  expect(problemOf({ SECRET_KEY: `${SECRET},` })).toContain('SECRET_KEY');
});

test('nothing in it can be changed', () => {
  const config = loadConfig({ SECRET_KEY: SECRET });
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.SECRET_KEY)).toBe(true);
});

test('a missing token is a problem among others where one is required', () => {
  const message = problemOf({ NODE_ENV: 'production', LOG_LEVEL: 'loud' }, { tokenRequired: true });
  expect(message).toMatch(/DISCORD_TOKEN: missing/);
  expect(message).toMatch(/LOG_LEVEL/);
  expect(loadConfig({ DISCORD_TOKEN: TOKEN }, { tokenRequired: true }).DISCORD_TOKEN).toBe(TOKEN);
});

test('.env.example lists exactly what is read, in the same order, and explains each', () => {
  const blocks = EXAMPLE.trim().split('\n\n').slice(1);
  const explained = blocks.map((block) => /^(?:# .+\n)+([A-Z_]+)=.*$/.exec(block)?.[1]);
  expect(explained).toEqual(CONFIG_KEYS);
});

test('.env.example shows the defaults', () => {
  expect(loadConfig(parseEnv(EXAMPLE))).toEqual(loadConfig({}));
});

test('each wrong setting is said once, with what is expected of it', () => {
  const wrong = { SERVICE_PORT: 'x', GUILD_CALLS_PER_SECOND: '0.5', LOG_LEVEL: 'loud', COMFYUI_URL: 'x,y' };
  expect(() => loadConfig(wrong)).toThrow(
    [
      '4 settings are wrong, so nothing was done:',
      '  GUILD_CALLS_PER_SECOND: expected a whole number from 1 to 1000',
      '  SERVICE_PORT: expected a whole number from 0 to 65535',
      '  COMFYUI_URL: expected an address such as https://images.example.com',
      '  LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent',
    ].join('\n'),
  );
});

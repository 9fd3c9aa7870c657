import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ControlledDrawing,
  controlledEngine,
} from '../../packages/image-service/test/support/engines.ts';
import { createFakeComfy } from '../../packages/image-service/test/support/fake-comfyui.ts';
import { createFakeHorde, HORDE_KEY } from '../../packages/image-service/test/support/fake-horde.ts';
import { createFakeOpenai, OPENAI_KEY } from '../../packages/image-service/test/support/fake-openai.ts';
import { createFakeProvider } from '../../packages/image-service/test/support/fake-providers.ts';
import { createFakeSdcpp } from '../../packages/image-service/test/support/fake-sdcpp.ts';
import { createFakeWebui } from '../../packages/image-service/test/support/fake-webui.ts';
import { serviceWorld } from '../../packages/image-service/test/support/service.ts';
import { type Words, wordsIn } from '../../src/operator/words/words.ts';
import { openSetupWorld, picks } from '../support/setup-world.ts';
import { KEY, type TerminalProgram } from '../support/terminal.ts';

/** What draws, and what somebody types who has it. */
interface StandIn {
  /** The answers to what is asked for it. */
  types(terminal: TerminalProgram, words: Words): Promise<void>;
  env?: Readonly<Record<string, string>>;
  /** Goes on with the picture once its progress is seen; absent where it waits for nobody, and may be there first. */
  finish?(): Promise<unknown>;
  /** What stands in `.env` then. */
  written: Readonly<Record<string, string>>;
  /** What nobody may read in the terminal. */
  secrets?: readonly string[];
}

const STAND_INS: Readonly<Record<string, () => Promise<StandIn>>> = {
  async 'a ComfyUI'() {
    const comfy = await createFakeComfy();
    comfy.prompts.hold('KSampler');
    return {
      async types(terminal, words) {
        await picks(4, terminal, words);
        await terminal.answers(words.pictures.address, comfy.url);
      },
      finish: async () => comfy.prompts.release(),
      written: { COMFYUI_URL: comfy.url },
    };
  },

  async 'a WebUI with a password'() {
    const webui = await createFakeWebui({ auth: 'me:top@secret' });
    const url = `http://${webui.host}`;
    const login = async (typed: string, terminal: TerminalProgram, words: Words) => {
      await picks(3, terminal, words);
      await terminal.answers(words.pictures.address, `${KEY.deleteLine}${url}`);
      await terminal.answers(words.pictures.login(url), typed);
    };
    return {
      async types(terminal, words) {
        await login('me:another', terminal, words);
        await terminal.sees(words.pictures.needsPassword.sdwebui(url));
        await login('me:top@secret', terminal, words);
        await webui.request();
        webui.tell(0.5);
      },
      finish: async () => (await webui.request()).finish(),
      written: { SDWEBUI_URL: `http://me:top%40secret@${webui.host}` },
      secrets: ['top@secret', 'top%40secret'],
    };
  },

  async 'a stable-diffusion.cpp'() {
    const sdcpp = await createFakeSdcpp();
    return {
      async types(terminal, words) {
        await picks(3, terminal, words);
        await terminal.answers(words.pictures.address, sdcpp.url);
        Object.assign(await sdcpp.job(), { status: 'generating' });
      },
      finish: async () => sdcpp.finish(await sdcpp.job()),
      written: { SDWEBUI_URL: sdcpp.url },
    };
  },

  async 'a server that speaks as OpenAI'() {
    const openai = await createFakeOpenai();
    const finish = openai.hold();
    return {
      async types(terminal, words) {
        await picks(6, terminal, words);
        await terminal.answers(words.pictures.provider, KEY.up);
        await terminal.answers(words.pictures.address, openai.url);
        await terminal.answers(words.pictures.serverKey, OPENAI_KEY);
        await terminal.answers(words.pictures.model, 'sd-turbo');
        await terminal.answers(words.pictures.mayDraw);
      },
      finish: async () => finish(),
      written: {
        HOSTED_MODEL: 'openai-compatible:sd-turbo',
        HOSTED_BASE_URL: openai.baseUrl,
        HOSTED_API_KEY: OPENAI_KEY,
      },
      secrets: [OPENAI_KEY],
    };
  },

  async 'a provider'() {
    const key = 'key-of-somebody';
    const { baseUrl, hold } = await createFakeProvider('black-forest-labs', { key });
    const finish = hold();
    return {
      types: (terminal, words) => terminal.answers(words.pictures.mayDraw),
      env: {
        HOSTED_MODEL: 'black-forest-labs:flux-pro-1.1',
        HOSTED_API_KEY: key,
        HOSTED_BASE_URL: baseUrl,
      },
      finish: async () => finish(),
      written: { HOSTED_MODEL: 'black-forest-labs:flux-pro-1.1', HOSTED_API_KEY: key },
      secrets: [key],
    };
  },

  async 'volunteers of the AI Horde'() {
    const horde = await createFakeHorde();
    return {
      async types(terminal, words) {
        await picks(5, terminal, words);
        await terminal.answers(words.pictures.hordeKey, HORDE_KEY);
      },
      env: { AI_HORDE_URL: horde.url },
      finish: async () => horde.finish(await horde.request()),
      written: { AI_HORDE_KEY: HORDE_KEY },
      secrets: [HORDE_KEY],
    };
  },

  async 'a service of the interface'() {
    const engine = controlledEngine();
    let drawing: ControlledDrawing | undefined;
    const service = await serviceWorld({ engine });
    return {
      async types(terminal, words) {
        await picks(2, terminal, words);
        await terminal.answers(words.pictures.address, service.url);
        await terminal.answers(words.pictures.serviceKey, service.key);
        await terminal.answers(words.pictures.mayDraw);
        drawing = await engine.next();
        drawing.progress(50);
      },
      finish: async () => drawing?.finish(),
      written: { IMAGE_API_URL: service.url, IMAGE_API_KEY: service.key },
      secrets: [service.key],
    };
  },

  sketches: async () => ({
    types: (terminal, words) => picks(1, terminal, words),
    written: {},
  }),
};

describe.each([
  { columns: 80, language: 'en_US.UTF-8' },
  { columns: 40, language: 'de_DE.UTF-8' },
])('in $columns columns of $language', ({ columns, language }) => {
  test.each(Object.keys(STAND_INS))('%s: a test picture is drawn, with its progress', async (name) => {
    const standIn = await STAND_INS[name]?.();
    if (standIn === undefined) throw new Error(`there is no stand-in for ${name}`);
    const world = await openSetupWorld();
    onTestFinished(world.close);
    const words = wordsIn(language);
    const terminal = world.run({ columns, language, env: standIn.env ?? {} });
    await standIn.types(terminal, words);
    await terminal.sees(words.pictures.drawing);
    if (standIn.finish) await terminal.sees(' %');
    await standIn.finish?.();
    await terminal.sees('data/test-picture.png');
    await terminal.sees(words.discord.token);
    const picture = join(dirname(world.path), 'data', 'test-picture.png');
    expect((await sharp(await readFile(picture)).metadata()).width).toBe(512);
    expect(await world.read()).toMatchObject(standIn.written);
    for (const secret of standIn.secrets ?? []) expect(terminal.output()).not.toContain(secret);
  });
});

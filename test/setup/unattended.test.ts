import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AS_ON_WINDOWS, NOWHERE } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { wantedPackages } from '../../packages/image-service/src/config.ts';
import { createFakeComfy } from '../../packages/image-service/test/support/fake-comfyui.ts';
import { BOT } from '../../packages/local-discord/test/support/local-discord.ts';
import { openUnattendedWorld } from '../support/setup-world.ts';
import { DARKROOM } from '../support/start-darkroom.ts';

async function unattendedWorld() {
  const world = await openUnattendedWorld();
  onTestFinished(world.close);
  return world;
}

test('without a terminal, what is missing is a list, and nothing is done', async () => {
  const { run, settings } = await unattendedWorld();
  const { code, output } = await run([]);
  expect(code).toBe(2);
  expect(output).toContain('--comfyui-url');
  expect(output).toContain('DISCORD_TOKEN in the environment');
  expect(await settings()).toEqual({});
});

test('to choose anew without a terminal is a missing answer, unless it is given', async () => {
  const { folder, run, settings, token } = await unattendedWorld();
  const comfy = await createFakeComfy();
  await writeFile(join(folder, '.env'), `DISCORD_TOKEN=${token}\nAI_HORDE_KEY=0000000000\n`);
  const { code, output } = await run(['--choose'], { LANG: 'de_DE.UTF-8' });
  expect(code).toBe(2);
  expect(output).toContain('woher die Bilder kommen');
  expect(await run(['--choose', '--comfyui-url', comfy.url, '--no-picture'])).toMatchObject({ code: 0 });
  expect(await settings()).toMatchObject({ COMFYUI_URL: comfy.url, AI_HORDE_KEY: '' });
});

test('what can be typed behind it, and what is mistyped there, is said in the terminal’s language', async () => {
  const { run } = await unattendedWorld();
  const english = { LANG: 'en_US.UTF-8' };
  const german = { LANG: 'de_DE.UTF-8' };
  expect((await run(['--help'], english)).output).toMatch(/--no-picture +draws no test picture/);
  expect((await run(['--help'], german)).output).toMatch(/--no-picture +zeichnet kein Probebild/);
  expect((await run(['--pictur'], english)).output).toContain('(Did you mean --picture?)');
  const mistyped: [string[], string][] = [
    [['--pictur'], 'Diese Option gibt es nicht: '],
    [['--payer', 'nobody'], "steht 'nobody'. Möglich: bot, members."],
    [['--comfyui-url'], 'fehlt der Wert'],
    [['--language', 'fr'], "steht 'fr'. Möglich: en, de."],
    [['--sketch', '--horde'], "'--sketch' und '--horde' gehen nicht zusammen."],
    [['--image-api-url', NOWHERE, '--hosted-model', 'openai:gpt-image-2.6-flare'], 'gehen nicht zusammen.'],
    [['--comfyui-url', NOWHERE, '--sdwebui-url', NOWHERE], 'gehen nicht zusammen.'],
    [['--hosted-base-url', NOWHERE, '--sketch'], 'gehen nicht zusammen.'],
    [['everything'], 'Hinter setup stehen nur Optionen.'],
  ];
  for (const [args, said] of mistyped) {
    const { code, output } = await run(args, german);
    expect(code).toBe(1);
    expect(output).toContain(said);
    expect(output).not.toContain('error:');
  }
});

test('on Windows, which has no LANG, it speaks as its user does, and to scripts as everywhere', async () => {
  const { run } = await unattendedWorld();
  const german = { LANG: 'de_DE.UTF-8', NODE_OPTIONS: AS_ON_WINDOWS };
  expect((await run(['--help'], german)).output).toMatch(/--no-picture +zeichnet kein Probebild/);
  expect((await run(['--json'], german)).output).toContain('DISCORD_TOKEN in the environment');
  const english = { LANG: 'en_GB.UTF-8', NODE_OPTIONS: AS_ON_WINDOWS };
  expect((await run(['--help'], english)).output).toMatch(/--no-picture +draws no test picture/);
});

test('by flags and environment alone it sets everything up, and tells as JSON what it found', async () => {
  const { run, settings, token } = await unattendedWorld();
  const { code, output } = await run(['--sketch', '--no-picture', '--json'], { DISCORD_TOKEN: token });
  expect(code).toBe(0);
  const found = JSON.parse(output);
  expect(found).toMatchObject({
    discord: { applicationId: BOT, guild: 'First', invite: expect.stringContaining(`client_id=${BOT}`) },
    changed: ['SECRET_KEY', 'DISCORD_TOKEN', 'IMAGE_API_KEY'],
    start: 'darkroom start',
  });
  const written = await settings();
  for (const name of found.changed) expect(output).not.toContain(written[name]);
  const again = await run(['--check', '--json']);
  expect(again.code).toBe(0);
  expect(await settings()).toEqual(written);
});

test('as JSON it names the settings of which the environment has another value', async () => {
  const { folder, run, token } = await unattendedWorld();
  await writeFile(join(folder, '.env'), 'LOG_LEVEL=debug\n');
  const env = { DISCORD_TOKEN: token, LOG_LEVEL: 'info', COMFYUI_URL: NOWHERE };
  const { output } = await run(['--sketch', '--no-picture', '--json'], env);
  expect(JSON.parse(output).overridden.sort()).toEqual(['COMFYUI_URL', 'LOG_LEVEL']);
  const checked = await run(['--check', '--json'], { LOG_LEVEL: 'info' });
  expect(JSON.parse(checked.output).overridden).toEqual(['LOG_LEVEL']);
  for (const LOG_LEVEL of ['info', ''])
    expect((await run(['--check'], { LOG_LEVEL })).output).toContain('unset LOG_LEVEL');
});

test('what the environment sets comes before what was just written, empty or as it stood in the file before', async () => {
  const { folder, run, token } = await unattendedWorld();
  const comfy = await createFakeComfy();
  await writeFile(join(folder, '.env'), `DISCORD_TOKEN=${token}\nCOMFYUI_URL=${NOWHERE}\n`);
  const args = ['--comfyui-url', comfy.url, '--payer', 'bot', '--no-picture', '--json'];
  const env = { COMFYUI_URL: NOWHERE, IMAGE_API_KEY: '', LOG_LEVEL: '' };
  const { output } = await run(args, env);
  expect(JSON.parse(output).overridden.sort()).toEqual(['COMFYUI_URL', 'IMAGE_API_KEY']);
});

test('a value that no file of settings can hold is a sentence without a terminal', async () => {
  const { run, settings, token } = await unattendedWorld();
  const { code, output } = await run(['--hosted-model', `openai:a'b"c\`#d`, '--no-picture'], {
    DISCORD_TOKEN: token,
    HOSTED_API_KEY: 'sk-of-nobody',
  });
  expect(code).toBe(1);
  expect(output).toContain('The value of HOSTED_MODEL cannot be written into a file of settings');
  expect(await settings()).toEqual({});
});

test('sketches that were chosen are no flag that is missing in the next run', async () => {
  const { run, settings, token } = await unattendedWorld();
  await run(['--sketch', '--no-picture'], { DISCORD_TOKEN: token });
  const written = await settings();
  expect(await run(['--no-picture'])).toMatchObject({ code: 0 });
  expect(await settings()).toEqual(written);
});

test('a token that somebody wrote into the file has not chosen sketches', async () => {
  const { folder, run, token } = await unattendedWorld();
  await writeFile(join(folder, '.env'), `DISCORD_TOKEN=${token}\n`);
  const { code, output } = await run([]);
  expect(code).toBe(2);
  expect(output).toContain('--sketch');
});

test('a line that is no setting is a sentence without a terminal, and the file is as it was', async () => {
  const { folder, run } = await unattendedWorld();
  const path = join(folder, '.env');
  await writeFile(path, 'DISCORD_TOKEN a.b.c\n');
  const { code, output } = await run(['--sketch']);
  expect(code).toBe(1);
  expect(output).toContain('Line 1 of');
  expect(output).not.toContain('a.b.c');
  expect(await readFile(path, 'utf8')).toBe('DISCORD_TOKEN a.b.c\n');
});

test('a source that a flag names takes the place of the one before, and of its key', async () => {
  const { folder, run, settings, token } = await unattendedWorld();
  const key = `sk-${'0'.repeat(48)}`;
  await writeFile(join(folder, '.env'), `IMAGE_API_URL=${NOWHERE}\nIMAGE_API_KEY=${key}\n`);
  const { code } = await run(['--sketch', '--no-picture'], { DISCORD_TOKEN: token });
  expect(code).toBe(0);
  const { IMAGE_API_URL, IMAGE_API_KEY } = await settings();
  expect(IMAGE_API_URL).toBe('');
  expect(IMAGE_API_KEY).toMatch(/^sk-/);
  expect(IMAGE_API_KEY).not.toBe(key);
});

test('a flag whose value is empty gives no answer, and what was set stays', async () => {
  const { folder, run, settings, token } = await unattendedWorld();
  await writeFile(join(folder, '.env'), `DISCORD_TOKEN=${token}\nAI_HORDE_KEY=0000000000\n`);
  await run(['--comfyui-url', '', '--sdwebui-url', '', '--discord-guild-id', ' ', '--no-picture'], {
    AI_HORDE_URL: NOWHERE,
  });
  expect(await settings()).toMatchObject({ AI_HORDE_KEY: '0000000000' });
  expect(await settings()).not.toHaveProperty('COMFYUI_URL');
  expect(await settings()).not.toHaveProperty('DISCORD_GUILD_ID');
});

test('every answer can be a flag: who draws, who pays, how it runs', async () => {
  const { run, settings, token } = await unattendedWorld();
  const { code, output } = await run(['--horde', '--no-picture', '--payer', 'members', '--run', 'npm'], {
    DISCORD_TOKEN: token,
    AI_HORDE_URL: NOWHERE,
  });
  expect(await settings()).toEqual({
    AI_HORDE_KEY: '0000000000',
    SECRET_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
    DISCORD_TOKEN: token,
  });
  // What is told at the end is what the doctor finds.
  expect(output).toContain('✖ engines: The AI Horde does not answer');
  expect(code).toBe(1);
});

test('a password in a flag is refused, and a provider without its key is asked for it', async () => {
  const { run, settings, token } = await unattendedWorld();
  const withPassword = await run(['--sdwebui-url', 'http://me:pass-word@127.0.0.1:9']);
  expect(withPassword.code).toBe(1);
  expect(withPassword.output).toContain('SDWEBUI_URL in the environment');
  const withoutKey = await run(['--hosted-model', 'openai:gpt-image-2.6-flare'], { DISCORD_TOKEN: token });
  expect(withoutKey.code).toBe(2);
  expect(withoutKey.output).toContain('HOSTED_API_KEY in the environment');
  expect(await settings()).toEqual({});
});

test('beside PostgreSQL and a bucket the test picture is drawn, and kept in neither', async () => {
  const { run, settings, token } = await unattendedWorld();
  const { output } = await run(['--sketch', '--picture', '--payer', 'members'], {
    DISCORD_TOKEN: token,
    STORE_URL: 'postgres://127.0.0.1:1/nowhere',
    PICTURES_URL: 's3://bucket',
    PICTURES_ENDPOINT: NOWHERE,
  });
  expect(output).toContain('The test picture is ');
  expect(await settings()).toMatchObject({ SECRET_KEY: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('where the bucket of its service is away, it says so instead of waiting for it', async () => {
  const { run, token } = await unattendedWorld();
  const { code, output } = await run(['--sketch', '--no-picture', '--payer', 'bot'], {
    DISCORD_TOKEN: token,
    PICTURES_URL: 's3://pictures',
    PICTURES_ENDPOINT: NOWHERE,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  });
  expect(output).toContain(`The service cannot use the bucket pictures at ${NOWHERE} for its pictures`);
  expect(code).toBe(1);
});

test('where the service of the test picture does not start, nothing of it stays', async () => {
  const { folder, run, token } = await unattendedWorld();
  const { code, output } = await run(['--hosted-model', 'openai:gpt-image-2.6-flare', '--picture'], {
    DISCORD_TOKEN: token,
    HOSTED_API_KEY: 'sk-of-nobody',
    SERVICE_BUDGET: '{"day":1}',
    TMPDIR: folder,
  });
  expect(output).toContain('SERVICE_BUDGET: bounds what pictures cost');
  expect(code).toBe(1);
  expect((await readdir(folder)).filter((name) => name.startsWith('darkroom-'))).toEqual([]);
});

test('a token that Discord does not know is told, not shown and not written down', async () => {
  const { run, settings } = await unattendedWorld();
  const token = `${Buffer.from(BOT).toString('base64')}.wrong.token`;
  const { code, output } = await run(['--sketch', '--no-picture'], { DISCORD_TOKEN: token });
  expect(code).toBe(1);
  expect(output).toContain('Discord does not accept this token');
  expect(output).not.toContain(token);
  expect(await settings()).not.toHaveProperty('DISCORD_TOKEN');
});

test('where an engine does not answer, that is said, and nothing is written down', async () => {
  const { run, settings, token } = await unattendedWorld();
  const { code, output } = await run(['--comfyui-url', NOWHERE], { DISCORD_TOKEN: token });
  expect(code).toBe(1);
  expect(output).toContain(`Nothing that draws answers at ${NOWHERE}`);
  expect(await settings()).toEqual({});
});

test('for containers it writes what compose.yaml wants, and makes no database of its own', async () => {
  const { folder, run, settings, token } = await unattendedWorld();
  const { code, output } = await run(['--sketch', '--no-picture', '--run', 'docker'], {
    DISCORD_TOKEN: token,
  });
  expect(code).toBe(0);
  expect(output).toContain('docker compose up -d --build');
  expect(await settings()).toMatchObject({
    SECRET_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
    POSTGRES_PASSWORD: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  await expect(access(join(folder, 'data'))).rejects.toThrow('ENOENT');
});

test('what a hosted model or a bucket wants is installed in the containers, too', async () => {
  const { run, settings, token } = await unattendedWorld();
  const { code } = await run(['--sketch', '--no-picture', '--run', 'docker'], {
    DISCORD_TOKEN: token,
    PICTURES_URL: 's3://pictures',
  });
  expect(code).toBe(0);
  expect(await settings()).toMatchObject({ PACKAGES: '@aws-sdk/client-s3@3' });
  expect(wantedPackages({ HOSTED_MODEL: 'fal:fal-ai/flux/dev', PICTURES_URL: 's3://pictures' })).toEqual([
    'ai@6',
    '@ai-sdk/fal@2',
    '@aws-sdk/client-s3@3',
  ]);
});

test('an engine of this machine is told to listen for containers', async () => {
  const comfy = await createFakeComfy();
  const { run, settings, token } = await unattendedWorld();
  const { code, output } = await run(['--comfyui-url', comfy.url, '--no-picture', '--run', 'docker'], {
    DISCORD_TOKEN: token,
  });
  expect(code).toBe(0);
  expect(await settings()).toMatchObject({ COMFYUI_URL: expect.stringContaining('host.docker.internal') });
  expect(output).toContain('ComfyUI with --listen 0.0.0.0');
});

test('containers are not given the key of an account on this machine, but the secret of its databases', async () => {
  const { folder, run, settings, token } = await unattendedWorld();
  const secret = 'ab'.repeat(32);
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  await writeFile(join(folder, 'data/secret.key'), secret, { mode: 0o600 });
  await run(['--sketch', '--no-picture'], { DISCORD_TOKEN: token });
  const { IMAGE_API_KEY: keyHere = '', ...here } = await settings();
  expect(keyHere).toMatch(/^sk-/);
  expect(here).not.toHaveProperty('SECRET_KEY');
  const { code, output } = await run(['--sketch', '--no-picture', '--run', 'docker']);
  expect(code).toBe(0);
  expect(output).toContain('an account on this machine');
  expect(await settings()).toMatchObject({ IMAGE_API_KEY: '', SECRET_KEY: secret });

  const keyThere = `sk-${'0'.repeat(48)}`;
  const path = join(folder, '.env');
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(/^IMAGE_API_KEY=.*$/m, `IMAGE_API_KEY=${keyThere}`),
  );
  await run(['--no-picture', '--run', 'docker']);
  expect(await settings()).toMatchObject({ IMAGE_API_KEY: keyThere });
});

test('what draws on this machine is found again by the name that containers call it by', async () => {
  const { folder, run, settings, token } = await unattendedWorld();
  const comfy = await createFakeComfy();
  await run(['--comfyui-url', comfy.url, '--no-picture', '--run', 'docker'], { DISCORD_TOKEN: token });
  const COMFYUI_URL = comfy.url.replace('127.0.0.1', 'host.docker.internal');
  expect(await settings()).toMatchObject({ COMFYUI_URL });
  const { code } = await run(['--picture', '--run', 'docker']);
  expect(code).toBe(0);
  await access(join(folder, 'data/test-picture.png'));
  expect(await settings()).toMatchObject({ COMFYUI_URL });
});

test('for systemd it writes a unit for this folder, and says how to put it into place', async () => {
  const { folder, run, token } = await unattendedWorld();
  const { output } = await run(['--sketch', '--no-picture', '--run', 'systemd'], { DISCORD_TOKEN: token });
  expect(output).toContain('sudo install -m 0644');
  const unit = await readFile(join(folder, 'darkroom.service'), 'utf8');
  expect(unit).toContain(`Environment=DARKROOM_HOME=${folder} NODE_ENV=production`);
  // Whoever runs this may have cloned it into a folder whose name has spaces.
  const program = /\s/.test(DARKROOM) ? `"${DARKROOM}"` : DARKROOM;
  expect(unit).toContain(`ExecStart=${process.execPath} ${program} start`);
  expect(unit).not.toMatch(/\/opt\/darkroom|\/var\/lib|npm/);

  const { output: byNpm } = await run(['--run', 'systemd', '--no-picture'], { npm_lifecycle_event: 'setup' });
  expect(byNpm).toContain('sudo install -m 0644');
  expect(await readFile(join(folder, 'darkroom.service'), 'utf8')).toMatch(
    /^Environment=.* npm_lifecycle_event=setup$/m,
  );
});

test('a unit and its command hold for a folder whose name has spaces, quotes and percent signs', async () => {
  const { folder, run, token } = await unattendedWorld();
  const home = join(folder, `it's 100% "mine"`);
  await mkdir(home);
  const { output } = await run(['--sketch', '--no-picture', '--run', 'systemd'], {
    DISCORD_TOKEN: token,
    DARKROOM_HOME: home,
  });
  const unit = await readFile(join(home, 'darkroom.service'), 'utf8');
  const written = `${folder}/it's 100%% \\"mine\\"`;
  expect(unit).toContain(`Environment="DARKROOM_HOME=${written}" NODE_ENV=production`);
  expect(unit).toContain(`ReadWritePaths="${written}"`);
  const [, command = ''] = /sudo (install .*\.service)$/m.exec(output) ?? [];
  expect(command).not.toBe('');
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('install', 'printf "<%s>"')]);
  expect(stdout).toBe(
    ['-m', '0644', join(home, 'darkroom.service'), '/etc/systemd/system/darkroom.service']
      .map((word) => `<${word}>`)
      .join(''),
  );
});

test('a flag that there is not is named, and a secret is none', async () => {
  const { run } = await unattendedWorld();
  const { code, output } = await run(['--discord-token', 'x']);
  expect(code).toBe(1);
  expect(output).toContain("unknown option '--discord-token'");
});

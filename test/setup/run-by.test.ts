import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { temporaryFolder } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { unitOf } from '../../src/operator/systemd-unit.ts';
import { de } from '../../src/operator/words/de.ts';
import { en } from '../../src/operator/words/en.ts';
import { openEnvFile } from '../../src/setup/env-file.ts';
import { settleRun } from '../../src/setup/run-by.ts';
import { createSettings } from '../../src/setup/settings.ts';
import { askNobody } from '../../src/setup/unattended.ts';

/** What set-up says that runs a bot under systemd, which has the units of the folder `units`; and the unit that it wrote. */
async function settled({ home, units }: { home: string; units: string }, words = en) {
  const lines: string[] = [];
  const ask = askNobody((line) => lines.push(line), words);
  const file = await openEnvFile(join(home, '.env'), words);
  const settings = createSettings({ file, flags: {}, exported: {}, ask, words });
  const command = await settleRun({ settings, ask, words }, 'systemd', { home, units });
  const [, name = ''] = /restart (\S+)$/.exec(command) ?? [];
  return { name, said: lines.join('\n'), unit: await readFile(join(home, `${name}.service`), 'utf8') };
}

/** As its administrator does what was said. */
const install = ({ name, unit }: { name: string; unit: string }, units: string) =>
  writeFile(join(units, `${name}.service`), unit);

test('of several bots on a machine each gets a unit of its own, and keeps its name', async () => {
  const units = await temporaryFolder();
  const [first, second] = [await temporaryFolder(), await temporaryFolder()];
  const ofFirst = await settled({ home: first, units });
  expect(ofFirst.name).toBe('darkroom');
  expect(ofFirst.said).toContain(`${join(first, 'darkroom.service')} ${join(units, 'darkroom.service')}`);
  await install(ofFirst, units);

  const ofSecond = await settled({ home: second, units });
  const name = `darkroom-${basename(second)}`;
  expect(ofSecond.name).toBe(name);
  expect(ofSecond.unit).toContain(`DARKROOM_HOME=${second} `);
  expect(ofSecond.said).toContain(en.run.otherUnit(join(units, 'darkroom.service'), name));
  expect(ofSecond.said).toContain(`${join(second, `${name}.service`)} ${join(units, `${name}.service`)}`);
  expect((await settled({ home: second, units }, de)).said).toContain(
    de.run.otherUnit(join(units, 'darkroom.service'), name),
  );
  await install(ofSecond, units);

  expect((await settled({ home: first, units })).name).toBe('darkroom');
  const again = await settled({ home: second, units });
  expect(again.name).toBe(name);
  expect(again.said).not.toContain(en.run.otherUnit(join(units, 'darkroom.service'), name));
  expect((await readdir(units)).sort()).toEqual([`${name}.service`, 'darkroom.service'].sort());
});

test('where the name after its folder is taken as well, a number tells them apart', async () => {
  const units = await temporaryFolder();
  const [home, other] = [await temporaryFolder(), await temporaryFolder()];
  for (const taken of ['darkroom', `darkroom-${basename(home)}`])
    await writeFile(
      join(units, `${taken}.service`),
      await unitOf({ home: other, user: 'ann', script: undefined }),
    );
  expect((await settled({ home, units })).name).toBe(`darkroom-${basename(home)}-2`);
});

test.each([
  ['behind another word', 'Environment=NODE_ENV=production DARKROOM_HOME=@'],
  ['on a line of its own', 'Environment=NODE_ENV=production\nEnvironment=DARKROOM_HOME=@'],
  ['in quotes', `Environment='NODE_ENV=production' "DARKROOM_HOME=@" "A=it's"`],
  ['with its value in quotes', 'Environment=DARKROOM_HOME="@" NODE_ENV=production'],
  ['on a line that goes on', 'Environment=NODE_ENV=production \\\n  DARKROOM_HOME=@'],
  ['with a slash behind it', 'Environment=DARKROOM_HOME=@/ NODE_ENV=production'],
])(
  'a unit whose administrator has written its folder %s is still that of its bot',
  async (_, environment) => {
    const [units, home] = [await temporaryFolder(), await temporaryFolder()];
    const { name, unit } = await settled({ home, units });
    const edited = unit.replace(/^Environment=.*$/m, environment.replace('@', home));
    await install({ name, unit: edited }, units);
    expect((await settled({ home, units })).name).toBe('darkroom');
  },
);

test('a bot whose folder has moved keeps its unit', async () => {
  const [units, before, other] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  await install(await settled({ home: other, units }), units);
  const { name, unit } = await settled({ home: before, units });
  await install({ name, unit }, units);
  const home = `${before}-moved`;
  await rename(before, home);
  onTestFinished(() => rename(home, before));
  const moved = await settled({ home, units });
  expect(moved.name).toBe(name);
  expect(moved.unit).toContain(`DARKROOM_HOME=${home} `);
});

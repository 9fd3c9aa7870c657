import { mkdir, open, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createImageClient } from '@darkroom/image-api';
import { OperatorError } from '@darkroom/process';
import { openSqlite } from '@darkroom/storage';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../src/operator/command-line.ts';
import { pngOf } from '../support/brought-pictures.ts';
import { operator } from '../support/operator.ts';
import { createServiceWorld, serviceWorld } from '../support/service.ts';
import type { TestStorage } from '../support/storage.ts';

test('a backup that is made while the service runs is restored with its accounts and pictures', async () => {
  const { storage, run } = await operator();
  const { folder } = storage;
  const [file, pictures] = [join(folder, 'backup', 'service.backup'), join(folder, 'backup', 'pictures')];
  const world = await createServiceWorld({ storage });
  const id = await world.submitted({ prompt: 'a fox' });
  await world.until(id);
  const client = createImageClient({ baseUrl: world.url });
  onTestFinished(() => client.close());
  await client.upload(await pngOf(64, 64), { apiKey: world.key });
  const kept = async () =>
    (await readdir(join(folder, 'pictures'))).filter((name) => name.endsWith('.png')).toSorted();
  const before = await kept();
  expect(before).toContainEqual(expect.stringMatching(/^upload-/));
  const backedUp = JSON.parse(await run('backup', file, '--pictures', pictures, '--json'));
  expect(backedUp).toMatchObject([{ to: file, pictures }]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await run('account', 'add', 'too-late');
  await world.close();

  await expect(run('restore', file)).rejects.toThrow(/is there already/);
  for (const name of await readdir(folder)) {
    if (name.startsWith('service.sqlite') || name === 'pictures')
      await rm(join(folder, name), { recursive: true });
  }
  expect(await run('restore', file, '--pictures', pictures)).toContain(
    'keys that were revoked since work again',
  );
  expect(await kept()).toEqual(before);
  const accounts = await run('account', 'list');
  expect(accounts).toContain(world.username);
  expect(accounts).not.toContain('too-late');
  const again = await serviceWorld({ storage });
  const task = await again.until(id, undefined, world.key);
  const { pathname } = new URL(task.status === 'completed' ? task.result.image_url : '');
  expect((await fetch(`${again.url}${pathname}`)).status).toBe(200);
});

test('where everything is, is told by whole paths: who reads it may be in another folder', async () => {
  const { storage, run, env } = await operator();
  await run('account', 'add', 'mira', '--create');
  const { folder } = storage;
  const here = (name: string) => relative(process.cwd(), join(folder, name));
  const near = { ...env, SERVICE_DATABASE_URL: `sqlite://${here('service.sqlite')}` };
  const printed = async (...args: string[]) =>
    JSON.parse((await runCommand([...args, '--json'], near)).printed);
  const written = await printed('backup', here('a.backup'), '--pictures', here('copies'));
  expect(written).toEqual([
    {
      'backed up': join(folder, 'service.sqlite'),
      to: join(folder, 'a.backup'),
      pictures: join(folder, 'copies'),
      keep: 'SECRET_KEY',
    },
  ]);
  // Left from before SECRET_KEY was set: it opens nothing any more.
  await writeFile(join(folder, 'secret.key'), 'cd'.repeat(32));
  expect(await printed('backup', here('b.backup'))).toMatchObject([{ keep: 'SECRET_KEY' }]);
  const byFile = await runCommand(['backup', here('c.backup'), '--json'], { ...near, SECRET_KEY: '' });
  expect(JSON.parse(byFile.printed)).toMatchObject([{ keep: join(folder, 'secret.key') }]);
  expect(await printed('account', 'add', 'otto')).toMatchObject([
    { 'valid in': join(folder, 'service.sqlite') },
  ]);
});

test('a damaged database is not backed up, and its operator hears of it without a stack', async () => {
  const { storage, run } = await operator();
  await writeFile(
    join(storage.folder, 'service.sqlite'),
    'this is no database, and was never one. '.repeat(50),
  );
  const backup = join(storage.folder, 'backup');
  const refused = run('backup', backup);
  await expect(refused).rejects.toThrow(OperatorError);
  await expect(refused).rejects.toThrow(
    /service\.sqlite cannot be backed up to .+: file is not a database\./,
  );
  expect(await readdir(storage.folder)).toEqual(['service.sqlite']);
});

test('a database that is found to be damaged is a sentence that says what mends it', async () => {
  const { storage, run } = await operator();
  await run('account', 'add', 'mira', '--create', '--credits', '5');
  const path = join(storage.folder, 'service.sqlite');
  const sqlite = openSqlite(path, { timeoutMs: 0 });
  sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const [page] = z
    .array(z.object({ rootpage: z.number(), size: z.number() }))
    .parse(
      sqlite
        .prepare(
          "SELECT rootpage, page_size AS size FROM sqlite_master, pragma_page_size WHERE name = 'entries'",
        )
        .all(),
    );
  sqlite.close();
  const { rootpage = 0, size = 0 } = page ?? {};
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(size, 'x'), 0, size, (rootpage - 1) * size);
  await file.close();
  const checking = run('ledger', 'check');
  await expect(checking).rejects.toThrow(OperatorError);
  await expect(checking).rejects.toThrow(
    `The service cannot use its database ${path}: database disk image is malformed. Where SERVICE_DATABASE_URL is right, the file is damaged: move it out of the way`,
  );
});

test('the database of a service that was killed is restored with what only its log holds', async () => {
  const { storage, run, env } = await operator();
  await run('account', 'add', 'mira', '--create');
  const from = join(storage.folder, 'service.sqlite');
  const killed = openSqlite(from, { timeoutMs: 0 });
  onTestFinished(killed.close);
  killed.exec('BEGIN');
  killed.prepare('SELECT count(*) FROM accounts').all();
  await run('account', 'add', 'otto');
  const restored = { ...env, SERVICE_DATABASE_URL: `sqlite://${join(storage.folder, 'again.sqlite')}` };
  await runCommand(['restore', from], restored);
  expect((await runCommand(['account', 'list'], restored)).printed).toContain('otto');
  expect((await readdir(storage.folder)).filter((name) => name.startsWith('again.'))).toEqual([
    'again.sqlite',
  ]);
});

test('what is there is not written over, and what is no backup is not restored', async () => {
  const { storage, run } = await operator();
  const file = join(storage.folder, 'backup');
  await expect(run('backup', file)).rejects.toThrow(/There is no database/);
  for (const [content, words] of [
    ['not a database at all, but long enough to be looked at as one'.repeat(9), /not a database/],
    ['', /no backup of this database/],
  ] as const) {
    await writeFile(file, content);
    await expect(run('restore', file)).rejects.toThrow(words);
    expect(await readdir(storage.folder)).toEqual(['backup']);
  }
  await rm(file);
  await expect(run('restore', file)).rejects.toThrow(/There is no file/);
  await run('account', 'add', 'mira', '--create');
  await run('backup', file);
  await expect(run('backup', file)).rejects.toThrow(/is there already/);
  const below = join(file, 'pictures');
  await expect(run('backup', join(storage.folder, 'other'), '--pictures', below)).rejects.toThrow(
    /could not be copied to .*ENOTDIR.*Give both to the user/,
  );
  expect(await readdir(storage.folder)).not.toContain('other');
});

test('a file that is there, and cannot be read, is not called missing, and its operator hears why without a stack', async () => {
  const { storage, run } = await operator();
  const circle = join(storage.folder, 'service.sqlite');
  await symlink(circle, circle);
  await expect(run('account', 'list')).rejects.toThrow(/cannot use its database .*service\.sqlite/);
  await expect(run('backup', join(storage.folder, 'backup'))).rejects.toThrow(
    /cannot be backed up to .*Look at both files, at whose they are and at their disks\.$/,
  );
  await rm(circle);
  const backup = join(storage.folder, 'backup');
  await symlink(backup, backup);
  for (const unreadable of [backup, storage.folder]) {
    const refused = run('restore', unreadable);
    await expect(refused).rejects.toThrow(OperatorError);
    await expect(refused).rejects.toThrow(
      /cannot be restored to .*: E(LOOP|ISDIR).*Look at both files, at whose they are and at their disks\.$/,
    );
  }
  expect(await readdir(storage.folder)).toEqual(['backup']);
});

test('a backup that cannot be restored leaves no pictures either', async () => {
  const { storage, run } = await operator();
  const [file, pictures] = [join(storage.folder, 'backup'), join(storage.folder, 'backed-up')];
  await mkdir(pictures);
  await writeFile(join(pictures, 'fox.png'), 'a fox');
  await writeFile(file, 'not a database at all, but long enough to be looked at as one'.repeat(9));
  await expect(run('restore', file, '--pictures', pictures)).rejects.toThrow('Nothing was changed');
  await expect(run('restore', `${file}-of-nobody`, '--pictures', pictures)).rejects.toThrow(/no file/);
  expect((await readdir(storage.folder)).toSorted()).toEqual(['backed-up', 'backup']);
});

/** Makes the database of the storage know a file of each of these names. */
function knowFiles({ folder }: TestStorage, ...names: string[]): void {
  const sqlite = openSqlite(join(folder, 'service.sqlite'), { timeoutMs: 0 });
  sqlite.exec('PRAGMA foreign_keys = OFF');
  for (const name of names) {
    sqlite
      .prepare(
        "INSERT INTO files (name, taskId, kind, contentType, createdAt, expiresAt) VALUES (?, 'task', 'picture', 'image/png', 0, 0)",
      )
      .run(name);
  }
  sqlite.close();
}

test('pictures that the copied database does not know are not copied: nothing would ever remove them', async () => {
  const { storage, run } = await operator();
  const [from, to] = [join(storage.folder, 'pictures'), join(storage.folder, 'backed-up')];
  await run('account', 'add', 'mira', '--create');
  knowFiles(storage, 'fox.png');
  await mkdir(from);
  for (const name of ['fox.png', 'drawn-after.png']) await writeFile(join(from, name), 'a picture');
  await run('backup', join(storage.folder, 'backup'), '--pictures', to);
  expect(await readdir(to)).toEqual(['fox.png']);
  await writeFile(join(to, 'of-an-earlier-backup.png'), 'a picture');
  for (const name of ['service.sqlite', 'pictures'])
    await rm(join(storage.folder, name), { recursive: true });
  await run('restore', join(storage.folder, 'backup'), '--pictures', to);
  expect(await readdir(from)).toEqual(['fox.png']);
});

test('pictures whose copy was cut off are copied whole by the next backup and restore', async () => {
  const { storage, run } = await operator();
  const [from, to] = ['pictures', 'backed-up'].map((name) => join(storage.folder, name));
  if (!from || !to) throw new Error('no folders');
  await run('account', 'add', 'mira', '--create');
  knowFiles(storage, 'fox.png');
  await mkdir(from);
  await mkdir(to);
  await writeFile(join(from, 'fox.png'), 'a fox');
  await writeFile(join(to, 'fox.png'), 'a');
  await run('backup', join(storage.folder, 'backup'), '--pictures', to);
  expect(await readFile(join(to, 'fox.png'), 'utf8')).toBe('a fox');
  await writeFile(join(from, 'fox.png'), 'a f');
  await rm(join(storage.folder, 'service.sqlite'));
  await run('restore', join(storage.folder, 'backup'), '--pictures', to);
  expect(await readFile(join(from, 'fox.png'), 'utf8')).toBe('a fox');
});

test('a picture that is removed once it is listed is left out of a backup, and the others are copied', async () => {
  const { storage, run } = await operator();
  const [from, to] = [join(storage.folder, 'pictures'), join(storage.folder, 'backed-up')];
  await run('account', 'add', 'mira', '--create');
  knowFiles(storage, 'fox.png', 'bear.png', 'owl.png');
  for (const folder of [from, to]) await mkdir(folder);
  await writeFile(join(from, 'fox.png'), 'a fox');
  // A link to nothing is listed, and cannot be read.
  for (const name of ['bear.png', 'owl.png'])
    await symlink(join(storage.folder, 'nowhere'), join(from, name));
  await writeFile(join(to, 'owl.png'), 'an owl that an earlier backup met');
  await run('backup', join(storage.folder, 'backup'), '--pictures', to);
  expect((await readdir(to)).toSorted()).toEqual(['fox.png', 'owl.png']);
});

test('where the disk of the pictures is not mounted there is no backup that would look like a whole one', async () => {
  const { storage, run } = await operator();
  const world = await createServiceWorld({ storage });
  await world.until(await world.submitted({ prompt: 'a fox' }));
  await world.close();
  const [pictures, away] = [join(storage.folder, 'pictures'), join(storage.folder, 'away')];
  const [file, copies] = [join(storage.folder, 'backup'), join(storage.folder, 'copies')];
  await rename(pictures, away);
  await mkdir(pictures);
  const missing = (folder: string) =>
    new RegExp(`pictures of this database are not in ${folder}: the file proof-\\S+ is missing there\\.`);
  await expect(run('backup', file, '--pictures', copies)).rejects.toThrow(missing(pictures));
  expect(await readdir(storage.folder)).not.toContain('backup');
  await rm(pictures, { recursive: true });
  await rename(away, pictures);
  await run('backup', file, '--pictures', copies);

  for (const name of ['service.sqlite', 'service.sqlite-wal', 'service.sqlite-shm', 'pictures'])
    await rm(join(storage.folder, name), { recursive: true, force: true });
  await mkdir(away);
  await expect(run('restore', file, '--pictures', away)).rejects.toThrow(missing(away));
  expect(await readdir(storage.folder)).not.toContain('service.sqlite');
  await run('restore', file, '--pictures', copies);
});

test('of PostgreSQL the tool that does it is named', async () => {
  const env = { SERVICE_DATABASE_URL: 'postgres://user:hidden@127.0.0.1/none', SECRET_KEY: '5'.repeat(64) };
  const refused = runCommand(['backup', 'file'], env);
  await expect(refused).rejects.toThrow(/pg_dump/);
  await expect(refused).rejects.not.toThrow(/hidden/);
  await expect(runCommand(['restore', 'file'], env)).rejects.toThrow(/pg_restore .+ into an empty database/);
});

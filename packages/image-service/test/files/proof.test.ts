import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { createFolder } from '../../src/files/folder.ts';
import { provePlace } from '../../src/files/place-proof.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

test('a process with another folder than the others does not start, and says what is missing where', async () => {
  const storage = await testStorage();
  const { folder } = storage;
  await serviceWorld({ storage });
  const start = () => serviceWorld({ storage, place: createFolder(join(folder, 'elsewhere')) });
  await expect(start()).rejects.toThrow(
    `The pictures of this database are not in the folder ${join(folder, 'elsewhere')} (PICTURES_URL): the file proof-`,
  );

  // As the sentence says where the pictures are lost.
  const [proof = ''] = (await readdir(join(folder, 'pictures'))).filter((name) => name.startsWith('proof-'));
  await mkdir(join(folder, 'elsewhere'));
  await writeFile(join(folder, 'elsewhere', proof), '');
  await start();
});

describe('processes that start together on a new database', () => {
  async function prove(folders: readonly string[]) {
    const { folder, databaseUrl } = await testStorage();
    // The tables are made by one of them.
    await (await openDatabase(databaseUrl)).destroy();
    return Promise.allSettled(
      folders.map(async (name) => {
        const db = await openDatabase(databaseUrl);
        onTestFinished(() => db.destroy());
        return provePlace(db, createFolder(join(folder, name)));
      }),
    );
  }

  test('agree on a folder that they share', async () => {
    const proofs = await prove(['same', 'same', 'same']);
    expect(proofs[0]).toEqual({ status: 'fulfilled', value: expect.stringMatching(/^proof-/) });
    expect(new Set(proofs.map((proof) => JSON.stringify(proof))).size).toBe(1);
  });

  test('notice folders that they do not share: only the first goes on', async () => {
    const proofs = await prove(['one', 'another', 'a third']);
    expect(proofs.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});

test('pictures that are moved together with their proof are found where they are now', async () => {
  const storage = await testStorage();
  const before = await serviceWorld({ storage });
  const task = await before.until(await before.submitted({ prompt: 'a fox' }));
  await before.close();
  const moved = join(storage.folder, 'moved');
  await rename(join(storage.folder, 'pictures'), moved);
  const after = await serviceWorld({ storage, place: createFolder(moved) });
  const { pathname } = new URL(task.status === 'completed' ? task.result.image_url : '');
  expect((await after.call(pathname)).status).toBe(200);
});

import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { boundPlace } from '../../src/files/bounded-place.ts';
import { createFiles } from '../../src/files/files.ts';
import { createFolder } from '../../src/files/folder.ts';
import { createPictureFetch } from '../../src/inputs/picture-fetch.ts';
import { createSources } from '../../src/inputs/sources.ts';
import { createUploads } from '../../src/inputs/uploads.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { pngOf } from '../support/brought-pictures.ts';
import { lendTestStorage, testStorage } from '../support/storage.ts';

/** What submissions begin with, fetched from a server each of whose pictures takes so many milliseconds. */
async function slowGallery(ms: number) {
  const clock = createFakeClock();
  const picture = await pngOf(64, 64);
  let asked = 0;
  const server = createServer(async (_, response) => {
    asked += 1;
    await clock.advance(ms);
    response.end(picture);
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const { databaseUrl, folder } = await testStorage(lendTestStorage);
  const db = await openDatabase(databaseUrl);
  const parts = {
    db,
    place: boundPlace(createFolder(join(folder, 'pictures'))),
    clock,
    limits: SERVICE_LIMITS,
  };
  const pictures = createPictureFetch({ trustedOrigins: [origin] });
  onTestFinished(async () => {
    await pictures.close();
    server.close();
    server.closeAllConnections();
    await db.destroy();
  });
  const [files, uploads] = [createFiles(parts), createUploads(parts)];
  const { find } = createSources({ ...parts, files, uploads, pictures, drawsBoth: () => true });
  const address = `${origin}/fox.png`;
  return {
    asked: () => asked,
    find: (images: number) =>
      find(
        { prompt: 'a fox', operation: 'edit', image: Array(images).fill(address), mask: address },
        { accountId: 1 },
      ),
  };
}

test('the pictures of a submission are fetched in half of the time for which its connection may be idle', async () => {
  const { find, asked } = await slowGallery(16_000);
  expect((await find(1))?.source).toMatchObject({ operation: 'edit', mask: { width: 64 } });
  await expect(find(4)).rejects.toMatchObject({
    code: 'picture_unreadable',
    message:
      'The picture cannot be fetched from its address: with those before it, it did not arrive within 30 s. Upload it instead.',
  });
  expect(asked()).toBe(2 + 2);
});

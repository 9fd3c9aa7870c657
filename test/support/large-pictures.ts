import { setImmediate } from 'node:timers/promises';
import { type ImageClient, ServiceError } from '@darkroom/image-api';
import { A_PNG } from '../../packages/image-api/test/support/polite-service.ts';

/** Of pictures with so many bytes two do not fit into the memory of a world. */
const BYTES = 40 * 1024 ** 2;

/** A service whose pictures all turn out large. */
export function largePictures() {
  let inMemory = 0;
  let most = 0;
  const download: ImageClient['download'] = async (_, { maxBytes = BYTES } = {}) => {
    if (maxBytes < BYTES) throw new ServiceError('blocked', 'too large', { pictureBytes: BYTES });
    inMemory += 1;
    most = Math.max(most, inMemory);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    inMemory -= 1;
    return { bytes: A_PNG, contentType: 'image/png' };
  };
  return { download, mostInMemory: () => most };
}

import type { MessagePort } from 'node:worker_threads';
import sharp from 'sharp';
import { alphaOf, isTransparent } from '../transparency.ts';
import { type Network, openNetwork } from './network.ts';

/** A picture to enlarge, as it is posted to the worker thread. */
interface EnlargeTask {
  /** Encoded. */
  bytes: Uint8Array;
  scale: 2 | 4;
  /** Receives the share that is done, 0 to 1. */
  port: MessagePort;
}

/**
 * Beyond a picture the network sees black, which darkens its borders: for so many pixels it is given their colours
 * instead.
 */
const RIM = 12;

/** TensorFlow.js greets whoever loads it. */
console.warn = () => undefined;

const networks = new Map<number, Promise<Network>>();

/** Enlarges one picture; resolves with a PNG. */
export async function enlarge({ bytes, scale, port }: EnlargeTask): Promise<Uint8Array> {
  try {
    const opened = networks.get(scale) ?? openNetwork(scale);
    networks.set(scale, opened);
    opened.catch(() => networks.delete(scale));
    const network = await opened;
    const { data, info } = await sharp(bytes)
      .removeAlpha()
      .toColourspace('srgb')
      .extend({ left: RIM, top: RIM, right: RIM, bottom: RIM, extendWith: 'copy' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const large = await network.enlarge({ ...info, data }, (share) => port.postMessage(share));
    const rim = RIM * scale;
    const size = { width: large.width - 2 * rim, height: large.height - 2 * rim };
    const raw = { width: large.width, height: large.height, channels: 3 } as const;
    const picture = sharp(large.data, { raw }).extract({ left: rim, top: rim, ...size });
    const alpha = (await isTransparent(bytes)) && (await alphaOf(bytes, size).png().toBuffer());
    return await (alpha ? picture.joinChannel(alpha) : picture).png({ compressionLevel: 6 }).toBuffer();
  } finally {
    port.close();
  }
}

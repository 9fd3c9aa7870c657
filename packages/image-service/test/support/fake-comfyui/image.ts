import type { Graph } from '@darkroom/image-api';
import sharp from 'sharp';
import { withText } from '../png-text.ts';

/** A PNG with the graph in text chunks, as ComfyUI saves it; half transparent where it joins transparency. */
export async function savedPng(size: { width: number; height: number }, graph: Graph): Promise<Buffer> {
  const transparent = Object.values(graph).some(({ class_type }) => class_type === 'JoinImageWithAlpha');
  const background = { r: 53, g: 80, b: 107, alpha: transparent ? 0.5 : 1 };
  const png = await sharp({ create: { ...size, channels: transparent ? 4 : 3, background } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const withWorkflow = withText(png, 'workflow', JSON.stringify({ nodes: [], links: [] }));
  return withText(withWorkflow, 'prompt', JSON.stringify(graph));
}

let drawn: Promise<Buffer> | undefined;
/** Noise, which is large; drawn once. */
function previewJpeg(): Promise<Buffer> {
  drawn ??= sharp({
    create: {
      width: 512,
      height: 384,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 120, sigma: 60 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer();
  return drawn;
}

/** A preview frame of kind 4, or of kind 1 for who did not announce that it understands that. */
export async function previewFrame(
  meta: { node_id: string; prompt_id: string } | undefined,
): Promise<Buffer> {
  const jpeg = await previewJpeg();
  if (!meta) return Buffer.concat([words(1, 1), jpeg]);
  const json = Buffer.from(JSON.stringify({ ...meta, image_type: 'image/jpeg' }));
  return Buffer.concat([words(4, json.length), json, jpeg]);
}

/** A frame of kind 3: text for the editor. */
export function textFrame(nodeId: string, text: string): Buffer {
  const id = Buffer.from(nodeId);
  return Buffer.concat([words(3, id.length), id, Buffer.from(text)]);
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
}

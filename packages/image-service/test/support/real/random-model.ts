import { open } from 'node:fs/promises';
import { createStreams } from '@darkroom/testing';
import type { Shapes } from './sd15-shapes.ts';

/** So many random values are drawn, and used again and again from another place. */
const TABLE = 2 ** 20;
const BYTES = 2;

/**
 * Of what a weight deviates. With less in the last layer of the UNet, every step and seed gives nearly the same
 * picture.
 */
function deviationOf(name: string): number {
  if (name.startsWith('first_stage_model.')) return 0.05;
  return name === 'model.diffusion_model.out.2.weight' ? 0.03 : 0.02;
}

/**
 * Writes a model of random weights as safetensors, in bfloat16: one-dimensional weights are 1, biases 0, positions
 * count up from 0, and everything else is normal. Its pictures mean nothing; every call to it does.
 */
export async function writeRandomModel(path: string, shapes: Shapes): Promise<void> {
  const tensors = Object.entries(shapes).map(([name, shape]) => ({
    name,
    shape,
    count: shape.reduce((product, side) => product * side, 1),
  }));
  let offset = 0;
  const header = Object.fromEntries(
    tensors.map(({ name, shape, count }) => {
      const begin = offset;
      offset += count * BYTES;
      return [name, { dtype: 'BF16', shape, data_offsets: [begin, offset] }];
    }),
  );
  const json = Buffer.from(JSON.stringify(header));
  // The data begins at a multiple of 8.
  const padding = Buffer.alloc((8 - (json.length % 8)) % 8, ' ');
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length + padding.length));

  const tables = new Map<number, Buffer>();
  const file = await open(path, 'w');
  try {
    await file.writeFile(Buffer.concat([length, json, padding]));
    for (const [at, tensor] of tensors.entries()) await file.writeFile(valuesOf(tensor, at));
  } finally {
    await file.close();
  }

  function valuesOf(
    { name, shape, count }: { name: string; shape: readonly number[]; count: number },
    at: number,
  ) {
    if (name.endsWith('position_ids')) return bfloat16(Float32Array.from({ length: count }, (_, id) => id));
    if (shape.length === 1) return bfloat16(new Float32Array(count).fill(name.endsWith('.bias') ? 0 : 1));
    const deviation = deviationOf(name);
    const table = tables.get(deviation) ?? normalTable(deviation);
    tables.set(deviation, table);
    const values = Buffer.alloc(count * BYTES);
    // A prime apart, so that no two tensors begin alike.
    let from = ((at * 7_919) % TABLE) * BYTES;
    for (let written = 0; written < values.length; from = 0)
      written += table.copy(values, written, from, Math.min(table.length, from + values.length - written));
    return values;
  }
}

function normalTable(deviation: number): Buffer {
  const { next } = createStreams(7)('weights');
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return bfloat16(Float32Array.from({ length: TABLE }, () => deviation * normal()));
}

/** The upper halves of 32-bit floats. */
function bfloat16(values: Float32Array): Buffer {
  const halves = new Uint16Array(values.buffer);
  return Buffer.from(Uint16Array.from({ length: values.length }, (_, at) => halves[2 * at + 1] ?? 0).buffer);
}

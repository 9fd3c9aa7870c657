/** The shapes of a model's tensors by their names. */
export type Shapes = Record<string, readonly number[]>;

/** Numbers of Stable Diffusion 1.5. */
const CONTEXT = 768;
const TIME = 1_280;
const BASE = 320;

/**
 * The tensors of Stable Diffusion 1.5 with its text encoder and its VAE, and a UNet that is whole (2.1 GB in 16
 * bits), or has two of its four levels and one block in each (0.6 GB), which ComfyUI takes for the same.
 */
export const sd15Shapes = (unet: 'whole' | 'two levels'): Shapes => ({
  ...prefixed(
    'model.diffusion_model.',
    unet === 'whole' ? unetShapes([1, 2, 4, 4], 2) : unetShapes([1, 2], 1),
  ),
  ...prefixed('cond_stage_model.transformer.text_model.', textEncoderShapes()),
  ...prefixed('first_stage_model.', vaeShapes()),
});

const prefixed = (prefix: string, shapes: Shapes): Shapes =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [`${prefix}${name}`, shape]));

/** A layer's weight and its bias, of as many values as the weight has rows. */
const layer = (name: string, ...shape: [number, ...number[]]): Shapes => ({
  [`${name}.weight`]: shape,
  [`${name}.bias`]: [shape[0]],
});

/** One of square kernels. */
export const convolution = (name: string, into: number, from: number, side = 3): Shapes =>
  layer(name, into, from, side, side);

function unetShapes(levels: readonly number[], blocksPerLevel: number): Shapes {
  const shapes: Shapes = {
    ...layer('time_embed.0', TIME, BASE),
    ...layer('time_embed.2', TIME, TIME),
    ...convolution('input_blocks.0.0', BASE, 4),
    ...layer('out.0', BASE),
    ...convolution('out.2', 4, BASE),
  };
  const add = (more: Shapes) => Object.assign(shapes, more);
  /** Each block's channels, for the way back up. */
  const skipped = [BASE];
  /** The innermost of four levels attends to nothing. */
  const attends = (level: number) => level < 3;
  let channels = BASE;
  let at = 1;
  for (const [level, factor] of levels.entries()) {
    for (let block = 0; block < blocksPerLevel; block++) {
      add(residual(`input_blocks.${at}.0`, BASE * factor, channels));
      channels = BASE * factor;
      if (attends(level)) add(attention(`input_blocks.${at}.1`, channels));
      skipped.push(channels);
      at += 1;
    }
    if (level === levels.length - 1) break;
    add(convolution(`input_blocks.${at}.0.op`, channels, channels));
    skipped.push(channels);
    at += 1;
  }
  add(residual('middle_block.0', channels, channels));
  add(attention('middle_block.1', channels));
  add(residual('middle_block.2', channels, channels));
  at = 0;
  for (const [level, factor] of [...levels.entries()].reverse()) {
    for (let block = 0; block <= blocksPerLevel; block++) {
      add(residual(`output_blocks.${at}.0`, BASE * factor, channels + (skipped.pop() ?? 0)));
      channels = BASE * factor;
      if (attends(level)) add(attention(`output_blocks.${at}.1`, channels));
      if (level > 0 && block === blocksPerLevel)
        add(convolution(`output_blocks.${at}.${attends(level) ? 2 : 1}.conv`, channels, channels));
      at += 1;
    }
  }
  return shapes;
}

const residual = (name: string, into: number, from: number): Shapes => ({
  ...layer(`${name}.in_layers.0`, from),
  ...convolution(`${name}.in_layers.2`, into, from),
  ...layer(`${name}.emb_layers.1`, into, TIME),
  ...layer(`${name}.out_layers.0`, into),
  ...convolution(`${name}.out_layers.3`, into, into),
  ...(into !== from && convolution(`${name}.skip_connection`, into, from, 1)),
});

function attention(name: string, size: number): Shapes {
  const block = `${name}.transformer_blocks.0`;
  const attending = (part: string, from: number): Shapes => ({
    [`${block}.${part}.to_q.weight`]: [size, size],
    [`${block}.${part}.to_k.weight`]: [size, from],
    [`${block}.${part}.to_v.weight`]: [size, from],
    ...layer(`${block}.${part}.to_out.0`, size, size),
  });
  return {
    ...layer(`${name}.norm`, size),
    ...convolution(`${name}.proj_in`, size, size, 1),
    ...convolution(`${name}.proj_out`, size, size, 1),
    ...attending('attn1', size),
    ...attending('attn2', CONTEXT),
    ...layer(`${block}.ff.net.0.proj`, 8 * size, size),
    ...layer(`${block}.ff.net.2`, size, 4 * size),
    ...layer(`${block}.norm1`, size),
    ...layer(`${block}.norm2`, size),
    ...layer(`${block}.norm3`, size),
  };
}

/** CLIP-L. */
function textEncoderShapes(): Shapes {
  const shapes: Shapes = {
    'embeddings.position_ids': [1, 77],
    'embeddings.position_embedding.weight': [77, CONTEXT],
    'embeddings.token_embedding.weight': [49_408, CONTEXT],
    ...layer('final_layer_norm', CONTEXT),
  };
  for (let at = 0; at < 12; at++) {
    const name = `encoder.layers.${at}`;
    for (const part of ['q_proj', 'k_proj', 'v_proj', 'out_proj'])
      Object.assign(shapes, layer(`${name}.self_attn.${part}`, CONTEXT, CONTEXT));
    Object.assign(shapes, {
      ...layer(`${name}.mlp.fc1`, 4 * CONTEXT, CONTEXT),
      ...layer(`${name}.mlp.fc2`, CONTEXT, 4 * CONTEXT),
      ...layer(`${name}.layer_norm1`, CONTEXT),
      ...layer(`${name}.layer_norm2`, CONTEXT),
    });
  }
  return shapes;
}

function vaeShapes(): Shapes {
  const LEVELS = [128, 256, 512, 512];
  const shapes: Shapes = {
    ...convolution('quant_conv', 8, 8, 1),
    ...convolution('post_quant_conv', 4, 4, 1),
    ...vaeEnds('encoder', { from: 3, first: 128, last: 512, into: 8 }),
    ...vaeEnds('decoder', { from: 4, first: 512, last: 128, into: 3 }),
  };
  const add = (more: Shapes) => Object.assign(shapes, more);
  let channels = 128;
  for (const [level, size] of LEVELS.entries()) {
    for (let block = 0; block < 2; block++) {
      add(vaeBlock(`encoder.down.${level}.block.${block}`, size, channels));
      channels = size;
    }
    if (level < 3) add(convolution(`encoder.down.${level}.downsample.conv`, size, size));
  }
  channels = 512;
  for (const [level, size] of [...LEVELS.entries()].reverse()) {
    for (let block = 0; block < 3; block++) {
      add(vaeBlock(`decoder.up.${level}.block.${block}`, size, channels));
      channels = size;
    }
    if (level > 0) add(convolution(`decoder.up.${level}.upsample.conv`, size, size));
  }
  return shapes;
}

/** How a half of the VAE begins, its middle, and how it ends. */
function vaeEnds(
  half: string,
  { from, first, last, into }: { from: number; first: number; last: number; into: number },
): Shapes {
  const shapes: Shapes = {
    ...convolution(`${half}.conv_in`, first, from),
    ...vaeBlock(`${half}.mid.block_1`, 512, 512),
    ...vaeBlock(`${half}.mid.block_2`, 512, 512),
    ...layer(`${half}.mid.attn_1.norm`, 512),
    ...layer(`${half}.norm_out`, last),
    ...convolution(`${half}.conv_out`, into, last),
  };
  for (const part of ['q', 'k', 'v', 'proj_out'])
    Object.assign(shapes, convolution(`${half}.mid.attn_1.${part}`, 512, 512, 1));
  return shapes;
}

const vaeBlock = (name: string, into: number, from: number): Shapes => ({
  ...layer(`${name}.norm1`, from),
  ...convolution(`${name}.conv1`, into, from),
  ...layer(`${name}.norm2`, into),
  ...convolution(`${name}.conv2`, into, into),
  ...(into !== from && convolution(`${name}.nin_shortcut`, into, from, 1)),
});

import type { Graph, GraphNode } from '@darkroom/image-api';
import { modelInputs } from '../../../src/engines/comfyui/models.ts';

interface NodeProblem {
  errors: { type: string; message: string; details: string; extra_info: object }[];
  dependent_outputs: string[];
  class_type: string;
}
type Verdict =
  | { outputs: string[]; nodeErrors: Record<string, NodeProblem> }
  | {
      error: { type: string; message: string; details: string; extra_info: object };
      nodeErrors: Record<string, NodeProblem>;
    };

const OUTPUT_CLASSES = ['SaveImage', 'PreviewImage'];
const failed = (type: string, message: string, details = '') => ({ type, message, details, extra_info: {} });

/** What `VAELoader` takes beside the files of its folder, wherever it runs: `vae_list` in ComfyUI's `nodes.py`. */
const PIXEL_SPACE = 'pixel_space';
/** Of city96/ComfyUI-GGUF, which has a folder of its own for an input that `UNETLoader` has too. */
export const GGUF_LOADER = 'UnetLoaderGGUF';

/** The names of models that an input of a node takes; `folder` is the usual one of such an input. */
export function modelsOf(
  node: string,
  folder: string,
  models: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  if (node === GGUF_LOADER) return models.unet_gguf ?? [];
  const listed = models[folder] ?? [];
  return node === 'VAELoader' ? [...listed, PIXEL_SPACE] : listed;
}

/** As ComfyUI validates: outputs whose nodes are in order run, also where others do not. */
export function validate(
  graph: Graph,
  {
    classes,
    models,
    files,
  }: {
    classes: ReadonlySet<string>;
    models: Readonly<Record<string, readonly string[]>>;
    /** `temp/picture.png` and the like. */
    files: ReadonlyMap<string, unknown>;
  },
): Verdict {
  for (const [id, { class_type, _meta }] of Object.entries(graph)) {
    if (classes.has(class_type)) continue;
    const details = `Node ID '#${id}'`;
    const message = `Node '${_meta?.title ?? class_type}' not found. The custom node may not be installed.`;
    return { error: failed('missing_node_type', message, details), nodeErrors: {} };
  }
  const outputs = Object.keys(graph).filter((id) => OUTPUT_CLASSES.includes(graph[id]?.class_type ?? ''));
  if (outputs.length === 0)
    return { error: failed('prompt_no_outputs', 'Prompt has no outputs'), nodeErrors: {} };

  const nodeErrors: Record<string, NodeProblem> = {};
  const good = outputs.filter((output) => {
    const faulty = above(graph, output).filter((id) => {
      const node = graph[id];
      const error = node && (linkError(node) ?? modelError(node) ?? fileError(node));
      if (!node || !error) return false;
      nodeErrors[id] ??= { errors: [error], dependent_outputs: [], class_type: node.class_type };
      nodeErrors[id].dependent_outputs.push(output);
      return true;
    });
    return faulty.length === 0;
  });
  if (good.length > 0) return { outputs: good, nodeErrors };
  return {
    error: failed('prompt_outputs_failed_validation', 'Prompt outputs failed validation'),
    nodeErrors,
  };

  function linkError({ inputs }: GraphNode) {
    const lost = Object.values(inputs).find((input) => Array.isArray(input) && !graph[input[0]]);
    if (!Array.isArray(lost)) return undefined;
    const message = 'Exception when validating inner node';
    return failed('exception_during_inner_validation', message, `'${lost[0]}'`);
  }

  function modelError(node: GraphNode) {
    const inputs = modelInputs(node).map(([input, folder]) => ({
      input,
      listed: modelsOf(node.class_type, folder, models),
    }));
    const bad = inputs.find(({ input, listed }) => !isListed(node.inputs[input], listed));
    if (!bad) return undefined;
    const details = `${bad.input}: '${node.inputs[bad.input]}' not in ${JSON.stringify(bad.listed)}`;
    return failed('value_not_in_list', 'Value not in list', details);
  }

  function fileError({ class_type, inputs }: GraphNode) {
    if (!class_type.startsWith('LoadImage') || files.has(pathOf(inputs.image))) return undefined;
    const details = `image - Invalid image file: ${inputs.image}`;
    return failed('custom_validation_failed', 'Custom validation failed for node', details);
  }
}

/** Where `picture.png [temp]` is. */
export const pathOf = (image: unknown): string => `${image}`.replace(/^(.*) \[(\w+)\]$/, '$2/$1');

const isListed = (name: unknown, listed: readonly string[]) =>
  typeof name === 'string' && listed.includes(name);

/** A node and all that it depends on, in the order in which they run. */
export function above(graph: Graph, id: string, seen = new Set<string>()): string[] {
  if (seen.has(id)) return [];
  seen.add(id);
  const links = Object.values(graph[id]?.inputs ?? {}).filter(Array.isArray);
  return [...links.flatMap(([source]) => above(graph, String(source), seen)), id];
}

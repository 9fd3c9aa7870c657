/** What somebody is told whose drawing did not fit into a GPU. */
export const TOO_LITTLE_MEMORY = 'The image server has too little memory for a picture of this size.';

/**
 * Whether an error of a server says so, by its type and its message: `torch.OutOfMemoryError: Allocation on device` of
 * ComfyUI (Comfy-Org/ComfyUI#4852), `OutOfMemoryError: CUDA out of memory` of a WebUI.
 */
export const isOutOfMemory = (error: string): boolean => /OutOfMemory|out of memory/i.test(error);

/**
 * Whether an error says that the program has lost its GPU: every drawing fails then, until the program is started anew
 * (Comfy-Org/ComfyUI#14756, AUTOMATIC1111/stable-diffusion-webui#9915).
 */
export const isGpuLost = (error: string): boolean =>
  /CUDA error|HIP error|AcceleratorError|device-side assert/i.test(error) && !isOutOfMemory(error);

/** Why a drawing counts as lost then. */
export const GPU_LOST = 'the server has lost its GPU, until it is started anew';

/** What somebody is told whose drawing did not fit into a GPU. */
export const TOO_LITTLE_MEMORY = 'The image server has too little memory for a picture of this size.';

/**
 * Whether an error of a server says so, by its type and its message: `torch.OutOfMemoryError: Allocation on device` of
 * ComfyUI (Comfy-Org/ComfyUI#4852), `OutOfMemoryError: CUDA out of memory` of a WebUI.
 */
export const isOutOfMemory = (error: string): boolean => /OutOfMemory|out of memory/i.test(error);

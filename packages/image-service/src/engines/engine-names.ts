/**
 * The engines, in the order in which they are preferred where several draw a workflow, and the setting that adds
 * each: machines of one's own come before what is paid for, that before strangers, and the sketch draws what is left.
 */
export const ENGINES = {
  comfyui: 'COMFYUI_URL',
  sdwebui: 'SDWEBUI_URL',
  hosted: 'HOSTED_MODEL',
  horde: 'AI_HORDE_KEY',
  sketch: undefined,
} as const;

/** The settings that add an engine. */
export const ENGINE_SETTINGS = Object.values(ENGINES).filter((setting) => setting !== undefined);

export type EngineName = keyof typeof ENGINES;

/** A server can no longer finish a prompt, for no reason of the prompt's own: another attempt may succeed. */
export class PromptLost extends Error {
  override readonly name = 'PromptLost';
}

import { html, type TemplateResult } from 'lit';
import { slashCommands } from './composer/command-form.ts';
import type { View } from './view.ts';

/** `</ping:1>`: a button that puts the command into the composer; words where the user has no such command here. */
export function commandMention({ channel }: View, path: string): TemplateResult {
  return slashCommands(channel?.commands ?? []).some((command) => command.path === path)
    ? html`<button class="mention" type="button" data-command=${path}>/${path}</button>`
    : html`<span class="mention">/${path}</span>`;
}

export function clickedCommand({ target }: Event): string | undefined {
  const mention = target instanceof Element ? target.closest('button[data-command]') : null;
  return mention instanceof HTMLElement ? mention.dataset.command : undefined;
}

import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, UserClient } from 'local-discord';
import { buttonOf } from './buttons.ts';
import { run } from './ephemeral-reply.ts';

/** The custom id of a menu of the panel. */
export const menuIn = ({ components }: APIMessage, name: string, section: string): string => {
  const id = `settings:pick:${name}:${section}`;
  return new RegExp(`${id}[^"]*`).exec(JSON.stringify(components))?.[0] ?? id;
};

/** The panel of /settings that a manager has opened. */
export async function openPanel(manager: UserClient) {
  let panel: APIMessage = await run(manager, 'settings panel');

  /** The panel as an answer has left it. */
  function shown(answer: InteractionResult): string {
    if (answer.kind !== 'update') throw new Error(`answered with ${JSON.stringify(answer)}`);
    panel = manager.message(panel.id) ?? panel;
    return panel.embeds[0]?.description ?? '';
  }
  const open = async (section: string) =>
    shown(await manager.select(panel.id, 'settings:section', [section]));
  const pick = (name: string, section: string, values: string[]) =>
    manager.select(panel.id, menuIn(panel, name, section), values);
  const press = (label: string) => manager.press(panel.id, buttonOf(panel, label));
  /** Fills in the form that a button opens, and resolves with what sends it. */
  async function form(
    label: string,
    values: Record<string, string>,
  ): Promise<() => Promise<InteractionResult>> {
    const opened = await press(label);
    if (opened.kind !== 'modal') throw new Error(opened.kind);
    return () => manager.submitModal(opened.interactionId, values);
  }

  return {
    open,
    shown,
    pick,
    panel: () => panel,
    press,
    picked: async (name: string, section: string, ...values: string[]) => {
      await open(section);
      return shown(await pick(name, section, values));
    },
    form,
    /** Fills in the form that a button opens, and sends it. */
    fill: async (label: string, values: Record<string, string>) => (await form(label, values))(),
  };
}

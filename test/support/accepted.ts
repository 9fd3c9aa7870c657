import { InteractionResponseType } from 'discord.js';
import { MessageCreateRequestSchema, ModalInteractionCallbackRequestSchema } from 'discord-api-spec/zod';
import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import { expect } from 'vitest';
import { checkMessage } from '../../packages/local-discord/src/rules/messages.ts';
import { checkModal } from '../../packages/local-discord/src/rules/modals.ts';
import { linkCommands } from '../../src/messages/link-commands.ts';
import { type Message, toBody } from '../../src/messages/message.ts';

/** Under which commands are registered: of the longest kind. */
const IDS = new Map(
  ['imagine', 'jobs', 'balance', 'apikey', 'usage', 'settings', 'moderate', 'graph', 'privacy', 'help'].map(
    (name) => [name, '18446744073709551615'],
  ),
);

/** Every object in it that has a custom id, or holds ones that do. */
function* within(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const inner of Object.values(value)) yield* within(inner);
}

const valuesOf = (value: unknown, key: string): unknown[] =>
  [...within(value)].flatMap((one) => (Object.hasOwn(one, key) ? [Reflect.get(one, key)] : []));

/** What counts in messages and forms alike. */
function expectComponents(components: unknown): void {
  const ids = valuesOf(components, 'custom_id');
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(`${id}`.length).toBeLessThanOrEqual(100);
  for (const options of valuesOf(components, 'options')) {
    expect(options).toSatisfy((all) => Array.isArray(all) && all.length >= 1 && all.length <= 25);
    for (const label of valuesOf(options, 'label')) expect(label).toMatch(/^[\s\S]{1,100}$/);
  }
  for (const text of valuesOf(components, 'placeholder')) expect(text).toMatch(/^[\s\S]{1,100}$/);
}

/**
 * That Discord takes a message, by its own description and by the rules that this leaves out, and that nobody is
 * notified.
 */
export function expectAccepted(message: Message): void {
  const linked = linkCommands(message, (name) => IDS.get(name));
  const { body, files } = toBody(linked);
  const { embeds = [], rows = [], notify = [] } = linked;
  expect(MessageCreateRequestSchema.safeParse(body).error?.issues).toBeUndefined();
  checkMessage(
    {
      content: body.content ?? '',
      embeds,
      components: rows,
      flags: 0,
      attachmentNames: files.map(({ name }) => name),
      newEmbeds: true,
      newComponents: true,
      emojis: new Set(),
      allowedMentions: { parse: [], users: [...notify] },
    },
    [],
  );
  expect(files.length).toBeLessThanOrEqual(10);
  expect(rows.length).toBeLessThanOrEqual(5);
  for (const row of valuesOf(rows, 'components')) {
    expect(row).toSatisfy((all) => Array.isArray(all) && all.length >= 1 && all.length <= 5);
  }
  for (const one of within(rows)) {
    if ('style' in one && 'label' in one) expect(one.label).toMatch(/^.{1,80}$/);
  }
  expectComponents(rows);
  expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/);
}

/** Likewise of a form. */
export function expectFormAccepted(modal: APIModalInteractionResponseCallbackData): void {
  const answer = { type: InteractionResponseType.Modal, data: modal };
  expect(ModalInteractionCallbackRequestSchema.safeParse(answer).error?.issues).toBeUndefined();
  checkModal(modal);
  expect(modal.title).toMatch(/^.{1,45}$/);
  expect(modal.components.length).toBeLessThanOrEqual(5);
  for (const one of modal.components) {
    if ('label' in one) expect(one.label).toMatch(/^.{1,45}$/);
    // Discord shows no markdown in a form.
    if ('label' in one) expect(one.label).not.toMatch(/[`*]/);
    if ('description' in one) expect(one.description ?? '').toMatch(/^(?!.*`).{0,100}$/);
  }
  for (const value of valuesOf(modal, 'value')) expect(`${value}`.length).toBeLessThanOrEqual(4_000);
  expectComponents(modal.components);
  expect(JSON.stringify(modal)).not.toMatch(/\\ud[89a-f]/);
}

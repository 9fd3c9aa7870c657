import { until } from '@darkroom/testing';
import { Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';
import { endlessEngine } from '../../packages/image-service/test/support/engines.ts';
import {
  CHANNEL,
  MODERATOR,
  sees,
  seesOutcome,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { buttonRow } from '../support/buttons.ts';
import { buttons, type OldButton } from './fixture.ts';
import { type Installation, installation } from './installation.ts';

/** They change what the others need: each is pressed in an installation of its own. */
const STOP = buttons.filter(({ does }) => does === 'stops');
const REVOKE = buttons.filter(({ does }) => does === 'revokes');
const OTHERS = buttons.filter((button) => !STOP.includes(button) && !REVOKE.includes(button));

describe('under the messages of 0.1.0', () => {
  const shown = ({ messageId }: OldButton) => messageId !== null;

  test('every button does what it did', async () => {
    const world = await installation({ discord: 'as left' });
    for (const button of OTHERS.filter(shown)) await press(world, button, `${button.messageId}`);
  });

  test('stopping stops a job of 0.1.0', async () => {
    const world = await installation({ discord: 'as left', engine: endlessEngine() });
    for (const button of STOP) await press(world, button, `${button.messageId}`);
  });

  test('revoking revokes a key that was linked in 0.1.0', async () => {
    const world = await installation({ discord: 'as left' });
    for (const button of REVOKE) await press(world, button, `${button.messageId}`);
  });
});

describe('whatever message they stand under', () => {
  test('every custom id of 0.1.0 does what it did', async () => {
    const world = await installation({ discord: 'empty' });
    for (const button of [...OTHERS, ...REVOKE]) await press(world, button, await post(world, button));
  });

  test('stopping stops a job of 0.1.0', async () => {
    const world = await installation({ discord: 'empty', engine: endlessEngine() });
    for (const button of STOP) await press(world, button, await post(world, button));
  });
});

async function post({ rest }: Installation, { customId }: OldButton): Promise<string> {
  const body = { content: 'of an earlier version', components: [buttonRow(customId).toJSON()] };
  // The local Discord answers as Discord does: with the message.
  const { id } = (await rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  return id;
}

/** Presses the button under this message, and checks that it does what it must. */
async function press(world: Installation, button: OldButton, messageId: string): Promise<void> {
  const { by, customId, does, form, words = '' } = button;
  const person = world.as(by);
  const answer = await person.press(messageId, customId);
  switch (does) {
    case 'opens':
      expect(answer).toMatchObject({ kind: 'modal', modal: { custom_id: form } });
      expect(JSON.stringify(answer)).toContain('"custom_id":"secret"');
      person.closeModal(answer.interactionId);
      return;
    case 'begins': {
      if (answer.kind !== 'message') throw new Error(`answered with ${JSON.stringify(answer)}`);
      const outcome = await seesOutcome(person, answer.message.id);
      expect(JSON.stringify(outcome.components)).toContain('imagine:again:');
      // The moderator's account has no credits left.
      expect(outcome.attachments).toHaveLength(by === MODERATOR ? 0 : 1);
      return;
    }
    case 'hands-out': {
      if (answer.kind !== 'message') throw new Error(`answered with ${JSON.stringify(answer)}`);
      const { attachments } = await seesOutcome(person, answer.message.id);
      expect(attachments.length).toBeGreaterThan(0);
      return;
    }
    case 'deletes': {
      expect(answer.kind).toBe('acknowledged');
      const asksOf = `imagine:remove:${by}:${messageId}`;
      const question = await sees(person, ({ components }) => JSON.stringify(components).includes(asksOf));
      await person.press(question.id, asksOf);
      await until(() => person.message(messageId) === undefined, 'the message gone');
      return;
    }
    case 'revokes':
    case 'replaces':
      await sees(person, ({ content }) => content.includes(words));
      return;
    case 'refuses':
    case 'shows':
    case 'stops':
      expect((await world.answered(by, Promise.resolve(answer))).content).toContain(words);
  }
}

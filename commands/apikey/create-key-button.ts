import { ButtonStyle } from 'discord.js';
import { type Button, button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { argsOf, keyTarget } from './key-target.ts';

/** Opens the form for a login token. */
export const createKeyButton = ({ apiKey }: Texts, draftId?: string): Button =>
  button(
    ButtonStyle.Secondary,
    apiKey.create,
    customId('apikey', 'create', ...argsOf(keyTarget('member'), draftId)),
  );

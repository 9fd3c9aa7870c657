import {
  type AutocompleteInteraction,
  type BaseInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  ComponentType,
  type ModalSubmitInteraction,
} from 'discord.js';
import { UserError } from '../errors.ts';
import type { Log } from '../log.ts';
import { askerOf } from './asker.ts';
import type { Command, Context, Invocation } from './command.ts';
import { explain } from './explain.ts';
import { isAnswered, isTooLate } from './first-answer.ts';
import { textsFor } from './locale/texts.ts';
import { readOptions } from './options.ts';
import { createReply, type Reply } from './reply.ts';

/** Discord shows no more than these. */
const MOST_CHOICES = 25;

/** From an interaction to its handler, and from whatever the handler throws to an answer. */
export interface Router {
  /** Never rejects. */
  route(interaction: BaseInteraction): Promise<void>;
  /** Resolves when no handler is at work. */
  idle(): Promise<void>;
}

export function createRouter({
  commands,
  context,
  log,
}: {
  commands: readonly Command[];
  context: Context;
  log: Log;
}): Router {
  const atWork = new Set<Promise<void>>();
  const byName = new Map(commands.map((command) => [command.data.name, command]));

  async function route(interaction: BaseInteraction): Promise<void> {
    if (interaction.isAutocomplete()) await suggest(interaction);
    else if (interaction.isChatInputCommand()) await answer(interaction, runCommand);
    else if (interaction.isButton()) await answer(interaction, pressButton);
    else if (interaction.isModalSubmit()) await answer(interaction, sendForm);
  }

  async function answer<
    Asked extends ChatInputCommandInteraction | ButtonInteraction | ModalSubmitInteraction,
  >(interaction: Asked, handle: (interaction: Asked, reply: Reply) => Promise<void>): Promise<void> {
    const reply = createReply(interaction);
    try {
      await handle(interaction, reply);
    } catch (error) {
      if (isTooLate(error) || isAnswered(error)) throw error;
      await reply.privately(explain(error, textsFor(interaction.locale), log));
    }
  }

  async function runCommand(interaction: ChatInputCommandInteraction, reply: Reply): Promise<void> {
    const { path, values } = readOptions(interaction.options.data);
    await commandOf(interaction.commandName).run(path, invocationOf(interaction, reply, values));
  }

  async function pressButton(interaction: ButtonInteraction, reply: Reply): Promise<void> {
    const [name = '', button = '', ...parts] = interaction.customId.split(':');
    const handler = byName.get(name)?.buttons?.[button];
    if (!handler) throw new UserError(textsFor(interaction.locale).refusal.unknown);
    await handler(invocationOf(interaction, reply, parts));
  }

  async function sendForm(interaction: ModalSubmitInteraction, reply: Reply): Promise<void> {
    const [name = '', form = '', ...parts] = interaction.customId.split(':');
    const handler = byName.get(name)?.forms?.[form];
    if (!handler) throw new UserError(textsFor(interaction.locale).refusal.unknown);
    const fields = [...interaction.fields.fields.values()].flatMap((field) =>
      field.type === ComponentType.TextInput ? [[field.customId, field.value] as const] : [],
    );
    await handler(invocationOf(interaction, reply, { fields: Object.fromEntries(fields), parts }));
  }

  async function suggest(interaction: AutocompleteInteraction): Promise<void> {
    const { name, value } = interaction.options.getFocused(true);
    const command = commandOf(interaction.commandName);
    const choices = command.suggest?.(name, `${value}`, textsFor(interaction.locale)) ?? [];
    await interaction.respond(choices.slice(0, MOST_CHOICES));
  }

  function commandOf(name: string): Command {
    const command = byName.get(name);
    if (!command)
      throw new Error(`/${name} is registered with Discord, but this version has no such command`);
    return command;
  }

  function invocationOf<Options>(
    interaction: ChatInputCommandInteraction | ButtonInteraction | ModalSubmitInteraction,
    reply: Reply,
    options: Options,
  ): Invocation<Options> {
    return {
      options,
      asker: askerOf(interaction),
      reply,
      texts: textsFor(interaction.locale),
      context,
    };
  }

  async function routeSafely(interaction: BaseInteraction): Promise<void> {
    try {
      await route(interaction);
    } catch (error) {
      // Discord took no answer. There is nobody left to tell but the operator.
      const about = { err: error, interaction: interaction.id };
      if (isAnswered(error))
        log.error(about, 'another process answers on this DISCORD_TOKEN: stop one of the two');
      else log.warn(about, 'an interaction could not be answered');
    }
  }

  return {
    route(interaction) {
      const work = routeSafely(interaction).finally(() => atWork.delete(work));
      atWork.add(work);
      return work;
    },
    async idle() {
      await Promise.all(atWork);
    },
  };
}

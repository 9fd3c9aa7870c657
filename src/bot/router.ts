import type { Log } from '@darkroom/process';
import { createInFlight, refdClock } from '@darkroom/time';
import {
  type AnySelectMenuInteraction,
  type AutocompleteInteraction,
  type BaseInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  ComponentType,
  type MessageContextMenuCommandInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
} from 'discord.js';
import { attachedFileOf } from '../delivery/attached-files.ts';
import { classifyDiscordError } from '../delivery/classify-discord-error.ts';
import type { AttachedFile } from '../jobs/input.ts';
import type { Caller } from '../jobs/job-request.ts';
import { textsFor } from '../messages/locale/texts.ts';
import { truncate } from '../messages/message.ts';
import { UserError } from '../messages/user-error.ts';
import type { Metrics } from '../observability/metrics.ts';
import { type Command, contextOf, type FormOptions, holdsSecret, SECRET_FIELD } from './command.ts';
import type { CommandLinks } from './command-links.ts';
import { withoutVersion } from './custom-id-version.ts';
import { BotStopped } from './discord.ts';
import { explainError } from './explain-error.ts';
import type { Context, FeatureName, Invocation } from './invocation.ts';
import { parseOptions } from './options.ts';
import type { PendingAnswers } from './pending-answers.ts';
import { permissionsOf } from './permissions.ts';
import { createReply, type Reply } from './reply.ts';
import { shownAsPicked } from './shown-picks.ts';
import { sourceMessageOf } from './source-message.ts';

/** How long a process that can do more has to answer first, in real milliseconds: Discord waits for three seconds. */
const OTHER_ANSWERS_MS = 1_500;

/** Discord shows no more than these, and takes none whose name is longer. */
const MAX_CHOICES = 25;
const MAX_NAME_CHARACTERS = 100;

type AnsweredInteraction =
  | ChatInputCommandInteraction
  | MessageContextMenuCommandInteraction
  | ButtonInteraction
  | AnySelectMenuInteraction
  | ModalSubmitInteraction;

/** From an interaction to its handler, and from whatever the handler throws to an answer. */
export type Router = ReturnType<typeof createRouter>;

export function createRouter({
  commands,
  context,
  callerOf,
  pendingAnswers,
  commandLinks,
  log,
  metrics,
}: {
  commands: readonly Command[];
  context: Context<FeatureName>;
  callerOf(interaction: BaseInteraction): Caller;
  pendingAnswers: PendingAnswers;
  commandLinks: CommandLinks;
  log: Log;
  metrics: Pick<Metrics, 'firstAnswer' | 'unanswered'>;
}) {
  const inFlight = createInFlight();
  const byName = new Map(commands.map((command) => [command.data.name, command]));
  const onMessages = new Map(
    commands.flatMap((command) =>
      (command.messageCommands ?? []).map(({ data, run }) => [data.name, { command, run }] as const),
    ),
  );

  async function route(interaction: BaseInteraction): Promise<void> {
    commandLinks.notice(interaction);
    if (interaction.isAutocomplete()) await autocomplete(interaction);
    else if (interaction.isChatInputCommand()) await answer(interaction, runCommand);
    else if (interaction.isMessageContextMenuCommand()) await answer(interaction, runOnMessage);
    else if (interaction.isButton()) await answer(interaction, runButton);
    else if (interaction.isAnySelectMenu()) await answer(interaction, runSelect);
    else if (interaction.isModalSubmit()) await answer(interaction, runForm);
  }

  async function answer<Answered extends AnsweredInteraction>(
    interaction: Answered,
    handle: (interaction: Answered, reply: Reply) => Promise<void>,
  ): Promise<void> {
    const reply = createReply(interaction, { pendingAnswers, link: commandLinks.link, metrics });
    try {
      await handle(interaction, reply);
    } catch (error) {
      const { kind } = classifyDiscordError(error);
      if (kind === 'token-expired' || kind === 'acknowledged' || error instanceof BotStopped) throw error;
      const permissions = permissionsOf(interaction);
      const told = { permissions, texts: textsFor(interaction.locale), nextSteps: context.nextSteps };
      await reply.respond(explainError(error, told, log.child({ interaction: interaction.id })));
    }
  }

  /** Asks what is offered, where nobody has lately, with the key of whoever uses a command that says it. */
  const learnOffers = ({ uses }: Command, interaction: BaseInteraction): Promise<void> =>
    uses.includes('offers')
      ? context.offers.learn(async () => {
          const caller = callerOf(interaction);
          return (await context.keys.credentials.resolve(caller))?.apiKey;
        })
      : Promise.resolve();

  async function runCommand(interaction: ChatInputCommandInteraction, reply: Reply): Promise<void> {
    const { path, values } = parseOptions(interaction.options.data);
    refuseSecrets(Object.values(values), interaction);
    const command = known(byName.get(interaction.commandName), interaction.commandName);
    await learnOffers(command, interaction);
    await command.run(path, invocationOf(command, interaction, reply, values));
  }

  async function runOnMessage(
    interaction: MessageContextMenuCommandInteraction,
    reply: Reply,
  ): Promise<void> {
    const { command, run } = known(onMessages.get(interaction.commandName), interaction.commandName);
    await learnOffers(command, interaction);
    await run(invocationOf(command, interaction, reply, sourceMessageOf(interaction.targetMessage)));
  }

  /** What a custom id names, `COMMAND:HANDLER:…args`, among what there is `of` a command. */
  async function named<Handler>(
    interaction: BaseInteraction & { customId: string },
    of: (command: Command) => Readonly<Record<string, Handler>> | undefined,
  ): Promise<{ command: Command; handler: Handler; args: readonly string[] }> {
    const { customId } = interaction;
    // A button has no version, and may end in words of a member that look like one.
    const id = interaction.isButton() ? customId : withoutVersion(customId);
    const [name = '', handlerName = '', ...args] = id.split(':');
    const command = byName.get(name);
    const handler = command && own(of(command), handlerName);
    if (!handler) throw new UserError(textsFor(interaction.locale).refusal.unknownComponent);
    await learnOffers(command, interaction);
    return { command, handler, args };
  }

  async function runButton(interaction: ButtonInteraction, reply: Reply): Promise<void> {
    const { command, handler, args } = await named(interaction, ({ buttons }) => buttons);
    await handler(invocationOf(command, interaction, reply, args));
  }

  async function runSelect(interaction: AnySelectMenuInteraction, reply: Reply): Promise<void> {
    const { command, handler, args } = await named(interaction, ({ selects }) => selects);
    const { values } = interaction;
    const channels = new Set(interaction.isChannelSelectMenu() ? interaction.channels.keys() : []);
    const shown = shownAsPicked(interaction);
    await handler(invocationOf(command, interaction, reply, { values, shown, channels, args }));
  }

  async function runForm(interaction: ModalSubmitInteraction, reply: Reply): Promise<void> {
    const { command, handler, args } = await named(interaction, ({ forms }) => forms);
    await handler(invocationOf(command, interaction, reply, { ...formOf(interaction), args }));
  }

  async function autocomplete(interaction: AutocompleteInteraction): Promise<void> {
    const { name, value } = interaction.options.getFocused(true);
    const command = known(byName.get(interaction.commandName), interaction.commandName);
    const { guildId, user, locale } = interaction;
    await learnOffers(command, interaction);
    const { guilds, requests, offers } = context;
    const { keptGraphs, guildSettings } = guilds;
    const { knownModels } = requests;
    const given = parseOptions(interaction.options.data).values;
    const { counts: usage } = context.usage;
    const memberId = user.id;
    const asked = { guildId, memberId, given, guildSettings, keptGraphs, knownModels, offers, usage };
    const choices = (await command.autocomplete?.(name, `${value}`, textsFor(locale), asked)) ?? [];
    await interaction.respond(
      choices
        .slice(0, MAX_CHOICES)
        .map(({ name, value }) => ({ name: truncate(name, MAX_NAME_CHARACTERS), value })),
    );
  }

  function invocationOf<Options>(
    command: Command,
    interaction: AnsweredInteraction,
    reply: Reply,
    options: Options,
  ): Invocation<Options, FeatureName> {
    return {
      options,
      caller: callerOf(interaction),
      permissions: permissionsOf(interaction),
      message:
        'message' in interaction && interaction.message ? sourceMessageOf(interaction.message) : undefined,
      reply,
      texts: textsFor(interaction.locale),
      context: contextOf(command, context),
    };
  }

  async function routeSafely(interaction: BaseInteraction): Promise<void> {
    try {
      await route(interaction);
    } catch (error) {
      metrics.unanswered();
      // Discord took no answer. There is nobody left to tell but the operator.
      const about = { err: error, interaction: interaction.id };
      if (error instanceof BotStopped) return log.info(about, 'an interaction was left to the next process');
      if (classifyDiscordError(error).kind === 'acknowledged')
        log.error(about, 'another process answers on this DISCORD_TOKEN: stop one of the two');
      else log.warn(about, 'an interaction could not be answered');
    }
  }

  async function refuse(interaction: BaseInteraction): Promise<void> {
    if (!interaction.isRepliable()) return;
    await refdClock.sleep(OTHER_ANSWERS_MS);
    const { id } = interaction;
    const content = textsFor(interaction.locale).refusal.storeDown(id);
    try {
      await interaction.reply({ content, flags: MessageFlags.Ephemeral });
      log.warn({ reference: id, interaction: id }, 'an interaction was refused: the store cannot be reached');
    } catch (error) {
      log.info({ err: error, interaction: id }, 'an interaction was not answered, or by another process');
    }
  }

  return {
    /** Never rejects. */
    route: (interaction: BaseInteraction): Promise<void> => inFlight.add(routeSafely(interaction)),
    /**
     * Says that the store is down, unless another process has answered until then: it may be down for this one only.
     * Never rejects.
     */
    refuse: (interaction: BaseInteraction): Promise<void> => inFlight.add(refuse(interaction)),
    /** Resolves when no handler runs. */
    idle: (): Promise<void> => inFlight.settled(),
  };
}

/** Throws where Discord sends the name of a command that is not among ours. */
function known<Found>(command: Found | undefined, name: string): Found {
  if (command !== undefined) return command;
  throw new Error(`${name} is registered with Discord, but this version has no such command`);
}

/** What stands under a name that anybody may have written. */
const own = <Value>(named: Readonly<Record<string, Value>> = {}, name: string): Value | undefined =>
  Object.hasOwn(named, name) ? named[name] : undefined;

/** Whoever types a secret into a prompt has to know: what they typed is not sent on, but it has left their hands. */
function refuseSecrets(texts: readonly unknown[], { locale }: Pick<BaseInteraction, 'locale'>): void {
  if (holdsSecret(...texts)) throw new UserError(textsFor(locale).refusal.secretInText);
}

function formOf(interaction: ModalSubmitInteraction): Pick<FormOptions, 'fields' | 'picked' | 'files'> {
  const fields: Record<string, string> = {};
  const picked: Record<string, readonly string[]> = {};
  const files: Record<string, readonly AttachedFile[]> = {};
  for (const field of interaction.fields.fields.values()) {
    if (field.type === ComponentType.TextInput) fields[field.customId] = field.value;
    else if ('attachments' in field) files[field.customId] = field.attachments.map(attachedFileOf);
    else if ('values' in field) picked[field.customId] = field.values;
  }
  const { [SECRET_FIELD]: _, ...others } = fields;
  refuseSecrets(Object.values(others), interaction);
  return { fields, picked, files };
}

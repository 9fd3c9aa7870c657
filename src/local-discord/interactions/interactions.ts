import {
  type APIApplicationCommandOptionChoice,
  type APIInteraction,
  type APIModalInteractionResponseCallbackData,
  type ApplicationCommandType,
  RESTJSONErrorCodes as Code,
  InteractionType,
} from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import { refusal } from '../rules/errors.ts';
import type { Channel, Interaction, Message, Provenance } from '../state/state.ts';
import { interactionPayload } from './payload.ts';
import { drawToken, FIRST_ANSWER_MS, hashToken, TOKEN_LIFE_MS } from './tokens.ts';

/** The first answer of a bot, or that none came. */
export type FirstAnswer =
  | { kind: 'message' | 'update'; messageId: string }
  | { kind: 'acknowledged' }
  | { kind: 'modal'; modal: APIModalInteractionResponseCallbackData }
  | { kind: 'choices'; choices: APIApplicationCommandOptionChoice[] }
  | { kind: 'lost' };

export interface NewInteraction {
  type: InteractionType;
  applicationId: string;
  userId: string;
  channel: Channel;
  owners: Provenance['owners'];
  forcedEphemeral: boolean;
  data: object;
  command?: { name: string; type: ApplicationCommandType };
  message?: Message;
  trigger?: Provenance;
}

/** How long an interaction is remembered after its token died, so that late calls get the right error. */
const MEMORY_MS = 4 * TOKEN_LIFE_MS;

/** Interactions from their start to the end of their token. `deliver` says to how many bots it went. */
export function createInteractions(
  core: Core,
  {
    deliver,
    firstAnswerMs = FIRST_ANSWER_MS,
  }: {
    deliver: (applicationId: string, payload: APIInteraction) => number;
    firstAnswerMs?: number | undefined;
  },
) {
  const { state, feed, clock, snowflakes, log } = core;
  const byHash = new Map([...state.interactions.values()].map((known) => [known.tokenHash, known]));
  const pending = new Map<string, { settle: (answer: FirstAnswer) => void; timer: AbortController }>();

  function forgetOld(): void {
    for (const [id, { createdAt, tokenHash }] of state.interactions) {
      if (clock.now() - createdAt < MEMORY_MS) return;
      state.interactions.delete(id);
      byHash.delete(tokenHash);
    }
  }

  function settle(interaction: Interaction, stage: 'answered' | 'lost', answer: FirstAnswer): void {
    interaction.stage = stage;
    const waiting = pending.get(interaction.provenance.id);
    pending.delete(interaction.provenance.id);
    waiting?.timer.abort();
    waiting?.settle(answer);
    feed.publish({ type: 'interaction-changed', interaction });
  }

  function lose(interaction: Interaction): void {
    if (interaction.stage === 'waiting') settle(interaction, 'lost', { kind: 'lost' });
  }

  return {
    start(request: NewInteraction): { interaction: Interaction; answer: Promise<FirstAnswer> } {
      forgetOld();
      const id = snowflakes.next();
      const token = drawToken(id);
      const interaction: Interaction = {
        provenance: {
          id,
          type: request.type,
          applicationId: request.applicationId,
          userId: request.userId,
          owners: request.owners,
          commandName: request.command?.name ?? null,
          commandType: request.command?.type ?? null,
          sourceMessageId: request.message?.id ?? null,
          originalMessageId: null,
          trigger: request.trigger ?? null,
        },
        tokenHash: hashToken(token),
        channelId: request.channel.id,
        guildId: request.channel.guildId,
        createdAt: clock.now(),
        stage: 'waiting',
        originalMessageId: null,
        ephemeral: false,
        forcedEphemeral: request.forcedEphemeral,
        messageIds: [],
        followUps: 0,
      };
      state.interactions.set(id, interaction);
      byHash.set(interaction.tokenHash, interaction);

      const timer = new AbortController();
      const answer = new Promise<FirstAnswer>((resolve) => pending.set(id, { settle: resolve, timer }));
      const payload = interactionPayload(core, interaction, {
        token,
        data: request.data,
        message: request.message,
      });
      if (deliver(request.applicationId, payload) === 0) lose(interaction);
      else {
        clock.sleep(firstAnswerMs, timer.signal).then(
          () => lose(interaction),
          () => log.trace({ interaction: id }, 'answered in time'),
        );
      }
      return { interaction, answer };
    },

    /**
     * Takes the right to give the first answer. `give` completes it; `release` returns the right after a refusal.
     * Source: 'Receiving and Responding', and 10062, 40060 in 'Opcodes and Status Codes'.
     */
    claim(id: string, token: string) {
      const interaction = byHash.get(hashToken(token));
      if (interaction?.provenance.id !== id) throw refusal(Code.UnknownInteraction);
      if (interaction.stage === 'answered') throw refusal(Code.InteractionHasAlreadyBeenAcknowledged);
      const late = () => clock.now() - interaction.createdAt > firstAnswerMs;
      if (interaction.stage === 'lost' || late()) throw refusal(Code.UnknownInteraction);
      interaction.stage = 'answered';
      return {
        interaction,
        give: (answer: FirstAnswer) => settle(interaction, 'answered', answer),
        release(): void {
          interaction.stage = 'waiting';
          if (late()) lose(interaction);
        },
      };
    },

    /** The answered interaction whose token opens a webhook. */
    open(applicationId: string, token: string): Interaction {
      const interaction = byHash.get(hashToken(token));
      if (!interaction || clock.now() - interaction.createdAt >= TOKEN_LIFE_MS) {
        throw refusal(Code.InvalidWebhookToken);
      }
      const known = interaction.provenance.applicationId === applicationId;
      if (
        !known ||
        interaction.stage !== 'answered' ||
        interaction.provenance.type === InteractionType.ApplicationCommandAutocomplete
      ) {
        throw refusal(Code.UnknownWebhook);
      }
      return interaction;
    },

    /** Nobody waits any longer: for the end of the process. */
    close(): void {
      for (const { timer, settle: end } of pending.values()) {
        timer.abort();
        end({ kind: 'lost' });
      }
      pending.clear();
    },
  };
}

export type Interactions = ReturnType<typeof createInteractions>;

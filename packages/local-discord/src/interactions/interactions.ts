import { createHash, randomBytes } from 'node:crypto';
import { systemClock } from '@darkroom/time';
import {
  type APIApplicationCommandOptionChoice,
  type APIInteraction,
  type APIModalInteractionResponseCallbackData,
  type ApplicationCommandType,
  RESTJSONErrorCodes as Code,
  InteractionType,
} from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { apiError } from '../rules/errors.ts';
import type { Channel, Interaction, InteractionMetadata, Message, Suggested } from '../state/state.ts';
import { interactionPayload } from './payload.ts';

/** Source: 'Receiving and Responding': the first answer, and how long a token works. */
const INITIAL_RESPONSE_MS = 3000;
const TOKEN_LIFE_MS = 15 * 60_000;
/**
 * Real milliseconds that a bot gets to read what its answer became before somebody presses a button of it. A person
 * needs longer to find the button; a bot that is told of the press first has nothing yet that listens for it.
 */
const BOT_READS_MS = 50;
/** How long an interaction is remembered after its token died, so that late calls get the right error. */
const MEMORY_MS = 4 * TOKEN_LIFE_MS;

/** The first answer of a bot, or that none came. */
export type InitialResponse =
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
  owners: InteractionMetadata['owners'];
  forcedEphemeral: boolean;
  data: object;
  command?: { name: string; type: ApplicationCommandType };
  message?: Message;
  trigger?: InteractionMetadata;
  suggestsFor?: Suggested;
}

/** Interactions from their start to the end of their token. `deliver` says to how many bots it went. */
export function createInteractions(
  context: Context,
  {
    deliver,
    initialResponseMs = INITIAL_RESPONSE_MS,
  }: {
    deliver: (applicationId: string, payload: APIInteraction) => number;
    initialResponseMs?: number | undefined;
  },
) {
  const { state, events, clock, snowflakes, log } = context;
  const byHash = new Map([...state.interactions.values()].map((known) => [known.tokenHash, known]));
  const pending = new Map<string, { settle: (answer: InitialResponse) => void; timer: AbortController }>();

  /** Answers whose outcome is on its way to their bot, by the interaction's id. */
  const onTheWay = new Map<string, Promise<void>>();

  function removeOld(): void {
    for (const [id, { createdAt, tokenHash }] of state.interactions) {
      if (clock.now() - createdAt < MEMORY_MS) return;
      state.interactions.delete(id);
      byHash.delete(tokenHash);
    }
  }

  function settle(interaction: Interaction, answer: InitialResponse): void {
    interaction.stage = answer.kind === 'lost' ? 'lost' : 'answered';
    const waiting = pending.get(interaction.metadata.id);
    pending.delete(interaction.metadata.id);
    waiting?.timer.abort();
    waiting?.settle(answer);
    events.publish({ type: 'interaction-changed', interaction });
  }

  function expire(interaction: Interaction): void {
    if (interaction.stage === 'waiting') settle(interaction, { kind: 'lost' });
  }

  return {
    start(request: NewInteraction): { interaction: Interaction; answer: Promise<InitialResponse> } {
      removeOld();
      const id = snowflakes.next();
      const token = createToken(id);
      const interaction: Interaction = {
        metadata: {
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
        ...(request.suggestsFor && { suggestsFor: request.suggestsFor }),
        createdAt: clock.now(),
        stage: 'waiting',
        originalMessageId: null,
        forcedEphemeral: request.forcedEphemeral,
        messageIds: [],
        followUps: 0,
      };
      state.interactions.set(id, interaction);
      byHash.set(interaction.tokenHash, interaction);

      const timer = new AbortController();
      const answer = new Promise<InitialResponse>((resolve) => pending.set(id, { settle: resolve, timer }));
      const payload = interactionPayload(context, interaction, {
        token,
        data: request.data,
        message: request.message,
      });
      if (deliver(request.applicationId, payload) === 0) expire(interaction);
      else {
        clock.sleep(initialResponseMs, timer.signal).then(
          () => expire(interaction),
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
      if (interaction?.metadata.id !== id) throw apiError(Code.UnknownInteraction);
      if (interaction.stage === 'answered') throw apiError(Code.InteractionHasAlreadyBeenAcknowledged);
      const late = () => clock.now() - interaction.createdAt > initialResponseMs;
      if (interaction.stage === 'lost' || late()) throw apiError(Code.UnknownInteraction);
      interaction.stage = 'answered';
      return {
        interaction,
        give: (answer: InitialResponse) => settle(interaction, answer),
        release(): void {
          interaction.stage = 'waiting';
          if (late()) expire(interaction);
        },
      };
    },

    /** `sent` resolves when the bot has been sent what its answer became. */
    noteOutcomeOnTheWay(id: string, sent: Promise<void>): void {
      const read = sent.then(() => systemClock.sleep(BOT_READS_MS)).finally(() => onTheWay.delete(id));
      onTheWay.set(id, read);
    },
    /** Resolves when the bot has had time to read what its answer to this interaction became. */
    untilOutcomeRead: async (id: string | undefined): Promise<void> => onTheWay.get(id ?? ''),

    /** The answered interaction whose token opens a webhook. */
    open(applicationId: string, token: string): Interaction {
      const interaction = byHash.get(hashToken(token));
      if (!interaction || clock.now() - interaction.createdAt >= TOKEN_LIFE_MS) {
        throw apiError(Code.InvalidWebhookToken);
      }
      const known = interaction.metadata.applicationId === applicationId;
      if (
        !known ||
        interaction.stage !== 'answered' ||
        interaction.metadata.type === InteractionType.ApplicationCommandAutocomplete
      ) {
        throw apiError(Code.UnknownWebhook);
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

/** A new interaction token, in the form and length of Discord's. */
function createToken(interactionId: string): string {
  return Buffer.from(`interaction:${interactionId}:${randomBytes(60).toString('hex')}`).toString('base64url');
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

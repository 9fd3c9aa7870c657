import { createFastClock } from '@darkroom/time/testing';
import { expect } from 'vitest';
import { answer } from '../../packages/image-api/test/support/behaviours.ts';
import type { Behaviour } from '../../packages/image-api/test/support/exchange.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { type BotWorldOptions, botWorld } from './bot.ts';

const FAULTY_PROMPT = 'a sick fox';
const FAULTY_TASK = 'deadbeef-0000-4000-8000-000000000000';

/** How the service treats one job; what is left out it does well. The last behaviour of a list stays. */
export interface Faults {
  submit?: readonly Behaviour[];
  status?: readonly Behaviour[];
  picture?: readonly Behaviour[];
  /** What the service offers, to all of them. */
  capabilities?: Behaviour;
}

/** The bot with a service that treats one job badly, and another one well. */
export async function faultyServiceWorld(
  { submit = [], status = [], picture = [], capabilities }: Faults = {},
  options: BotWorldOptions = {},
) {
  const service = await createHostileService();
  const accept = answer({ id: FAULTY_TASK, status: 'queued', message: 'Webhook support is coming.' });
  const following = (behaviours: readonly Behaviour[], politely: Behaviour): Behaviour => {
    const left = [...behaviours];
    return (exchange) => ((left.length > 1 ? left.shift() : left[0]) ?? politely)(exchange);
  };
  const submitFaulty = following(submit, accept);
  const statusFaulty = following(status, service.politely);
  const pictureFaulty = following(picture, service.politely);
  service.script('submit', (exchange) =>
    (exchange.request.body.includes(FAULTY_PROMPT) ? submitFaulty : service.politely)(exchange),
  );
  service.script('status', (exchange) =>
    (exchange.request.query.get('task_id') === FAULTY_TASK ? statusFaulty : service.politely)(exchange),
  );
  service.script('picture', (exchange) =>
    (exchange.request.url.includes(FAULTY_TASK) ? pictureFaulty : service.politely)(exchange),
  );
  if (capabilities) service.script('capabilities', capabilities);
  const world = await botWorld({
    imageUrl: service.baseUrl,
    operatorKey: A_KEY,
    timeoutMs: 4_000,
    clock: createFastClock({ factor: 20 }),
    ...options,
  });

  return {
    ...world,
    hostile: service,
    /** How often the faulty job was submitted. */
    submissions: () => service.requests('submit').filter(({ body }) => body.includes(FAULTY_PROMPT)).length,

    /** Invokes `/imagine` for the faulty job; resolves with its reply. */
    async ask(channelId = CHANNEL) {
      return messageOf(await world.member.invoke(channelId, 'imagine', { prompt: FAULTY_PROMPT }));
    },

    /**
     * Runs the faulty job and a healthy one beside it, which must come out. Resolves with the message that shows how
     * the faulty one ended.
     */
    async besideHealthy(meanwhile: () => unknown = () => undefined) {
      const reply = await this.ask();
      const healthy = world.imagined({ prompt: 'a healthy fox' }, { user: world.as(MODERATOR) });
      await meanwhile();
      const ended = await world.ended(reply.id);
      expect((await healthy).attachments).toHaveLength(1);
      return ended;
    },
  };
}

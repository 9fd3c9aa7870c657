import { expect } from 'vitest';
import { answer } from './behaviours.ts';
import { type BotWorldOptions, botWorld } from './bot.ts';
import { type Behaviour, createHostileService } from './hostile-service.ts';
import { createHurriedClock } from './hurried-clock.ts';
import { CHANNEL, MODERATOR } from './local-discord.ts';
import { A_KEY } from './polite-service.ts';

const SICK = 'a sick fox';
const SICK_TASK = 'deadbeef-0000-4000-8000-000000000000';

/** How the service treats one job; what is left out it does well. The last behaviour of a list stays. */
export interface Sickness {
  submit?: readonly Behaviour[];
  status?: readonly Behaviour[];
  picture?: readonly Behaviour[];
}

/** The bot with a service that treats one job badly, and another one well. */
export async function sickWorld(
  { submit = [], status = [], picture = [] }: Sickness = {},
  options: BotWorldOptions = {},
) {
  const service = await createHostileService();
  const accept = answer({ id: SICK_TASK, status: 'queued', message: 'Webhook support is coming.' });
  const following = (behaviours: readonly Behaviour[], politely: Behaviour): Behaviour => {
    const left = [...behaviours];
    return (exchange) => ((left.length > 1 ? left.shift() : left[0]) ?? politely)(exchange);
  };
  const submitSick = following(submit, accept);
  const statusSick = following(status, service.politely);
  const pictureSick = following(picture, service.politely);
  service.script('submit', (exchange) =>
    (exchange.request.body.includes(SICK) ? submitSick : service.politely)(exchange),
  );
  service.script('status', (exchange) =>
    (exchange.request.query.get('task_id') === SICK_TASK ? statusSick : service.politely)(exchange),
  );
  service.script('picture', (exchange) =>
    (exchange.request.url.includes(SICK_TASK) ? pictureSick : service.politely)(exchange),
  );
  const world = await botWorld({
    imageUrl: service.baseUrl,
    operatorKey: A_KEY,
    timeoutMs: 4_000,
    clock: createHurriedClock({ factor: 20 }),
    ...options,
  });

  return {
    ...world,
    hostile: service,
    /** How often the sick job was handed in. */
    submissions: () => service.requests('submit').filter(({ body }) => body.includes(SICK)).length,

    /** Asks for the sick picture; its reply. */
    async ask() {
      const asked = await world.member.invoke(CHANNEL, 'imagine', { prompt: SICK });
      if (asked.kind !== 'message') throw new Error(asked.kind);
      return asked.message;
    },

    /** Runs the sick job and a healthy one beside it, which must come out. How the sick one ended. */
    async besideHealthy(meanwhile: () => unknown = () => undefined) {
      const reply = await this.ask();
      const healthy = world.imagined({ prompt: 'a healthy fox' }, { hand: world.as(MODERATOR) });
      await meanwhile();
      const ended = await world.ended(reply.id);
      expect((await healthy).attachments).toHaveLength(1);
      await service.close();
      return ended;
    },
  };
}

import { MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createKnownModels } from '../../src/requests/known-models.ts';
import type { Store } from '../../src/storage/store.ts';
import { aJob, CALLED_BY } from '../support/job.ts';
import { createStoreWorld } from '../support/store.ts';

const ASKER = { memberId: CALLED_BY.member.id, guildId: CALLED_BY.guildId };

/** Known models, and what is read of their rows. */
async function modelsWorld() {
  const { store } = await createStoreWorld();
  const reads: string[] = [];
  const faults = { next: false };
  const watched: Store = {
    ...store,
    collection(name, schema, options) {
      const rows = store.collection(name, schema, options);
      return {
        ...rows,
        list(asked = {}) {
          reads.push(`${asked.prefix}`);
          if (!faults.next) return rows.list(asked);
          faults.next = false;
          return Promise.reject(new Error('the store is away'));
        },
      };
    },
  };
  const clock = createFakeClock();
  const models = createKnownModels({ store: watched, configured: [], retentionMs: MINUTE_MS, clock });
  return {
    reads,
    faults,
    clock,
    suggest: (typed: string) => models.suggest(typed, ASKER),
    /** A picture was made by this model. `models`: of another process unless given. */
    made: (model: string, by = createKnownModels({ store, retentionMs: MINUTE_MS, clock })) =>
      store.write(by.rowsOf(aJob({ submission: { prompt: 'a red fox', model }, state: 'delivered' }))),
    models,
  };
}

test('while a name is typed, what it may be is read once, and a minute later anew', async () => {
  const { reads, clock, suggest, made } = await modelsWorld();
  await made('foxes.safetensors');
  for (const typed of ['f', 'fo', 'fox']) expect(await suggest(typed)).toContain('foxes.safetensors');
  expect(reads).toEqual([`member:${ASKER.memberId}:`, `guild:${ASKER.guildId}:`]);
  await made('foxgloves.safetensors');
  await clock.advance(MINUTE_MS);
  expect(await suggest('fox')).toContain('foxgloves.safetensors');
});

test('a model is suggested as soon as a picture was made by it', async () => {
  const { suggest, made, models } = await modelsWorld();
  expect(await suggest('fox')).toEqual(['fox']);
  await made('foxes.safetensors', models);
  expect(await suggest('fox')).toContain('foxes.safetensors');
});

test('of what a service offers only what can be a choice is suggested', async () => {
  const { models } = await modelsWorld();
  const offered = ['', ' ', 'x'.repeat(101), 'half \ud83d', 'whole 🦊'];
  expect(await models.suggest('', { ...ASKER, offered })).toEqual(['whole 🦊']);
});

test('what could not be read is read with the next letter', async () => {
  const { faults, suggest, made } = await modelsWorld();
  await made('foxes.safetensors');
  faults.next = true;
  await expect(suggest('fo')).rejects.toThrow('the store is away');
  expect(await suggest('fox')).toContain('foxes.safetensors');
});

import { NOWHERE, silentLog, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { loadServiceConfig } from '../../src/config.ts';
import { openEngines } from '../../src/engines/open-engines.ts';
import { createFakeOpenai, OPENAI_KEY } from '../support/fake-openai.ts';

/** The models that a stand-in of OpenAI was asked about, with these workflows and an engine before it or none. */
async function modelsAskedFor(workflows: object, before: Readonly<Record<string, string>> = {}) {
  const openai = await createFakeOpenai();
  const config = loadServiceConfig({
    HOSTED_MODEL: 'openai:gpt-image-2.6-flare',
    HOSTED_API_KEY: OPENAI_KEY,
    HOSTED_BASE_URL: openai.baseUrl,
    SERVICE_WORKFLOWS: JSON.stringify(workflows),
    ...before,
  });
  const engines = await openEngines(config, { clock: systemClock, log: silentLog(), paceMs: 0 });
  onTestFinished(async () => void (await Promise.all(engines.map((engine) => engine.close()))));
  const hosted = engines.find(({ name }) => name === 'hosted');
  await hosted?.examine?.(AbortSignal.timeout(WAIT_TIMEOUT_MS)).catch(() => undefined);
  const models = openai.asked.flatMap(({ path }) => /^\/v1\/models\/(.+)/.exec(path)?.[1] ?? []);
  return new Set(models);
}

const WEBUI = { SDWEBUI_URL: NOWHERE };

test('a provider is asked about the models of those workflows only that it draws', async () => {
  const photo = { model: 'gpt-image-2.6-sunburst' };
  expect(await modelsAskedFor({ photo })).toEqual(new Set(['gpt-image-2.6-flare', 'gpt-image-2.6-sunburst']));
  expect(await modelsAskedFor({ photo }, WEBUI)).toEqual(new Set(['gpt-image-2.6-flare']));
  expect(await modelsAskedFor({ photo: { ...photo, engine: 'hosted' } }, WEBUI)).toEqual(
    new Set(['gpt-image-2.6-flare', 'gpt-image-2.6-sunburst']),
  );
});

test('it is asked about the model of a workflow that no engine before it can draw', async () => {
  const asked = await modelsAskedFor({ rough: { model: 'gpt-image-2.6-sunburst', like: 'rr3' } }, WEBUI);
  expect(asked).toContain('gpt-image-2.6-sunburst');
});

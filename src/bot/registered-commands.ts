import { type REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { Command } from './command.ts';

const registered = z.array(z.looseObject({ name: z.string() }));

/**
 * The names of those `commands` that Discord does not know, or of another version. `guildIds`: where they may be registered;
 * undefined is everywhere. Rejects where Discord does not say.
 */
export async function outdatedCommands(
  rest: REST,
  commands: readonly Pick<Command, 'data'>[],
  options: { applicationId: string; guildIds: readonly (string | undefined)[]; signal: AbortSignal },
): Promise<string[]> {
  const { applicationId, guildIds, signal } = options;
  const query = new URLSearchParams({ with_localizations: 'true' });
  const routes = guildIds.map((guildId) =>
    guildId === undefined
      ? Routes.applicationCommands(applicationId)
      : Routes.applicationGuildCommands(applicationId, guildId),
  );
  const answers = await Promise.all(routes.map((route) => rest.get(route, { query, signal })));
  const there = answers.flatMap((answer) => registered.parse(answer));
  return commands
    .filter(({ data }) => !there.some((one) => one.name === data.name && holds(one, data)))
    .map(({ data }) => data.name);
}

/** Whether everything that `wanted` says stands in `there` as well; what is left out, false or empty says nothing. */
function holds(there: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    const list: unknown[] = Array.isArray(there) ? there : [];
    return list.length === wanted.length && wanted.every((one, nth) => holds(list[nth], one));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    const fields = new Map(Object.entries(there ?? {}));
    return Object.entries(wanted).every(([name, value]) => holds(fields.get(name), value));
  }
  return (there ?? false) === (wanted ?? false);
}

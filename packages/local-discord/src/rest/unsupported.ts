import type { Logger } from 'pino';
import { isSnowflake } from '../state/snowflakes.ts';

/** Something that a bot asked for in vain. */
export interface UnsupportedRequest {
  /** Of HTTP, in upper case; `GATEWAY` for what was sent over the gateway. */
  method: string;
  /** With names for ids, as in Discord's documentation: `/channels/{channel_id}/pins`; or an opcode. */
  route: string;
  count: number;
}

/** A bot that asks for a thousand different things that do not exist is enough to know. */
const MAX_ROUTES = 1000;

/** What bots asked for and the local Discord does not have. */
export function createUnsupportedRequests({ log }: { log: Logger }) {
  const counts = new Map<string, UnsupportedRequest>();

  return {
    record(method: string, route: string): void {
      const key = `${method} ${route}`;
      const known = counts.get(key) ?? { method, route, count: 0 };
      if (known.count === 0 && counts.size >= MAX_ROUTES) return;
      if (known.count === 0)
        log.warn({ method, route }, 'a bot asked for what the local Discord does not have');
      known.count++;
      counts.set(key, known);
    },
    list: (): UnsupportedRequest[] => [...counts.values()].map((request) => ({ ...request })),
  };
}

export type UnsupportedRequests = ReturnType<typeof createUnsupportedRequests>;

/** Not a literal, because the compiler would follow it: the types of the package are sources, checked by our settings. */
const SPECIFICATION: string = 'discord-api-spec';

/** Every path of Discord's API, by method in lower case, with parameters as `{channel_id}`. */
const { pathsList: paths }: { pathsList: Readonly<Record<string, readonly string[] | undefined>> } =
  await import(SPECIFICATION);

/** The route of Discord's own API that a path belongs to, whatever the local Discord serves. */
export function discordRoute(method: string, path: string): string | undefined {
  const segments = path.split('/');
  const matches = (paths[method.toLowerCase()] ?? []).filter((template) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, index) => part === segments[index] || fits(part, segments[index] ?? ''))
    );
  });
  // `/messages/pins` fits `/messages/{message_id}` as little as `@me` is a user's id, but a token may be anything.
  const parameters = (template: string) => template.split('{').length;
  return matches.sort((a, b) => parameters(a) - parameters(b))[0];
}

function fits(part: string, segment: string): boolean {
  if (!part.startsWith('{') || segment === '') return false;
  return part.endsWith('_id}') ? isSnowflake(segment) : true;
}

/** Whether Discord has this path at all, by any method. */
export function isDiscordPath(path: string): boolean {
  return Object.keys(paths).some((method) => discordRoute(method, path) !== undefined);
}

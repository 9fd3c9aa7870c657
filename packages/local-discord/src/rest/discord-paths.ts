import { isSnowflake } from '../state/snowflakes.ts';

/**
 * Not a literal, because the compiler would follow it: the types of the package are sources, checked by our settings.
 */
const SPECIFICATION: string = 'discord-api-spec';

/**
 * Every path of Discord's own API, whatever the local Discord serves. Loaded when asked for: `require` takes no
 * await.
 */
export async function loadDiscordPaths() {
  /** By method in lower case, with parameters as `{channel_id}`. */
  const { pathsList: paths }: { pathsList: Readonly<Record<string, readonly string[] | undefined>> } =
    await import(SPECIFICATION);

  function routeOf(method: string, path: string): string | undefined {
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

  return {
    routeOf,
    has: (path: string): boolean => Object.keys(paths).some((method) => routeOf(method, path) !== undefined),
  };
}

function fits(part: string, segment: string): boolean {
  if (!part.startsWith('{') || segment === '') return false;
  return part.endsWith('_id}') ? isSnowflake(segment) : true;
}

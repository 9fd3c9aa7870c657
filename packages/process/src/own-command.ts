/** The script that npm has started this process for, such as `doctor`; undefined where it was not npm. */
export const npmScript = (): string | undefined => process.env.npm_lifecycle_event || undefined;

/**
 * A program of Darkroom as whoever has started this one types it: `npm run vault -- check` where npm has, which is in
 * a clone, else `darkroom vault check`. `args` are empty where others are to follow.
 */
export function ownCommand(program: string, args?: string): string {
  if (npmScript() === undefined) return `darkroom ${program} ${args ?? ''}`.trimEnd();
  if (args === undefined) return program === 'start' ? 'npm start' : `npm run ${program}`;
  return `npm run ${program} -- ${args}`.trimEnd();
}

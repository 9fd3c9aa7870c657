/** What can be given to `/imagine`, in the order in which people read it. */
const NAMES = [
  'prompt',
  'negative_prompt',
  'size',
  'workflow',
  'steps',
  'seed',
  'cfg',
  'model',
  'count',
  'private',
  'spoiler',
] as const;

type Given = Readonly<Partial<Record<(typeof NAMES)[number], string | number | boolean | undefined>>>;

/** The command as it can be pasted into Discord, in one line: `/imagine prompt:a red fox size:512x768 seed:7`. */
export const commandLine = (options: Given): string =>
  [
    '/imagine',
    ...NAMES.flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [`${name}:${`${value}`.replace(/\s+/g, ' ').trim()}`];
    }),
  ].join(' ');

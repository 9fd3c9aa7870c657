import { formatFlags } from '../../src/requests/flags.ts';

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

type Given = Readonly<Partial<Record<(typeof NAMES)[number], string | number | boolean | undefined>>> & {
  variation_of?: number | undefined;
};

/** The command as it can be pasted into Discord, in one line: `/imagine prompt:a red fox size:512x768 seed:7`. */
export const commandLine = ({ variation_of, prompt, ...options }: Given): string => {
  // It has no option of its own.
  const flags = variation_of === undefined ? '' : ` ${formatFlags({ variation_of })}`;
  const given: Given = { ...options, prompt: prompt === undefined ? undefined : `${prompt}${flags}` };
  return [
    '/imagine',
    ...NAMES.flatMap((name) => {
      const value = given[name];
      return value === undefined ? [] : [`${name}:${`${value}`.replace(/\s+/g, ' ').trim()}`];
    }),
  ].join(' ');
};

const examples = ['a red fox in the snow, soft light', 'a lighthouse at night, stars --ar 3:2'];

/** What `/help` teaches: short, and readable on a phone. */
export const help = {
  tabs: { make: 'Make one', type: 'What you can type', keys: 'Keys & privacy' },
  examples,
  tryExample: (nth: number) => `Try example ${nth}`,
  /** For who manages the server. */
  manage:
    '-# If you manage this server: `/settings panel` decides what is allowed in it, `/moderate reports` shows what members report, `/usage` what was made.',
  /** For who may run the bot. */
  setUp: (setup: string, doctor: string) =>
    `-# If you run this bot: \`${setup}\` connects it to what draws, \`${doctor}\` finds what is wrong.`,
  screens: {
    make: {
      title: 'Make a picture',
      lines: [
        'Type `/imagine` and what you want to see:',
        ...examples.map((example) => `> ${example}`),
        'It develops in the reply. Then press',
        '**Again** for another one',
        '**Edit** to change words, size or workflow',
        '**Vary** for two others of the same words, paid as two pictures',
        '**More** for its settings, **Delete**, and what else can be made of it',
        '\n`/jobs` lists your pictures.',
      ],
    },
    type: {
      title: 'What you can type',
      /** What has an effect. `workflow`: another one than the usual. `flags`: for fine-tuning. */
      lines: ({
        leavesOut,
        repeats,
        changes,
        workflow,
        flags,
      }: {
        leavesOut: boolean;
        repeats: boolean;
        /** Whether a picture of one's own can be changed. */
        changes: boolean;
        workflow: string | undefined;
        flags: readonly string[];
      }) => [
        'Options go into the prompt as well:',
        '`--ar 3:2` or `--size 1024x768`',
        ...(leavesOut ? ['`--no text, hands` to leave out'] : []),
        '`--n 4` for up to four pictures',
        ...(repeats ? ['`--seed 7` to get the same again'] : []),
        ...(workflow === undefined ? [] : [`\`--w ${workflow}\` for another workflow`]),
        ...(flags.length === 0 ? [] : [`${flags.map((flag) => `\`${flag}\``).join(' ')} for fine-tuning`]),
        '`--private` shows it to you alone, and `/jobs` once more; `--spoiler` hides it behind a click',
        ...(changes
          ? ['`image` begins with a picture of yours; so does **Use as picture** in the menu of a message']
          : []),
        '\n`a {red, blue} fox` makes one of each.',
      ],
    },
    keys: {
      title: 'Keys, credits, privacy',
      lines: [
        'Pictures are paid for with an API key of the image service: yours, or one of this server or bot.',
        'You type a key into a form that only you see. It is stored encrypted.',
        '\n`/balance` shows your credits and who pays',
        '`/apikey show` shows your key',
        '`/privacy` shows what is kept, and lets you erase it',
      ],
    },
  },
};

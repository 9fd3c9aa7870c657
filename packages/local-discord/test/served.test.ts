import { expect, test } from 'vitest';
import { openLocalDiscord } from './support/open-local-discord.ts';

const list = (lines: readonly string[]) => lines.map((line) => `- \`${line}\``).join('\n');

test('docs/served.md lists what is served: `npm run docs -w local-discord` writes it anew', async () => {
  const world = await openLocalDiscord();
  const { routes, events } = world.discord.served;
  const page = `# What the local Discord serves

Written by \`npm run docs -w local-discord\` from the route table; a test fails where it is not up to date.

## Routes

Below \`/api/v10\` and \`/api/v9\`. Everything else of Discord's API answers 501.

${list(routes().map(({ method, path }) => `${method} ${path}`))}

## Gateway events

${list(events())}

## What cannot be known here

- Custom emojis: those that the world names (\`emojis\` of an application) are there, every other id is refused.
- What Discord says of an empty value in an embed, and with which codes it refuses an emoji: taken from what bots
  report.
- With which codes it refuses more defaults than a field takes, and an entry of \`file_types\` that is no type.
- When Discord removes the file of a command or a form: its address ends after a day, as any other.
- What else Discord changes in the name of a text channel: here it becomes small, with a hyphen for blanks.
- Presences of people: nobody's is told. What a bot says of itself comes as an event.
- Whether a webhook of a channel may notify everybody, whatever \`@everyone\` may: here it may.
- \`@everyone\` may what Discord's client gives it in a new server. Servers of bots and templates may begin with less.
- All members asked for without the intent: Discord does not answer, and neither does this; the log says so.
- \`encoding=etf\` and \`compress=zstd-stream\` are not served: the gateway closes with 4012 and a sentence; the log names
  them.
`;
  await expect(page).toMatchFileSnapshot('../docs/served.md');
});

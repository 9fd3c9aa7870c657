import { expect, test } from 'vitest';
import {
  GUILD,
  MEMBER,
  MODERATOR,
  OUTSIDER,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { secrets } from './fixture.ts';
import { installation } from './installation.ts';

const masked = (owner: string) => `\`sk-…${secrets.linked[owner]?.key.slice(-4)}\``;

test('linked keys of 0.1.0 still pay; moderators see their credits once their owners have said so', async () => {
  const { text } = await installation({ discord: 'empty' });

  const member = await text(MEMBER, 'apikey show');
  expect(member).toContain(`${masked(`member:${MEMBER}`)} of **ada**`);
  expect(member).toContain('Moderators of this server cannot see its credits');

  const moderator = await text(MODERATOR, 'apikey show');
  expect(moderator).toContain(`${masked(`member:${MODERATOR}`)} of **bea**`);

  const server = await text(MODERATOR, 'apikey server show');
  expect(server).toContain(`${masked(`guild:${GUILD}`)} of **club**`);

  expect(await text(MODERATOR, 'balance', { member: MEMBER })).toContain('no linked key whose credits');
  expect(await text(OUTSIDER, 'balance', { member: MODERATOR })).toContain('hat keinen');
  expect(await text(MODERATOR, 'balance')).toContain('You have **0** credits.');
  expect(await text(OUTSIDER, 'balance')).toContain('club');
});

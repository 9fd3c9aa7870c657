import { expect, test } from 'vitest';
import {
  GUILD,
  MEMBER,
  MODERATOR,
  OUTSIDER,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { secrets } from './fixture.ts';
import { installation } from './installation.ts';

const tail = (owner: string) => `…${secrets.linked[owner]?.key.slice(-4)}`;

test('linked keys of 0.1.0 still pay, with the same visibility to moderators', async () => {
  const { text } = await installation({ discord: 'empty' });

  const member = await text(MEMBER, 'apikey show');
  expect(member).toContain(`${tail(`member:${MEMBER}`)} of **ada**`);
  expect(member).toContain('Moderators can see its credits');

  const moderator = await text(MODERATOR, 'apikey show');
  expect(moderator).toContain(`${tail(`member:${MODERATOR}`)} of **bea**`);
  expect(moderator).toContain('Moderators cannot see its credits');

  const server = await text(MODERATOR, 'apikey server show');
  expect(server).toContain(`${tail(`guild:${GUILD}`)} of **club**`);

  expect(await text(MODERATOR, 'balance', { member: MEMBER })).toMatch(/<@\d+> has \*\*\d+\*\* credits/);
  expect(await text(OUTSIDER, 'balance', { member: MODERATOR })).toContain('hat keinen');
  expect(await text(MODERATOR, 'balance')).toBe('**bea** has **0** credits.');
  expect(await text(OUTSIDER, 'balance')).toContain('club');
});

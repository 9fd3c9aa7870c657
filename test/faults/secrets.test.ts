import { contents, expectNoSecrets } from '@darkroom/testing';
import { Events } from 'discord.js';
import { expect, test } from 'vitest';
import { oneCall, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL, MEMBER, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';

test('a whole story leaves no key, login token, interaction token or bot token in clear anywhere', async () => {
  const world = await botWorld({ observed: true });
  const account = await world.service.addAccount();
  const secrets = new Set([world.discord.token(), world.service.key, world.service.loginToken]);
  for (const secret of [account.key, account.loginToken]) secrets.add(secret);
  // Discord tells every session of a bot of an interaction, with its token.
  const listener = await world.login();
  listener.on(Events.InteractionCreate, ({ token }) => void secrets.add(token));

  const fill = async (command: string, secret: string) => {
    const form = await world.member.invoke(CHANNEL, command);
    await settled(await fillIn(world.member, form, secret), world.member);
  };

  await fill('apikey link', account.key);
  await fill('apikey link', `${account.key}0`);
  await fill('apikey link', `sk-${'0'.repeat(48)}`);
  await fill('apikey generate', account.loginToken);
  await fill('apikey generate', `lt-${'1'.repeat(48)}`);
  const made = await world.service.call('/api.php?action=get_api_key', {
    json: { token: account.loginToken },
    headers: {},
  });
  const [generated] = /sk-[0-9a-f]{48}/.exec(await made.text()) ?? [];
  if (generated === undefined) throw new Error('no key was generated');
  secrets.add(generated);
  await run(world.member, 'apikey show');
  await run(world.member, 'balance');
  await world.imagined({ prompt: `a fox with ${account.key.slice(0, 20)}` });

  world.discord.faults.add({ next: oneCall.replyFiles, effect: { status: 500 }, times: 2 });
  world.discord.faults.add({ next: oneCall.replyFiles, effect: refusal(401, 50027), times: 2 });
  await world.imagined({ prompt: 'a red fox' }, { user: world.as(MODERATOR) });
  world.discord.faults.clear();
  world.discord.faults.add({ next: oneCall.callback, effect: refusal(404, 10062) });
  void world.member.invoke(CHANNEL, 'balance');
  await world.logs('could not be answered');
  const asked = await run(world.member, 'apikey revoke');
  await world.member.press(asked.id, buttonOf(asked, 'Revoke this key'));
  const outside = await Promise.all(
    ['/healthz', '/readyz', '/metrics'].map(async (path) => (await world.outside(path)).text()),
  );
  await world.stopBot();
  expect(secrets.size).toBeGreaterThan(10);

  const places = {
    'log of the bot': world.lines.join('\n'),
    'log of the service': world.service.lines.join('\n'),
    'store of the bot': await contents(world.folder),
    'files and database of the service': await contents(world.service.folder),
    messages: JSON.stringify(
      [MEMBER, MODERATOR].map((id) => world.as(id).messages(CHANNEL, { limit: 1_000 })),
    ),
    'view from outside': outside.join('\n'),
    'requests on record': JSON.stringify(world.discord.requests.list()),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(0);
  }
  expectNoSecrets(secrets, places);
  // What people ask for, and who they are, is nobody's business but theirs.
  expectNoSecrets(['fox', MEMBER, MODERATOR, CHANNEL], { 'view from outside': places['view from outside'] });
});

import { PermissionFlagsBits } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  smallWorld,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf, buttonRow } from '../support/buttons.ts';
import { fillIn, settled } from '../support/ephemeral-reply.ts';
import { FOX } from '../support/picture-world.ts';

/** A member for each right, who has no other. */
const HOLDERS = {
  ManageGuild: '200000000000000011',
  ManageMessages: '200000000000000012',
  ModerateMembers: '200000000000000013',
} as const;
type Right = keyof typeof HOLDERS;
const RIGHTS = Object.keys(HOLDERS) as Right[];

const roleOf = (right: Right) => `6${HOLDERS[right].slice(1)}`;
const worldOfHolders = {
  ...smallWorld,
  users: [...smallWorld.users, ...RIGHTS.map((right) => ({ id: HOLDERS[right], username: right }))],
  guilds: (smallWorld.guilds ?? []).map((guild) =>
    guild.id === GUILD
      ? {
          ...guild,
          roles: [
            ...(guild.roles ?? []),
            ...RIGHTS.map((right) => ({
              id: roleOf(right),
              name: right,
              permissions: PermissionFlagsBits[right],
            })),
          ],
          members: [
            ...guild.members,
            ...RIGHTS.map((right) => ({ userId: HOLDERS[right], roles: [roleOf(right)] })),
          ],
        }
      : guild,
  ),
};

test('each right lets its holder do what it is for, and nothing else', async () => {
  const world = await botWorld({ operatorKey: null, discord: { world: worldOfHolders } });
  const moderator = world.as(MODERATOR);
  const opened = await moderator.invoke(CHANNEL, 'apikey server link');
  await settled(await fillIn(moderator, opened, world.service.key), moderator);
  const picture = await world.imagined(FOX);
  const [jobId = ''] = /\d{17,20}/.exec(buttonOf(picture, en.picture.again)) ?? [];

  const client = await world.login();
  /** A message of the bot's own with this button alone, whatever stands under others by then. */
  const press = (id: string) => async (user: UserClient) => {
    const body = { components: [buttonRow(id).toJSON()] };
    const planted = (await client.rest.post(`/channels/${CHANNEL}/messages`, { body })) as APIMessage;
    return user.press(planted.id, id);
  };

  const said = async (answer: InteractionResult, user: UserClient) =>
    answer.kind === 'message' ? (await settled(answer, user)).content : answer.kind;
  const { needsManageMessages, needsModerateMembers, needsManageServerForCredits, notDeletable } = en.refusal;
  const actions: [string, (user: UserClient) => Promise<InteractionResult>, refusal: string, Right[]][] = [
    [
      'Cancel',
      press(`imagine:cancel:${BigInt(jobId).toString(36)}`),
      en.cancel.notYours,
      ['ManageMessages', 'ModerateMembers'],
    ],
    ['Delete', press(`imagine:delete:${MEMBER}:${picture.id}:${jobId}`), notDeletable, ['ManageMessages']],
    ['block by a report', press(`imagine:resolve:block:${jobId}`), needsModerateMembers, ['ModerateMembers']],
    ['dismiss a report', press(`imagine:resolve:dismiss:${jobId}`), needsManageMessages, ['ManageMessages']],
    ['delete by a report', press(`imagine:resolve:delete:${jobId}`), needsManageMessages, ['ManageMessages']],
    [
      'credits of a member',
      (user) => user.invoke(CHANNEL, 'balance', { member: MEMBER }),
      needsManageServerForCredits,
      ['ManageGuild'],
    ],
    [
      'credits of the server',
      (user) => user.invoke(CHANNEL, 'balance'),
      en.balance.guildPays,
      ['ManageGuild'],
    ],
  ];
  for (const [action, act, refusal, may] of actions) {
    const done: Right[] = [];
    for (const right of RIGHTS) {
      const user = world.as(HOLDERS[right]);
      if ((await said(await act(user), user)) !== refusal) done.push(right);
    }
    expect([action, done]).toEqual([action, may]);
  }
});

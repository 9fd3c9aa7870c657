import { ownCommand } from '@darkroom/process';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import type { PageOptions, World } from 'local-discord';
import { hostWords } from './host-words.ts';

/** A user whom the visitor of the playground can be. */
export interface DemoUser {
  id: string;
  /** Also the name of their account with the image service. */
  username: keyof ReturnType<typeof hostWords>['about'];
  displayName: string;
  /** Credits that they are given once. */
  credits: number;
  /** Whether their account has a key, and the bot knows it, from the first start on. */
  linked: boolean;
}

export const BOT_ID = '410000000000000018';

const STUDIO = '420000000000000011';
const FIELD_TRIP = '430000000000000025';
const MODERATORS = '460000000000000001';
const FIELD_MODERATORS = '460000000000000002';

export const MEMBER: DemoUser = {
  id: '400000000000000007',
  username: 'member',
  displayName: 'Member',
  credits: 500,
  linked: true,
};

export const MODERATOR: DemoUser = {
  id: '400000000000000019',
  username: 'moderator',
  displayName: 'Moderator',
  credits: 500,
  linked: true,
};

const NEWCOMER: DemoUser = {
  id: '400000000000000039',
  username: 'newcomer',
  displayName: 'Newcomer',
  credits: 50,
  linked: false,
};

export const DEMO_USERS: readonly DemoUser[] = [MEMBER, MODERATOR, NEWCOMER];

/** Where `npm run demo` draws, and where the page opens. */
export const FIRST_CHANNEL = '440000000000000001';
export const SECOND_CHANNEL = '440000000000000002';
/** The bot may not attach files here. */
const WORDS_ONLY_CHANNEL = '440000000000000004';

const moderation =
  PermissionFlagsBits.ManageGuild |
  PermissionFlagsBits.ManageMessages |
  PermissionFlagsBits.ModerateMembers |
  PermissionFlagsBits.ManageChannels |
  PermissionFlagsBits.KickMembers;

const members = (moderators: string) => [
  { userId: MEMBER.id },
  { userId: MODERATOR.id, roles: [moderators] },
  { userId: NEWCOMER.id },
  { userId: BOT_ID },
];

/** What the playground's local Discord begins with: two servers, three users, one bot. */
export const DEMO_WORLD: World = {
  applications: [{ id: BOT_ID, name: 'Darkroom', description: 'Develops pictures in the chat.' }],
  users: DEMO_USERS.map(({ id, username, displayName }) => ({ id, username, displayName, locale: 'en-US' })),
  guilds: [
    {
      id: STUDIO,
      name: 'Studio',
      ownerId: MODERATOR.id,
      roles: [{ id: MODERATORS, name: 'Moderators', permissions: moderation, color: 0xf0883e }],
      members: members(MODERATORS),
      channels: [
        { id: FIRST_CHANNEL, name: 'darkroom', topic: 'Pictures develop here, in front of everybody.' },
        { id: SECOND_CHANNEL, name: 'lounge', topic: 'Talk. The bot answers here as well.' },
        { id: '440000000000000003', name: 'after-dark', topic: 'Age-restricted.', nsfw: true },
        {
          id: WORDS_ONLY_CHANNEL,
          name: 'words-only',
          topic: 'The bot may not attach files here.',
          overwrites: [{ id: BOT_ID, kind: 'member', deny: PermissionFlagsBits.AttachFiles }],
        },
      ],
    },
    {
      id: FIELD_TRIP,
      name: 'Field Trip',
      ownerId: MODERATOR.id,
      roles: [{ id: FIELD_MODERATORS, name: 'Guides', permissions: moderation, color: 0x3ba55d }],
      members: members(FIELD_MODERATORS),
      channels: [
        { id: '450000000000000001', name: 'postcards', topic: 'Places that nobody has been to.' },
        { id: '450000000000000002', name: 'birds', topic: 'Sightings.' },
      ],
    },
  ],
};

/** How the chat page shows that world. */
export const DEMO_PAGE: PageOptions = {
  title: 'Darkroom playground',
  notice: (locale) => hostWords(locale).notice(ownCommand('setup')),
  users: DEMO_USERS.map(({ id, username }) => ({ id, about: (locale) => hostWords(locale).about[username] })),
  suggestedCommand: 'imagine',
  examples: (locale) => hostWords(locale).examples,
};

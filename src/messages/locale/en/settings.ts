import type { GuildSettings } from '../../../guilds/guild-settings.ts';
import type { LimitSet } from '../../../limits/limit-set.ts';

export const settings = {
  heading: 'Server settings',
  /** What `/settings check` looks at, and what mends it. */
  check: {
    permissions: 'My permissions in this channel',
    commands: 'My commands',
    outdated: (names: string) =>
      `Missing here or outdated: ${names}. Tell the operator of this bot to register the commands again.`,
    commandsUnknown: 'Discord does not say which are registered. Try again in a few minutes.',
    service: 'The image service',
    serviceDown: 'It does not answer. Try again in a few minutes, then tell the operator of this bot.',
    key: 'The key of this server',
    keyRefused: 'The image service does not accept it. Link another one with `/apikey server link`.',
    pictures: 'New pictures',
    mayNotPost: (channel: string) =>
      `I cannot post in ${channel}. Allow me to see it and to send messages there, or choose another one in \`/settings panel\`.`,
    store: 'My own storage',
  },
  /** What `/settings log` shows. */
  log: {
    heading: '**Log of this server**',
    none: 'The log of this server is empty. It shows who changed settings and keys, and what moderators did.',
  },
  unreadable:
    'The settings of this server cannot be read any more. Until you have set them again there are no new pictures: go through the sections, and allow new pictures at the end.',
  sections: {
    general: 'General',
    access: 'Where and who',
    pictures: 'Pictures',
    limits: 'Limits',
    moderation: 'Moderation',
  },
  names: {
    paused: 'Paused',
    privateByDefault: 'Private by default',
    locale: 'Language',
    channels: 'Channels',
    roles: 'Roles',
    ownPictures: 'Members’ own pictures',
    ownPictureChannels: 'Own pictures: channels',
    ownPictureRoles: 'Own pictures: roles',
    workflows: 'Allowed workflows',
    defaultWorkflow: 'Default workflow',
    defaultSize: 'Default size',
    largestSize: 'Largest size',
    mostSteps: 'Most steps',
    blockedWords: 'Blocked words',
    blocked: 'Blocked members',
    flagged: 'Flagged pictures',
    notify: 'Tell members when ready',
    logChannelId: 'Log channel',
    reportChannelId: 'Report channel',
  },
  limits: {
    openRequests: 'Open requests per member',
    memberHour: 'Pictures per member per hour',
    memberDay: 'Pictures per member per day',
    guildHour: 'Pictures of the server per hour',
    guildDay: 'Pictures of the server per day',
    keyDay: 'Pictures paid by the server key per day',
    keyMonth: 'Pictures paid by the server key per month',
    keyCreditsDay: 'Credits of the server key per day',
    keyCreditsMonth: 'Credits of the server key per month',
  } satisfies Record<keyof LimitSet, string>,
  limitForms: {
    member: 'Limits of members',
    guild: 'Limits of the server',
    key: 'Budget of the server key',
  },
  emptyIsOperators: 'Empty: only the operator’s limit. Hours, days and months are in UTC.',
  emptyIsUnlimited: 'Empty: no limit. Days and months are in UTC.',
  toggle: {
    paused: (on: boolean): string => (on ? 'Allow new pictures' : 'Pause'),
    ownPictures: (on: boolean): string =>
      on ? 'Forbid pictures of one’s own' : 'Allow pictures of one’s own',
    privateByDefault: (on: boolean): string => (on ? 'Show pictures to everybody' : 'Make pictures private'),
  },
  flagged: {
    show: 'shown like any other',
    spoiler: 'behind a spoiler, unless the channel is age-restricted',
    private: 'only to whoever asked, unless the channel is age-restricted',
  } satisfies Record<GuildSettings['flagged'], string>,
  notify: {
    always: 'always',
    slow: 'when it took over a minute',
    never: 'never',
  } satisfies Record<GuildSettings['notify'], string>,
  wordsForm: {
    label: 'Words',
    description: 'One per line. * stands for any letters: cat* also blocks cats.',
  },
  on: 'yes',
  off: 'no',
  everyWorkflow: 'all',
  everywhere: 'everywhere',
  everybody: 'everybody',
  nobody: 'nobody',
  nothing: 'none',
  nowhere: 'none',
  /** In place of a channel for reports. */
  reportsByCommand: 'none; `/moderate reports` shows them',
  unlimited: 'not limited',
  /** What nobody in the server has decided, or not as strictly. */
  ofOperator: (limit: string) => `${limit} (set by the operator of this bot)`,
  /** In place of a choice. */
  whereUndecided: {
    locale: 'each member’s own',
    defaultWorkflow: 'up to the member',
    defaultSize: 'up to the member',
    largestSize: 'not limited',
    mostSteps: 'not limited',
  },
  languages: (locale: string) => new Intl.DisplayNames('en', { type: 'language' }).of(locale) ?? locale,
  unseen: (channel: string) => `${channel} (I cannot see it)`,
  /** Where a list has such a channel. */
  unseenStay: 'What I cannot see stays in its list. To take it out, let me view it first.',
  deleted: (id: string) => `⚠️ deleted (${id})`,
  noLimit: (name: string, most: number) =>
    `**${name}** must be a whole number from 1 to ${most}, or empty. Nothing was changed.`,
  tooManyWords: (most: number) => `There can be ${most} blocked words at most. Nothing was changed.`,
  wordsChangedSince:
    'Somebody has changed the blocked words since you opened the form. Nothing was changed. Look at their words and yours together, then send the form again.',
  noWord: (word: string, characters: number) =>
    `**${word}** cannot be blocked: a word needs a letter or a digit, and can have ${characters} characters at most. Nothing was changed.`,
  changedSince:
    'Somebody has changed this list since you opened the settings, and your pick no longer fits. Nothing was changed. Open `/settings panel` again.',
  notHere: 'That is not in this server. Nothing was changed.',
  idsUnknown:
    'Discord does not tell me which channels and roles this server has. Nothing was changed. Try again in a minute.',
  defaultNotOffered: 'The default workflow has to be one of the allowed ones. Nothing was changed.',
  defaultTooLarge: 'The default size cannot have more pixels than the largest size. Nothing was changed.',
};

/** What a member has decided for all of their requests. */
export const mySettings = {
  open: 'My defaults',
  heading: 'Your defaults',
  nothing: 'You have no defaults yet. Whatever you don’t say in `/imagine`, the server decides.',
  names: {
    count: 'Pictures',
    private: 'Private',
    spoiler: 'Spoiler',
  },
  yesOrNo: (yes: boolean): string => (yes ? 'yes' : 'no'),
  moreDescription: (flags: readonly string[]) =>
    `Such as ${[...flags, '--n 4 --private --spoiler'].join(' ')}`,
  noSeed: 'With a fixed seed you would get the same picture each time. Leave it out.',
  asks: (on: boolean): string =>
    on ? 'Don’t ask me before several pictures' : 'Ask me before several pictures',
  notify: {
    undecided: 'Finished pictures: as the server decides',
    always: 'Tell me when a picture is ready',
    slow: 'Tell me when it took over a minute',
    never: 'Never tell me',
  },
  reset: 'Reset',
};

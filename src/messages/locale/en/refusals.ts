import type { Payer } from '../../../credentials/key-owner.ts';
import type { TaskFailure } from '../../../jobs/job-task.ts';
import type { Limited } from '../../../limits/reservation.ts';
import { either, list, number } from './formats.ts';

/** A sentence that is another one for who pays with a key of their own, through their server, or not at all. */
type ByPayer = Record<Payer['kind'], string>;

/** As Discord's settings name them. */
export const permissions = {
  ViewChannel: 'View Channel',
  SendMessages: 'Send Messages',
  AttachFiles: 'Attach Files',
  EmbedLinks: 'Embed Links',
  ReadMessageHistory: 'Read Message History',
  SendMessagesInThreads: 'Send Messages in Threads',
  Connect: 'Connect',
};

export const failure = {
  heading: (prompt: string) => `Couldn’t make **${prompt}**`,
  someFailed: (failed: number, all: number, explained: boolean) =>
    `${failed} of ${all} pictures did not come out${explained ? ':' : '.'}`,
  tooFewCredits: (required: number, balance: number) =>
    `Not enough credits: a picture costs **${number(required)}**, you have **${number(balance)}**.`,
  references: (references: readonly string[]) =>
    `${references.length === 1 ? 'Reference' : 'References'} ${references.join(', ')}`,
  mayBeCharged: {
    member: 'Credits may have been taken: check `/balance`.',
    guild: 'Credits of this server may have been taken.',
    operator: 'Credits of this bot’s operator may have been taken; none of yours.',
  } satisfies ByPayer,
  link: (url: string) => `You may be able to open it yourself: ${url}`,
  serviceSays: (reason: string) => `It said: ${reason}`,
  reasons: {
    unreachable: 'The image service cannot be reached. Nothing was sent. Try again in a few minutes.',
    timeout: 'The image service took too long to answer. Try again in a few minutes.',
    interrupted: 'The connection to the image service broke. Try again in a few minutes.',
    busy: 'The image service is too busy. Try again in a few minutes.',
    broken: 'The image service has a problem. Try again in a few minutes.',
    refused: 'The image service refused the request.',
    unauthorized: {
      member: 'The image service did not accept your key. Link a valid one with `/apikey link`.',
      guild:
        'The image service did not accept the key of this server. Link one of your own with `/apikey link`, or ask whoever manages the server to link a valid one.',
      operator:
        'The image service did not accept the key of this bot’s operator. Link one of your own with `/apikey link`.',
    },
    'insufficient-balance': {
      member: 'You do not have enough credits for this picture. `/balance` shows what is left.',
      guild:
        'This server does not have enough credits for this picture. With a key of your own, linked with `/apikey link`, you pay yourself.',
      operator:
        'The operator of this bot does not have enough credits for this picture. With a key of your own, linked with `/apikey link`, you pay yourself.',
    },
    'not-found': 'The image service no longer knows this picture.',
    protocol: 'The image service gave an answer that makes no sense. Try again later.',
    blocked: 'The image service offered a file that cannot be shown here.',
    'task-failed': 'The image service could not make this picture.',
    withheld: 'The image service stopped this picture and does not hand it out.',
    'timed-out': 'The image service did not finish in time, so I stopped waiting for this picture.',
    'given-up': 'The image service did not finish in time. I had it stop, so it cost nothing.',
    unclear: 'I don’t know whether the image service took the request.',
    cancelled: 'Cancelled.',
    withdrawn: 'Cancelled before it was sent, so it cost nothing.',
    left: 'I stopped waiting for it.',
    moved: 'This bot now uses another image service, and this picture cannot be fetched from the one before.',
    'no-key': 'The key that paid for it is no longer there.',
    unfetched: 'The picture is finished, but the image service does not hand it over.',
    unwritten: 'Something broke on our side before it was sent, so it cost nothing.',
    'no-turn':
      'After two hours it was still not its turn: too much else was waiting, or the image service did not take it. It cost nothing.',
    'input-gone':
      'The picture that it begins with has expired, or is no longer there. Nothing was charged: begin with it again.',
    'input-unreadable':
      'The image service cannot read this picture. Nothing was charged: use a PNG, JPEG or WebP file that is whole.',
    'input-too-large':
      'This picture has too many bytes or pixels. Nothing was charged: use one of at most 10 MiB and 24 megapixels.',
    'result-too-large':
      'That would be larger than pictures may be here. Nothing was charged: use a smaller picture.',
    unsupported: 'The image service cannot do that with this picture. Nothing was charged.',
    restarted: 'This bot was restarted, or away, before it was sent, so it cost nothing.',
    internal:
      'Something broke on our side. Try again; if it goes on, give the operator of this bot the reference.',
  } satisfies Record<TaskFailure['kind'], string | ByPayer>,
};

/** What a server has decided. */
export const rules = {
  unreadable:
    'I can no longer read what this server allows, so there are no pictures for now. Whoever manages it can set it again with `/settings panel`.',
  paused: 'Pictures are paused in this server. Whoever manages it can resume them with `/settings panel`.',
  blocked: (until: string | undefined) =>
    until === undefined
      ? 'You are blocked from making pictures in this server. A moderator can change that.'
      : `You are blocked from making pictures in this server. That ends ${until}.`,
  channels: (channels: readonly string[]) => `Pictures can only be asked for in ${channels.join(', ')}.`,
  roles: (roles: readonly string[]) =>
    `To ask for pictures here you need one of these roles: ${roles.join(', ')}.`,
  ownPictures: 'This server does not let members use pictures of their own.',
  ownPicturesAgeRestricted:
    'Pictures of one’s own cannot be used in an age-restricted channel, unless the channel is picked for that in `/settings panel`, under **Own pictures: channels**.',
  ownPictureChannels: (channels: readonly string[]) =>
    `Pictures of one’s own can only be used in ${channels.join(', ')}.`,
  ownPictureRoles: (roles: readonly string[]) =>
    `To use pictures of your own here you need one of these roles: ${roles.join(', ')}.`,
  largestSize: (size: string, largest: string) =>
    `Pictures can have no more pixels than ${largest} here, and this would have ${size}. Choose a smaller \`size\`.`,
  mostSteps: (steps: number, most: number) =>
    `\`steps\` can be ${most} at most here, and this would have ${steps}. Choose fewer.`,
  workflow: (workflow: string, allowed: readonly string[]) =>
    `This server does not allow the workflow **${workflow}**. Choose ${either.format(allowed)}.`,
  blockedWord: (word: string) => `This server does not allow **${word}**. Ask for it in other words.`,
};

export const limits = {
  openRequests: (limit: number) =>
    limit === 1
      ? 'You already have a request under way, and only one at a time is allowed. Wait for it, or cancel it in `/jobs`.'
      : `You already have ${limit} requests under way, and no more are allowed at a time. Wait for one, or cancel one in \`/jobs\`.`,
  reached: (limited: Limited, per: 'picture' | 'credit', limit: number, ends: string) => {
    const most = `${number(limit)} ${per}${limit === 1 ? '' : 's'}`;
    const whose = {
      member: `That would exceed your limit of ${most}.`,
      guild: `That would exceed this server’s limit of ${most}.`,
      share: `That would exceed your limit of ${most} with the key of this server.`,
      key: `That would exceed the shared key’s budget of ${most}.`,
    }[limited];
    const own = limited === 'share' || limited === 'key' ? ' With a key of your own you pay yourself.' : '';
    return `${whose} It resets ${ends}.${own}`;
  },
};

export const refusal = {
  needsModerateMembers: 'You need the permission **Timeout Members** for that.',
  integerRange: (field: string, min: number, max: number) =>
    `\`${field}\` must be a whole number from ${min} to ${max}.`,
  numberRange: (field: string, min: number, max: number) =>
    `\`${field}\` must be a number from ${min} to ${max}.`,
  size: (presets: readonly string[], min: number, max: number) =>
    `\`size\` can be a preset (${presets.join(', ')}), a ratio such as \`3:2\`, or pixels such as \`1024x768\`, each side from ${min} to ${max}.`,
  prompt: '`prompt` must say what to draw.',
  model: '`model` must name a model.',
  workflow: (known: readonly string[]) => `\`workflow\` must be one of ${known.join(', ')}.`,
  /** `workflows`: in which it has one. */
  noEffect: (option: string, workflows: readonly string[]) =>
    workflows.length === 0
      ? `\`${option}\` has no effect here. Leave it out.`
      : `\`${option}\` has no effect in this workflow. Leave it out, or choose ${either.format(workflows)}.`,
  storeDown: (reference: string) =>
    `My own storage does not answer at the moment. Nothing was done, and it cost nothing. Try again in a minute. Reference ${reference}.`,
  serviceDown: 'The image service is not answering right now. Nothing was sent. Try again in a minute.',
  interrupted: 'I was interrupted just now. Nothing was sent. Try again in a few seconds.',
  unreadableKey: 'Your linked key cannot be read here any more. Link it again.',
  unreadableServerKey:
    'The key of this server cannot be read here any more. Whoever manages the server has to link it again with `/apikey server link`.',
  secretInText:
    'That contains an API key or a login token. Nothing was sent or stored, but others may have seen it: revoke a key with `/apikey revoke` if it is your linked one, otherwise at the image service, and get another login token there. Type either only into the forms of `/apikey`.',
  keyForToken: 'That is a key, not a login token. Nothing was sent. To link a key, use `/apikey link`.',
  tooManyAttempts: (until: string) => `Too many attempts. Try again ${until}.`,
  notOfServer: 'That role is not one of this server.',
  unseen: (channel: string) =>
    `I cannot see ${channel}. Allow me **${permissions.ViewChannel}** and **${permissions.SendMessages}** there and choose it again, or choose another one. Nothing was changed.`,
  botNotInServer:
    'I am not a member of this server, so its key could not pay here. Add me to the server first.',
  nothingKeptHere:
    'I am not a member of this server, so I could not keep its settings. Add me to the server first.',
  noVisibleKey: (mention: string) => `${mention} has linked no key, or does not show you its credits.`,
  memberKeyRejected: (mention: string) => `The image service does not accept the key of ${mention} any more.`,
  missingPermissions: (missing: readonly (keyof typeof permissions)[]) =>
    `I need ${list.format(missing.map((name) => `**${permissions[name]}**`))} here. Whoever manages this channel can allow that.`,
  mayNotWrite:
    'You may not write in this channel, so I cannot post a picture here for you. A private one is still possible.',
  notDeletable: 'Only the member who asked for it, or a moderator, can delete it.',
  serverOnly: 'This works in servers only.',
  needsManageMessages: 'You need the permission **Manage Messages** for that.',
  needsManageServer: 'You need the permission **Manage Server** for that.',
  needsManageServerForCredits: 'You need the permission **Manage Server** to see the credits of others.',
  month: '`month` must be a year and a month, such as `2026-11`.',
  tokenRejected:
    'The image service did not accept this login token. Copy it again. A token works only at the service that made it: the playground has a service of its own.',
  keyRejected: 'The image service did not accept this key. Copy it again, or link another one.',
  invalidKey: 'That is not a key: a key is `sk-` followed by 48 hexadecimal characters.',
  restarted:
    'I was restarted before I could answer. It may have worked all the same: have a look before you try again.',
  unknownComponent: 'This button or form is from an older version. Use the command again.',
};

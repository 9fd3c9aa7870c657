import type { KeyOwner } from '../../../credentials/key-owner.ts';
import { boldCredits, list, number } from './formats.ts';

const of = (username: string | undefined): string => (username === undefined ? '' : ` of **${username}**`);

export const balance = {
  show: 'Show balance',
  own: (credits: number) => `You have ${boldCredits(credits)}.`,
  ofGuild: (credits: number, username: string | undefined) =>
    `This server’s account${username === undefined ? '' : ` **${username}**`} has ${boldCredits(credits)}.`,
  guildPays: 'The key of this server pays for your pictures.',
  operatorPays: 'The operator of this bot pays for your pictures.',
  ofMember: (mention: string, credits: number) => `${mention} has ${boldCredits(credits)}.`,
  paidWith: (key: string, username: string | undefined) =>
    `The key \`${key}\`${of(username)} pays for your pictures here.`,
  allowance: (pictures: number, until: string) =>
    `You can ask for **${pictures}** more ${pictures === 1 ? 'picture' : 'pictures'} here; that resets ${until}.`,
  today: (own: number, all: number, credits: number) =>
    `Pictures here today: **${own}** by this member, ${all} in all. Shared keys paid ${boldCredits(credits)}.`,
  lastPictures: 'What your last pictures cost:',
  cost: (credits: number, prompt: string) => `- **${number(credits)}** · ${prompt}`,
};

/** For who has nothing to pay with yet. */
export const firstKey = {
  needed: 'You need an API key to make pictures. It pays for them with your credits at the image service.',
  goesOn: 'Your picture is then made right away.',
};

export const apiKey = {
  create: 'Create a key',
  link: 'Link a key',
  linkForServer: 'Link a key for the server',
  linkForm: {
    title: 'Link a key',
    label: 'A key of the image service',
    description: 'Only this bot reads it; it is stored encrypted.',
    placeholder: 'sk-…',
  },
  generateForm: {
    title: 'Create a key',
    label: 'Your login token of the image service',
    description: 'It is used once to create a key, and not kept.',
  },
  revokeForm: {
    title: 'Revoke a key',
    label: 'Your login token of the image service',
    description: 'It is used once to revoke the key, and not kept.',
  },
  /** In the form that links a key, within a server. */
  consent: {
    label: 'May server managers see your credits?',
    description: 'They never see the key. /apikey show says who looked, and lets you change this.',
    yes: 'Yes, whoever has Manage Server here may',
    no: 'No, only I see them',
  },
  linked: (key: string, username: string | undefined) =>
    `The key \`${key}\`${of(username)} is linked and pays for your pictures.`,
  /** By another one. */
  replaced: (owner: KeyOwner['kind'], key: string, username: string | undefined): string => {
    const told = `It replaces \`${key}\`${of(username)}, which is erased here but **stays valid at the image service** until somebody revokes it there.`;
    return owner === 'guild' ? told : `${told} \`/apikey revoke\` can revoke every key of an account.`;
  },
  shown: (key: string, username: string | undefined, since: string) =>
    `The key \`${key}\`${of(username)} has been linked since ${since}.`,
  /** `elsewhere`: in how many other servers. */
  visibleTo: (here: boolean, elsewhere: number): string => {
    const servers = `${elsewhere} ${here ? 'other ' : ''}${elsewhere === 1 ? 'server' : 'servers'} where you allowed it`;
    const where = [...(here ? ['this server'] : []), ...(elsewhere > 0 ? [servers] : [])];
    return where.length === 0
      ? 'Nobody else can see its credits.'
      : `Beside you, only who has **Manage Server** in ${list.format(where)} can see its credits, and never the key.`;
  },
  reveal: 'Let server managers here see my credits',
  hide: 'Hide my credits from server managers here',
  lookedAt: (by: string, moment: string) => `Looked at by ${by} ${moment}.`,
  rejectedSince: (moment: string, command: string) =>
    `The image service no longer accepts it; that was noticed ${moment}. Link another one with ${command}.`,
  linkCommand: { member: '`/apikey link`', guild: '`/apikey server link`' } satisfies Record<
    KeyOwner['kind'],
    string
  >,
  notStored: 'The key was not stored.',
  readOnTheWay:
    'Careful: this bot reaches the image service without encryption, so that keys can be read on the way. Its operator can change that.',
  linkedForServer: (key: string, username: string | undefined) =>
    `The key \`${key}\`${of(username)} is linked. It pays in this server for everybody who has no key; \`/apikey server settings\` sets limits.`,
  shownForServer: (key: string, username: string | undefined, since: string) =>
    `The key \`${key}\`${of(username)} has been linked for this server since ${since}.`,
  terms: {
    /** What the log of a server calls them. */
    logged: {
      keyRole: 'Server key: role',
      keyMemberDay: 'Server key: pictures per member per day',
      keyWarningChannel: 'Server key: channel for warnings',
      keyWarningBelow: 'Server key: credits below which it warns',
    },
    who: (role: string | undefined) =>
      role === undefined ? 'Everybody here may use it.' : `Only ${role} may use it.`,
    perMember: (pictures: number | undefined) =>
      pictures === undefined
        ? 'No limit for a member.'
        : `A member may make ${pictures} ${pictures === 1 ? 'picture' : 'pictures'} a day with it.`,
    perServer: (pictures: number | undefined) =>
      pictures === undefined
        ? 'No limit for the server.'
        : `All members together may make ${pictures} ${pictures === 1 ? 'picture' : 'pictures'} a day with it.`,
    warning: (warning: { below: number; channel: string } | undefined) =>
      warning === undefined
        ? 'Nobody is warned when few credits are left.'
        : `${warning.channel} is warned once when fewer than ${number(warning.below)} ${warning.below === 1 ? 'credit is' : 'credits are'} left.`,
  },
  lowCredits: (credits: number, below: number) =>
    `The key of this server has ${boldCredits(credits)} left, fewer than ${number(below)}. Top it up, or link another one with \`/apikey server link\`. I say this once.`,
  warningNeedsBoth: 'To warn, I need both `channel` and `credits`.',
  none: 'You have not linked a key. `/apikey link` links one; `/apikey generate` creates one from a login token.',
  noneForServer: 'This server has not linked a key. `/apikey server link` links one.',
  confirmRevoke: (key: string, username: string | undefined) =>
    `Revoke the key \`${key}\`${of(username)}, or every key of its account? What is revoked stops working everywhere, at once and for good. The key is unlinked here.`,
  /** Pictures under way. */
  lostByRevoking: (pictures: number) =>
    pictures === 1
      ? 'Revoking loses **1** picture that is under way; it may be charged all the same.'
      : `Revoking loses **${pictures}** pictures that are under way; they may be charged all the same.`,
  revoke: 'Revoke this key',
  revokeAll: 'Revoke all keys',
  unchanged: 'Nothing was changed.',
  linkedMeanwhile:
    'Nothing was changed: another key may have been linked since. This is the one that is linked now.',
  revoked: (key: string) => `The key \`${key}\` is revoked and unlinked.`,
  revokedAll: 'Every key of the account is revoked, and yours is unlinked.',
  notRevoked: (key: string) =>
    `The image service said yes, but still accepts the key \`${key}\`: revoke it at the image service itself. It stays linked here until you unlink it.`,
  revokeWithToken: 'The image service asks for your login token to do that.',
  enterToken: 'Enter login token',
  unlink: 'Unlink',
  confirmUnlink: {
    member: (key: string, username: string | undefined) =>
      `Unlink the key \`${key}\`${of(username)}? It is erased here, but **stays valid at the image service**: whoever has it can still use it. Revoking ends that too.`,
    guild: (key: string, username: string | undefined) =>
      `Unlink the key \`${key}\`${of(username)} of this server? It is erased here, but **stays valid at the image service** until somebody revokes it there. Members without a key can then make no more pictures, unless the operator of this bot pays.`,
  } satisfies Record<KeyOwner['kind'], unknown>,
  unlinked: (owner: KeyOwner['kind']) =>
    `${owner === 'guild' ? 'The key of this server' : 'Your key'} is unlinked and erased here. Pictures under way are still paid with it, and backups of this bot keep it until they are thrown away.`,
};

import { REFUSALS } from '../../user-client/refusals.ts';

/** Every word of the page's own. What people, bots and the host of the page say is not among them. */
export const en = {
  notDiscord: 'This is not Discord.',
  notice: 'It runs on your own machine, to try bots in.',
  waiting: 'Waiting for the local Discord…',
  chat: 'Chat',
  /** In place of the name of what the user cannot see. */
  unknown: { channel: 'unknown', user: 'unknown-user', role: 'unknown-role' },

  connection: {
    on: 'Connected',
    lost: 'Connection lost',
    retrying: 'Connection lost. Trying again…',
    retry: 'Try now',
    noAnswer: 'The local Discord does not answer. Is it still running?',
    answered: (status: number) => `The local Discord answered ${status}.`,
  },

  servers: {
    all: 'Servers',
    withChannels: 'Servers and channels',
    back: 'Back to the chat',
    channels: 'Channels',
    textChannels: 'Text channels',
    /** Of channels that hold more than text, for who does not see their signs. */
    kinds: { voice: 'Voice channel', announcements: 'Announcements', forum: 'Forum', thread: 'Thread' },
    direct: 'Direct messages',
    conversations: 'Conversations',
    ageRestricted: 'Age-restricted',
    unread: 'unread messages',
    calls: (count: number) => `${count} unread for you`,
  },

  members: {
    all: 'Members',
    withPanel: (panel: string) => `${panel} and members`,
    online: 'Online',
    offline: 'Offline',
    bots: 'Bots',
  },

  user: {
    youAre: 'You are',
    language: 'Language',
    theme: 'Theme',
    themes: { system: 'Like the system', light: 'Light', dark: 'Dark' },
  },

  panel: {
    show: (label: string) => `Show ${label.toLowerCase()}`,
    hide: 'Hide',
    reveal: 'Show',
    copy: 'Copy',
    copyThis: (label: string) => `Copy ${label.toLowerCase()}`,
    copied: (label: string) => `${label} copied`,
    notCopied: (label: string) =>
      `The browser does not allow copying: the ${label.toLowerCase()} is shown instead`,
  },

  welcome: {
    toChannel: (name: string) => `Welcome to #${name}!`,
    ofChannel: (name: string) => `This is the start of the #${name} channel.`,
    ofConversation: (name: string) => `This is the beginning of your conversation with ${name}.`,
    examples: 'What to try',
    tryCommand: (path: string) => `Try /${path}`,
  },

  messages: {
    all: 'Messages',
    newest: 'To the newest message',
    /** Around the name of a command: 'Member used /ping'. */
    used: { before: 'used', behind: '' },
    thinking: (name: string) => `${name} is thinking…`,
    sending: 'Sending command…',
    edited: '(edited)',
    joined: 'joined the server.',
    onlyYou: 'Only you can see this',
    dismiss: 'Dismiss message',
    you: 'You',
    bot: 'Bot',
    spoiler: 'Spoiler',
    revealSpoiler: 'Spoiler: press to reveal',
    goToAnswered: 'Go to the message that this answers',
    seeAttachment: 'Press to see the attachment',
    link: 'message',
    select: 'Make a selection',
    done: 'Done',
    /** Of commands for messages. */
    apps: 'Apps',
    appsHere: 'Apps for this message',
    noAnswer: 'The application did not respond',
    failed: 'This interaction failed',
  },

  announced: {
    pictures: (count: number) => (count > 1 ? `${count} pictures ready` : 'picture ready'),
    file: 'sent a file',
    message: 'new message',
    mentioned: (name: string, where: string) => `${name} mentioned you in ${where}`,
    direct: 'a direct message',
  },

  picture: {
    one: 'Picture',
    open: (alt: string) => `Open picture: ${alt}`,
    nth: (alt: string, nth: number, all: number) => `${alt} (${nth} of ${all})`,
    previous: 'Previous picture',
    next: 'Next picture',
    save: 'Save picture',
    newTab: 'Open in a new tab',
    close: 'Close',
  },

  form: {
    close: 'Close',
    sentTo: (bot: string) => `This form will be sent to ${bot}.`,
    theBot: 'the bot',
    cancel: 'Cancel',
    submit: 'Submit',
    failed: 'Something went wrong. Try again.',
  },

  refusals: REFUSALS,

  files: {
    attach: 'Attach files',
    chosen: 'Attached files',
    remove: (name: string) => `Remove ${name}`,
    unreadable: (name: string) => `'${name}' cannot be read`,
    tooMany: (most: number) => `A message takes ${most} files at most`,
    /** In a form, where they can be dropped. */
    choose: (most: number) =>
      most > 1 ? `Choose up to ${most} files, or drop them here` : 'Choose a file, or drop it here',
  },

  composer: {
    message: 'Message',
    messageTo: (to: string) => `Message ${to}`,
    invitation: (path: string) => `Type /${path} and press Enter`,
    offline: 'Not connected: what you type stays here until it can be sent.',
    useCommand: 'Use a command',
    send: 'Send',
    cancel: 'Cancel the command',
    cancelKey: 'Cancel (Escape)',
    cancelled: (path: string) => `/${path} was cancelled.`,
    restore: 'Bring it back (↑)',
    command: (path: string) => `Command ${path}`,
    more: (count: number) => `+${count} optional`,
    moreLabel: (count: number) => `${count} more ${count === 1 ? 'option' : 'options'}`,
    end: 'End of the command: press Enter to send',
    required: 'required',
    chooseFile: 'Choose a file',
    takesNoFile: (path: string) => `/${path} takes no file`,
    suggestions: 'Suggestions',
    commands: 'Commands',
    noCommand: 'No such command here',
    loadingCommands: 'Loading commands…',
    optional: 'Optional',
    nothingFits: 'Nothing in the list fits',
    typeForOthers: 'Type to find others',
    loadingFailed: 'Loading options failed',
    yes: 'True',
    no: 'False',
  },
};

export type Words = typeof en;

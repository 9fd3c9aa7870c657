import type { KeyOwner, Payer } from '../../credentials/key-owner.ts';
import type { GuildSettings } from '../../guilds/guild-settings.ts';
import type { Job, TaskFailure } from '../../jobs/job.ts';
import type { LimitSet } from '../../limits/limit-set.ts';
import type { Limited } from '../../limits/reservation.ts';
import type { Preset } from '../../limits/size.ts';

/** A sentence that is another one for who pays with a key of their own, through their server, or not at all. */
type ByPayer = Record<Payer['kind'], string>;

/** What `/help` says can be typed. */
interface HelpedBy {
  leavesOut: boolean;
  repeats: boolean;
  /** Whether a picture of one's own can be changed. */
  changes: boolean;
  workflow: string | undefined;
  flags: readonly string[];
}

/** As Discord's settings name them. */
const PERMISSIONS = {
  ViewChannel: 'View Channel',
  SendMessages: 'Send Messages',
  AttachFiles: 'Attach Files',
  EmbedLinks: 'Embed Links',
  ReadMessageHistory: 'Read Message History',
  SendMessagesInThreads: 'Send Messages in Threads',
};

const list = new Intl.ListFormat('en');
const either = new Intl.ListFormat('en', { type: 'disjunction' });

const of = (username: string | undefined): string => (username === undefined ? '' : ` of **${username}**`);

/** `2026-11-18` without its year. */
const dayOf = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 });

/** `credits`: as it is written in the language. */
const creditsOf = (credits: string): string => `**${credits}** ${credits === '1' ? 'credit' : 'credits'}`;

/** Every word that a person reads from the bot. A catalogue of another language has the same shape. */
export const en = {
  /** How numbers are written. */
  locale: 'en',
  permissions: PERMISSIONS,

  progress: {
    submitting: 'Sending',
    waiting: (place: number | undefined) => (place === undefined ? 'Waiting' : `Waiting: number ${place}`),
    queued: (place: number | undefined) => (place === undefined ? 'In the queue' : `Queue: number ${place}`),
    developing: 'Developing',
    finished: 'finished',
    failed: 'failed',
    delivering: 'Finishing',
    fetching: (until: string | undefined) =>
      until === undefined ? 'Finished; fetching it' : `Finished; trying to fetch it until ${until}`,
    retrying: 'The service does not answer; retrying',
    left: (time: string) => `about ${time} left`,
    seconds: (seconds: number) => `${seconds} s`,
    minutes: (minutes: number) => `${minutes} min`,
    /** Alternative text of a picture that is not finished. */
    preview: (prompt: string) => `Unfinished: ${prompt}`,
  },

  /** A request that somebody wants no longer. */
  cancel: {
    button: 'Cancel',
    cancelled: 'Cancelled.',
    moderated: 'Cancelled by a moderator.',
    free: 'It cost nothing.',
    price: (credits: number) =>
      `What was drawn until then cost ${number(credits)} ${credits === 1 ? 'credit' : 'credits'}.`,
    unknownPrice: 'The image service does not say what it cost.',
    left: 'I stopped waiting. The service may still charge for it.',
    finished: (finished: number, all: number) =>
      finished === 1
        ? `One of ${all} was finished already and is shown.`
        : `${finished} of ${all} were finished already and are shown.`,
    tooLate: 'Too late to cancel: it is finished.',
    underWay: 'It is being cancelled. `/jobs` shows when it is.',
    notYours: 'Only the member who asked for it, or a moderator, can cancel it.',
    byModerator: (prompt: string, what: string) => `A moderator cancelled **${prompt}**. ${what}`,
  },

  /** Where a picture is, or will be, when its reply cannot show it. */
  handover: {
    slow: 'This is taking longer than usual. The picture will come here or to you directly; if neither works, it will be in `/jobs`',
    slowPrivate:
      'This is taking longer than usual. The picture will come to you directly; if that does not work, it will be in `/jobs`',
    asked: (ago: string) => `asked ${ago}`,
    posted: (link: string) => `I couldn’t show the picture in this message. It is here: ${link}`,
    direct: 'I couldn’t show this here, so I sent it to you directly.',
    waiting: 'I couldn’t show this here. You will find it in `/jobs`.',
  },

  picture: {
    graphPrompt: 'a node graph',
    size: 'Size',
    seed: 'Seed',
    seeds: 'Seeds',
    workflow: 'Workflow',
    graph: 'Graph',
    steps: 'Steps',
    cfg: 'CFG',
    strength: 'Strength',
    model: 'Model',
    negativePrompt: 'Without',
    tooLarge: (url: string, until: string | undefined) =>
      `The picture is too large for this channel: ${url}${until === undefined ? '' : ` (until ${until})`}`,
    again: 'Again',
    tryAgain: 'Try again',
  },

  /** What a finished picture says of itself. */
  outcome: {
    graph: (name: string) => `Graph ${name}`,
    /** `varied`: the words were kept, and the seeds are new. */
    from: (link: string | undefined, varied: boolean) =>
      varied
        ? `${link === undefined ? 'Variations' : `Variations of ${link}`}: the same words, new seeds`
        : link && `made from ${link}`,
    /** Of one picture of several, for who cannot see it. */
    alt: (prompt: string, nth: number, all: number) => `${nth} of ${all}: ${prompt}`,
    showPrompt: 'Show prompt',
    without: 'Without',
    promptFile: 'The whole prompt',
  },

  sketch: {
    missing: (names: string) => `Sketch · missing: ${names}`,
  },

  /** What can be done with a picture, by its buttons and in the menu of its message. */
  actions: {
    edit: 'Edit',
    vary: 'Vary',
    /** In place of what is picked in a menu. */
    pick: 'Choose a picture',
    postAlone: 'Post on its own',
    details: 'Details',
    more: 'More',
    publish: 'Publish',
    delete: 'Delete',
    keep: 'Keep',
    /** In the menu of a message. */
    menu: {
      imagine: 'Imagine this',
      details: 'Picture details',
      delete: 'Delete picture',
      use: 'Use as picture',
    },
    removed: 'This picture was deleted.',
    gone: 'This picture is too old, or what I knew about it was erased: I no longer know how it was made. `/imagine` makes a new one.',
    notYours: 'Only the member who asked for it can do that.',
    deleteQuestion: (link: string) => `Delete this for everybody? ${link}`,
    deleted: 'Deleted.',
    kept: 'Nothing was deleted.',
    notDeleted: 'I could not delete it from here. Press **Delete** under the picture again.',
    fileGone: 'Neither Discord nor the image service has this picture any more.',
    nth: (number: number, link?: string) =>
      link === undefined ? `Picture ${number}` : `Picture ${number} of ${link}`,
    published: (link: string) => `Everybody can see it now: ${link}`,
    publishElsewhere: (channel: string) =>
      `I can publish it only where you asked for it, in ${channel}. You can forward this message there.`,
    publishFlagged: 'This server keeps flagged pictures private.',
    notPublished: {
      undelivered: 'It is still on its way to you. Press **Publish** again in a minute.',
      refused: 'Discord does not let me post it here.',
      unconfirmed:
        'Discord did not answer. Press **Publish** again in a minute: I look whether it is there before I post it.',
      unverifiable:
        'It may be here already, but I cannot look. If you do not see it, press **Publish** again.',
    },
    noPicture: 'There is no picture of mine in this message.',
    notFinished: 'It is not finished. **Cancel** under it stops it.',
    noWords: 'This message has no words to make a picture from.',
    askedBy: 'Asked for by',
    asked: 'When',
    took: 'Took',
    seconds: (seconds: number) =>
      new Intl.NumberFormat('en', { style: 'unit', unit: 'second', maximumFractionDigits: 0 }).format(
        seconds,
      ),
    cost: 'Cost',
    credits: (credits: string) => (credits === '1' ? '1 credit' : `${credits} credits`),
    from: 'Made from',
    commandFile: 'The command that makes this picture again',
  },

  /** What is made of a picture. */
  source: {
    upscale: (scale: number) => `Upscale ${scale}×`,
    varySubtly: 'Vary subtly',
    varyStrongly: 'Vary strongly',
    removeBackground: 'Remove background',
    expand: 'Expand …',
    sides: {
      left: 'To the left',
      right: 'To the right',
      up: 'Upwards',
      down: 'Downwards',
      around: 'All around',
      square: 'To a square',
    },
    /** What was done, among the facts below a picture and in a list. */
    done: {
      edit: 'edited',
      upscale: (scale: number) => `upscaled ${scale}×`,
      expand: 'expanded',
      remove_background: 'without background',
      vary: 'varied',
    },
    /** In place of words where there are none. */
    noWords: 'a picture of one’s own',
    what: (name?: string) => `What should I make of ${name === undefined ? 'it' : `**${name}**`}?`,
    which: 'Which of the pictures?',
    change: 'Change',
    noneHere: 'There is no picture in this message that I could use: I take PNG, JPEG and WebP files.',
    empty: 'This file is empty. Attach the picture again.',
    noPicture: 'I cannot use this file as a picture: I take PNG, JPEG and WebP. Save it as one of these.',
    tooLarge: 'This picture is too large: I take 10 MiB at most. Make it smaller.',
    tooSmall: (least: number) =>
      `This picture is too small: each side needs ${least} pixels. Use a larger one.`,
    tooManyPixels: 'This picture has too many pixels: I take 24 megapixels at most. Make it smaller.',
    tooWide: (most: number) => `That would be larger than ${most} pixels a side, which is the most.`,
    noSize: 'I do not know the size of this picture, so I cannot say how much to add. **Edit** it instead.',
    isSquare: 'This picture is a square already.',
    notYours: 'It began with a picture that you cannot see. Begin with one of your own.',
    ofBlocked: 'Whoever posted this is blocked from making pictures here, so their pictures cannot be used.',
    withGraph: 'A graph and a picture cannot be used together. Leave one of them out.',
    strengthAlone: '`strength` says how much of a picture changes. Add an `image`, or leave it out.',
    withoutStrength: 'How much of this picture changes cannot be set here. Leave out `strength`.',
    wordsAlone: 'No picture of your own can be changed here. Your words can be drawn without it.',
    withoutPicture: 'Without the picture',
    /** `workflows`: those that can. */
    notOffered: {
      edit: (workflows: readonly string[]) =>
        workflows.length === 0
          ? 'The image service cannot change this picture.'
          : `This workflow cannot change pictures like that. Choose ${either.format(workflows)}.`,
      upscale: () => 'The image service cannot make this picture larger.',
      expand: () => 'The image service cannot go on to the sides of this picture.',
      remove_background: () => 'The image service cannot remove the background of this picture.',
    } satisfies Record<string, (workflows: readonly string[]) => string>,
    seen: 'Your picture and your words are **seen by strangers**: volunteers draw it. Make it all the same?',
    form: {
      title: 'Change the picture',
      change: 'What should change',
      changeDescription: 'Leave it empty for a new picture of the words below',
      picture: 'Another picture',
      pictureDescription: 'In place of this one; PNG, JPEG or WebP',
      pictureRefused: 'The one before could not be used. Without any, only the words are drawn',
    },
  },

  /** To who asked, in reply to what took long. */
  ready: (mention: string, pictures: number) =>
    `${mention} ${pictures > 1 ? 'Your pictures are ready.' : 'Your picture is ready.'}`,

  failure: {
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
      'timed-out': 'The image service did not finish in time, so I stopped waiting for this picture.',
      unclear: 'I don’t know whether the image service took the request.',
      cancelled: 'Cancelled.',
      withdrawn: 'Cancelled before it was sent, so it cost nothing.',
      left: 'I stopped waiting for it.',
      moved:
        'This bot now uses another image service, and this picture cannot be fetched from the one before.',
      'no-key': 'The key that paid for it is no longer there.',
      unfetched: 'The picture is finished, but the image service does not hand it over.',
      unwritten: 'Something broke on our side before it was sent, so it cost nothing.',
      'no-turn':
        'Too much else was waiting: after two hours it was still not its turn. It was not sent, so it cost nothing.',
      'input-gone':
        'The picture that it begins with has expired, or is no longer there. Nothing was charged: begin with it again.',
      'input-unreadable':
        'The image service cannot read this picture. Nothing was charged: use a PNG, JPEG or WebP file that is whole.',
      'input-too-large':
        'This picture has too many bytes or pixels. Nothing was charged: use one of at most 10 MiB and 24 megapixels.',
      'result-too-large':
        'That would be larger than pictures may be here. Nothing was charged: use a smaller picture.',
      unsupported: 'The image service cannot do that with this picture. Nothing was charged.',
      restarted: 'This bot was restarted before it was sent, so it cost nothing.',
      internal: 'Something broke on our side.',
    } satisfies Record<TaskFailure['kind'], string | ByPayer>,
  },

  /** What a server has decided. */
  rules: {
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
      'Pictures of one’s own cannot be used in an age-restricted channel, unless whoever manages the server names it for that in `/settings panel`.',
    ownPictureChannels: (channels: readonly string[]) =>
      `Pictures of one’s own can only be used in ${channels.join(', ')}.`,
    ownPictureRoles: (roles: readonly string[]) =>
      `To use pictures of your own here you need one of these roles: ${roles.join(', ')}.`,
    largestSize: (largest: string) =>
      `Pictures can have no more pixels than ${largest} here. Choose a smaller \`size\`.`,
    mostSteps: (most: number) => `\`steps\` can be ${most} at most here. Choose fewer.`,
    workflow: (workflow: string, allowed: readonly string[]) =>
      `This server does not allow the workflow **${workflow}**. Choose ${either.format(allowed)}.`,
    blockedWord: (word: string) => `This server does not allow **${word}**. Ask for it in other words.`,
  },

  limits: {
    openRequests: (limit: number) =>
      limit === 1
        ? 'You already have a request under way, and only one at a time is allowed. Wait for it, or cancel it in `/jobs`.'
        : `You already have ${limit} requests under way, and no more are allowed at a time. Wait for one, or cancel one in \`/jobs\`.`,
    reached: (limited: Limited, per: 'picture' | 'credit', limit: number, ends: string) => {
      const most = `${limit} ${per}${limit === 1 ? '' : 's'}`;
      const whose = {
        member: `That would exceed your limit of ${most}.`,
        guild: `That would exceed this server’s limit of ${most}.`,
        key: `That would exceed the shared key’s budget of ${most}.`,
      }[limited];
      const own = limited === 'key' ? ' With a key of your own you pay yourself.' : '';
      return `${whose} It resets ${ends}.${own}`;
    },
  },

  settings: {
    heading: 'Server settings',
    /** What `/settings check` looks at, and what mends it. */
    check: {
      permissions: 'My permissions in this channel',
      commands: 'My commands',
      outdated: (names: string) =>
        `Missing here or outdated: ${names}. Tell the operator of this bot to register the commands again.`,
      commandsUnknown: 'Discord does not say which are registered. Try again in a few minutes.',
      service: 'The image service',
      serviceAway: 'It does not answer. Try again in a few minutes, then tell the operator of this bot.',
      key: 'The key of this server',
      keyRefused: 'The image service does not accept it. Link another one with `/apikey server link`.',
      pictures: 'New pictures',
      mayNotPost: (channel: string) =>
        `I cannot post in ${channel}. Allow me to see it and to send messages there, or choose another one in \`/settings panel\`.`,
      store: 'My own storage',
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
      keyDay: 'Pictures by the server key per day',
      keyMonth: 'Pictures by the server key per month',
      keyCreditsDay: 'Credits of the server key per day',
      keyCreditsMonth: 'Credits of the server key per month',
    } satisfies Record<keyof LimitSet, string>,
    limitForms: {
      member: 'Limits of members',
      guild: 'Limits of the server',
      key: 'Budget of the server key',
    },
    emptyIsUnlimited: 'Empty: only the operator’s limit. Hours, days and months are in UTC.',
    toggle: {
      paused: (on: boolean): string => (on ? 'Allow new pictures' : 'Pause'),
      ownPictures: (on: boolean): string =>
        on ? 'Forbid pictures of one’s own' : 'Allow pictures of one’s own',
      privateByDefault: (on: boolean): string =>
        on ? 'Show pictures to everybody' : 'Make pictures private',
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
    deleted: (id: string) => `⚠️ deleted (${id})`,
    noLimit: (name: string, most: number) =>
      `**${name}** must be a whole number from 1 to ${most}, or empty. Nothing was changed.`,
    tooManyWords: (most: number) => `There can be ${most} blocked words at most. Nothing was changed.`,
    noWord: (word: string, characters: number) =>
      `**${word}** cannot be blocked: a word needs a letter or a digit, and can have ${characters} characters at most. Nothing was changed.`,
    notHere: 'That is not in this server. Nothing was changed.',
    placesUnknown:
      'Discord does not tell me which channels and roles this server has. Nothing was changed. Try again in a minute.',
    defaultNotOffered: 'The default workflow has to be one of the allowed ones. Nothing was changed.',
    defaultTooLarge: 'The default size cannot have more pixels than the largest size. Nothing was changed.',
  },

  moderate: {
    blocked: (mention: string, until: string | undefined) =>
      until === undefined
        ? `${mention} can no longer ask for pictures in this server. \`/moderate unblock\` changes that.`
        : `${mention} can no longer ask for pictures in this server. That ends ${until}.`,
    unblocked: (mention: string) => `${mention} can ask for pictures again.`,
    notBlocked: (mention: string) => `${mention} is not blocked.`,
    stopped: (jobs: number) =>
      jobs === 0
        ? 'Nothing is under way in this server.'
        : `Cancelled ${jobs === 1 ? 'one request' : `${jobs} requests`}. What the image service has finished already is still shown.`,
    nextReport: 'Next report',
    noReports: (channel: string | undefined) =>
      channel === undefined
        ? 'No reported picture is waiting for you.'
        : `No reported picture is waiting for you. New reports go to ${channel}.`,
  },

  refusal: {
    needsModerateMembers: 'You need the permission **Timeout Members** for that.',
    integerRange: (field: string, min: number, max: number) =>
      `\`${field}\` must be a whole number from ${min} to ${max}.`,
    numberRange: (field: string, min: number, max: number) =>
      `\`${field}\` must be a number from ${min} to ${max}.`,
    size: (presets: readonly string[], min: number, max: number) =>
      `\`size\` can be a preset (${presets.join(', ')}), a ratio such as \`3:2\`, or pixels such as \`1024x768\`, each from ${min} to ${max}.`,
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
    unreadableKey: 'Your linked key cannot be read here any more. Link it again.',
    unreadableServerKey:
      'The key of this server cannot be read here any more. Whoever manages the server has to link it again with `/apikey server link`.',
    keyInText:
      'That contains an API key. Nothing was sent or stored, but others may have seen it: revoke it with `/apikey revoke` if it is your linked one, otherwise at the image service. Type keys only into the form of `/apikey link`.',
    keyForToken: 'That is a key, not a login token. Nothing was sent. To link a key, use `/apikey link`.',
    tooManyAttempts: (until: string) => `Too many attempts. Try again ${until}.`,
    notOfServer: 'That channel or role is not one of this server.',
    botNotInServer:
      'I am not a member of this server, so its key could not pay here. Add me to the server first.',
    nothingKeptHere:
      'I am not a member of this server, so I could not keep its settings. Add me to the server first.',
    noVisibleKey: (mention: string) => `${mention} has linked no key, or does not show you its credits.`,
    memberKeyRejected: (mention: string) =>
      `The image service does not accept the key of ${mention} any more.`,
    missingPermissions: (permissions: readonly (keyof typeof PERMISSIONS)[]) =>
      `I need ${list.format(permissions.map((name) => `**${PERMISSIONS[name]}**`))} here. Whoever manages this channel can allow that.`,
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
  },

  /** The form of everything that `/imagine` takes. */
  editForm: {
    edit: 'Edit',
    title: 'Edit',
    prompt: 'Prompt',
    negativePrompt: 'Leave out',
    size: 'Size',
    sizeDescription: 'Such as portrait, or 1024x768',
    /** Of a field. */
    cut: (characters: number) =>
      `The last ${characters.toLocaleString('en')} ${characters === 1 ? 'character does' : 'characters do'} not fit, and are missing`,
    workflow: 'Workflow',
    undecided: 'Not set',
    more: 'More options',
    /** `flags`: those that have an effect. */
    moreDescription: (flags: readonly string[]) => `Such as ${[...flags, '--n 4 --private'].join(' ')}`,
  },

  /** Asked before several pictures are paid for. */
  question: {
    seen: 'Nobody here sees it, but **strangers do**: volunteers draw it, and see your words and the picture. Make it all the same?',
    pictures: (count: number) => `Make **${count}** pictures?`,
    price: (credits: string, balance: string | undefined) =>
      `They cost ${creditsOf(credits)}.${balance === undefined ? '' : ` You have **${balance}**.`}`,
  },

  confirm: {
    make: 'Make',
    cancel: 'Cancel',
    dropped: 'Cancelled. Nothing was sent.',
    /** What became of it, in place of the question. */
    begun: {
      developing: (link: string | undefined) =>
        link === undefined ? 'It is being made: `/jobs` shows how far it is.' : `Here it is: ${link}`,
      delivering: (link: string | undefined) => `It is on its way: ${link ?? '`/jobs` shows how far it is.'}`,
      waiting: () => 'It is ready, but could not be shown here. You will find it in `/jobs`.',
      delivered: (link: string | undefined) => (link === undefined ? 'It is ready.' : `It is ready: ${link}`),
      failed: 'It did not come out.',
      cancelled: 'It was cancelled.',
      lost: 'It could not be started. Nothing was sent, so it cost nothing.',
    },
    notKept: 'I could not keep what you typed, so nothing was made. Try again in a minute.',
  },

  /** What a member has decided for all of their requests. */
  mySettings: {
    open: 'My defaults',
    heading: 'Your defaults',
    nothing: 'You have no defaults yet. Whatever you don’t say in `/imagine`, the server decides.',
    names: {
      size: 'Size',
      workflow: 'Workflow',
      steps: 'Steps',
      cfg: 'CFG',
      model: 'Model',
      negative_prompt: 'Leave out',
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
    told: {
      undecided: 'Finished pictures: as the server decides',
      always: 'Tell me when a picture is ready',
      slow: 'Tell me when it took over a minute',
      never: 'Never tell me',
    },
    reset: 'Reset',
  },

  sizes: {
    Square: 'Square',
    Portrait: 'Portrait',
    Landscape: 'Landscape',
    'Large square': 'Large square',
    'Large portrait': 'Large portrait',
    'Large landscape': 'Large landscape',
    Widescreen: 'Widescreen',
  } satisfies Record<Preset, string>,

  /** What was typed wrong into `/imagine`. */
  typed: {
    tooLong: (field: string, characters: number) =>
      `${field}: ${characters.toLocaleString('en')} ${characters === 1 ? 'character' : 'characters'} too long.`,
    unknown: (flag: string, meant: string | undefined) =>
      meant === undefined ? `There is no ${flag}.` : `There is no ${flag}. Did you mean ${meant}?`,
    flags: (flags: readonly string[]) => `The flags are ${list.format(flags)}: \`/help\` explains them.`,
    /** `longest`: the n of n:1. */
    ratio: (ratio: string, longest: number) =>
      `A picture cannot be as narrow as ${ratio}: ratios go from \`1:${longest}\` to \`${longest}:1\`.`,
    flagElsewhere: (flag: string) => `${flag} does nothing here. Leave it out.`,
    flagTwice: (flag: string) => `${flag} contradicts another flag. Keep one.`,
    contradiction: (option: string) => `${option} says one thing, and a flag another. Keep one.`,
    noFlags: (words: string) => `*More options* takes flags such as \`--seed 7\`, not ${words}.`,
    unclosedBrace:
      'A brace is opened and not closed. `a {red, blue} fox` makes one of each; for a brace itself type `\\{`.',
    noWords: 'Say what to leave out, such as `--no text, hands`.',
    onOrOff: 'Takes `on`, `off` or nothing.',
    tooManyPictures: (pictures: number, most: number) =>
      pictures > 1_000
        ? `That would be more than 1,000 pictures. ${most} are the most at once.`
        : `That would be ${pictures} pictures. ${most} are the most at once.`,
    draftGone: 'I no longer have what you typed. Use `/imagine` again.',
  },

  jobs: {
    none: 'No pictures yet. `/imagine` makes one.',
    heading: 'Your pictures',
    quoted: (words: string) => `“${words}”`,
    only: {
      all: 'Everything',
      open: 'Running and waiting',
      pictures: 'Pictures',
      failed: 'Failed and cancelled',
    },
    nothing: 'Nothing found.',
    lookedUntil: (day: string) => `Searched back to ${day}. *Next* searches on.`,
    state: {
      asked: 'Sending',
      developing: 'Running',
      delivering: 'Sending the picture',
      waiting: 'Waiting for you',
      delivered: 'Delivered',
      failed: 'Failed',
      cancelled: 'Cancelled',
    } satisfies Record<Job['state'], string>,
    pictures: (pictures: number) => `${pictures} pictures`,
    private: 'private',
    gone: 'deleted',
    open: 'Open',
    again: (number: number) => `Again ${number}`,
    stop: (number: number) => `Cancel ${number}`,
    show: (number: number) => `Show ${number}`,
    previous: 'Previous',
    next: 'Next',
    newest: 'Newest',
    refresh: 'Refresh',
    search: 'Search',
    everything: 'Show all',
    form: { title: 'Search your pictures', words: 'Words in the prompt', only: 'Show' },
    over: 'This one has already ended, or its picture is on its way.',
    unanswered:
      'Discord doesn’t say whether this one has been shown already. Nothing was sent again. Try again in a minute.',
  },

  balance: {
    show: 'Show balance',
    own: (credits: string) => `You have ${creditsOf(credits)}.`,
    ofGuild: (credits: string, username: string | undefined) =>
      `This server’s account${username === undefined ? '' : ` **${username}**`} has ${creditsOf(credits)}.`,
    guildPays: 'The key of this server pays for your pictures.',
    operatorPays: 'The operator of this bot pays for your pictures.',
    ofMember: (mention: string, credits: string) => `${mention} has ${creditsOf(credits)}.`,
    paidWith: (key: string, username: string | undefined) =>
      `The key \`${key}\`${of(username)} pays for your pictures here.`,
    allowance: (pictures: number, until: string) =>
      `You can ask for **${pictures}** more ${pictures === 1 ? 'picture' : 'pictures'} here; that resets ${until}.`,
    today: (own: number, all: number, credits: string) =>
      `Pictures here today: **${own}** by this member, ${all} in all. Shared keys paid ${creditsOf(credits)}.`,
    lastPictures: 'What your last pictures cost:',
    cost: (credits: string, prompt: string) => `- **${credits}** · ${prompt}`,
  },

  /** For who has nothing to pay with yet. */
  firstKey: {
    needed: 'You need an API key to make pictures. It pays for them with your credits at the image service.',
    goesOn: 'Your picture is then made right away.',
  },

  /** What `/help` teaches: short, and readable on a phone. */
  help: {
    tabs: { make: 'Make one', type: 'What you can type', keys: 'Keys & privacy' },
    examples: ['a red fox in the snow, soft light', 'a lighthouse at night, stars --ar 3:2'],
    tryExample: (nth: number) => `Try example ${nth}`,
    /** For who may run the bot. */
    setUp:
      '-# If you run this bot: `npm run setup` connects it to what draws, `npm run doctor` finds what is wrong.',
    screens: {
      make: {
        title: 'Make a picture',
        lines: [
          'Type `/imagine` and what you want to see:',
          '> a red fox in the snow, soft light',
          '> a lighthouse at night, stars --ar 3:2',
          'It develops in the reply. Then press',
          '**Again** for another one',
          '**Edit** to change words, size or workflow',
          '**Vary** for two others of the same words, paid as two pictures',
          '**More** for its settings, **Delete**, and what else can be made of it',
          '\n`/jobs` lists your pictures.',
        ],
      },
      type: {
        title: 'What you can type',
        /** What has an effect. `workflow`: another one than the usual. `flags`: for fine-tuning. */
        lines: ({ leavesOut, repeats, changes, workflow, flags }: HelpedBy) => [
          'Options go into the prompt as well:',
          '`--ar 3:2` or `--size 1024x768`',
          ...(leavesOut ? ['`--no text, hands` to leave out'] : []),
          '`--n 4` for up to four pictures',
          ...(repeats ? ['`--seed 7` to get the same again'] : []),
          ...(workflow === undefined ? [] : [`\`--w ${workflow}\` for another workflow`]),
          ...(flags.length === 0 ? [] : [`${flags.map((flag) => `\`${flag}\``).join(' ')} for fine-tuning`]),
          '`--private` shows it to you alone, `--spoiler` hides it behind a click',
          ...(changes
            ? ['`image` begins with a picture of yours; so does **Use as picture** in the menu of a message']
            : []),
          '\n`a {red, blue} fox` makes one of each.',
        ],
      },
      keys: {
        title: 'Keys, credits, privacy',
        lines: [
          'Pictures are paid for with an API key of the image service: yours, or one of this server or bot.',
          'You type a key into a form that only you see. It is stored encrypted.',
          '\n`/balance` shows your credits and who pays',
          '`/apikey show` shows your key',
          '`/privacy` shows what is kept, and lets you erase it',
        ],
      },
    },
  },

  apiKey: {
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
      label: 'May moderators here see your credits?',
      description: 'They never see the key. /apikey show says who looked, and lets you change this.',
      yes: 'Yes, the moderators of this server may',
      no: 'No, only I see them',
    },
    linked: (key: string, username: string | undefined) =>
      `The key \`${key}\`${of(username)} is linked and pays for your pictures.`,
    /** By another one. */
    replaced: {
      member: (key: string, username: string | undefined) =>
        `It replaces \`${key}\`${of(username)}, which is erased here but **stays valid at the image service** until somebody revokes it there. \`/apikey revoke\` can revoke every key of an account.`,
      guild: (key: string, username: string | undefined) =>
        `It replaces \`${key}\`${of(username)}, which is erased here but **stays valid at the image service** until somebody revokes it there.`,
    } satisfies Record<KeyOwner['kind'], unknown>,
    shown: (key: string, username: string | undefined, since: string) =>
      `The key \`${key}\`${of(username)} has been linked since ${since}.`,
    /** `elsewhere`: in how many other servers. */
    visibleTo: (here: boolean, elsewhere: number): string => {
      const servers = `${elsewhere} ${here ? 'other ' : ''}${elsewhere === 1 ? 'server' : 'servers'} where you allowed it`;
      const where = [...(here ? ['this server'] : []), ...(elsewhere > 0 ? [servers] : [])];
      return where.length === 0
        ? 'No moderator can see its credits.'
        : `Only moderators of ${list.format(where)} can see its credits, never the key.`;
    },
    reveal: 'Let moderators here see my credits',
    hide: 'Hide my credits from moderators here',
    lookedAt: (by: string, moment: string) => `Looked at by ${by} ${moment}.`,
    rejectedSince: (moment: string, command: string) =>
      `The image service no longer accepts it; that was noticed ${moment}. Link it again with ${command}.`,
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
      name: 'the server’s key',
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
          : `${warning.channel} is warned once when fewer than ${warning.below} ${warning.below === 1 ? 'credit is' : 'credits are'} left.`,
    },
    lowCredits: (credits: string, below: number) =>
      `The key of this server has ${creditsOf(credits)} left, fewer than ${below}. Top it up, or link another one with \`/apikey server link\`. I say this once.`,
    warningNeedsBoth: 'To warn, I need both `channel` and `credits`.',
    none: 'You have not linked a key. `/apikey link` links one; `/apikey generate` creates one from a login token.',
    noneForServer: 'This server has not linked a key. `/apikey server link` links one.',
    confirmRevoke: (key: string, username: string | undefined) =>
      `Revoke the key \`${key}\`${of(username)}, or every key of its account? What is revoked stops working everywhere, at once and for good. The key is unlinked here.`,
    revoke: 'Revoke this key',
    revokeAll: 'Revoke all keys',
    cancel: 'Cancel',
    unchanged: 'Nothing was changed.',
    revoked: (key: string) => `The key \`${key}\` is revoked and unlinked.`,
    revokedAll: 'Every key of the account is revoked, and yours is unlinked.',
    revokeWithToken: 'The image service asks for your login token to do that.',
    enterToken: 'Enter login token',
    unlink: 'Unlink',
    confirmUnlink: {
      member: (key: string, username: string | undefined) =>
        `Unlink the key \`${key}\`${of(username)}? It is erased here, but **stays valid at the image service**: whoever has it can still use it. Revoking ends that too.`,
      guild: (key: string, username: string | undefined) =>
        `Unlink the key \`${key}\`${of(username)} of this server? It is erased here, but **stays valid at the image service** until somebody revokes it there. Members without a key can then make no more pictures, unless the operator of this bot pays.`,
    } satisfies Record<KeyOwner['kind'], unknown>,
    unlinked: {
      member:
        'Your key is unlinked and erased here. Pictures under way are still paid with it, and backups of this bot keep it until they are thrown away.',
      guild:
        'The key of this server is unlinked and erased here. Pictures under way are still paid with it, and backups of this bot keep it until they are thrown away.',
    } satisfies Record<KeyOwner['kind'], string>,
  },

  /** What a server used in a month. */
  usage: {
    month: (month: Date) =>
      month.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    words: {
      pictures: 'Pictures',
      credits: 'Shared credits',
      members: 'Members',
      failed: 'Failed',
      workflows: 'Workflows',
      others: 'others',
    },
    workflow: (name: string | undefined) => name ?? 'node graph',
    none: (month: string) => `Nobody has made a picture here in ${month}.`,
    figures: (pictures: string, credits: string, members: string, failed: string) =>
      `pictures: ${pictures}, members: ${members}, failed: ${failed}, credits paid by shared keys: ${credits}`,
    /** What members spend by keys of their own is their own business. */
    ownKeys:
      'Pictures that members paid for with keys of their own are counted; the credits for them are not.',
    ofMember: (member: string, pictures: string, credits: string | undefined) =>
      `${member}: ${pictures}${credits === undefined ? '' : ` (credits of shared keys: ${credits})`}`,
    /** Of pictures that are kept without their member. */
    unnamed: (pictures: string) => `without a name: ${pictures} (erased, or not shown yet)`,
    alt: (month: string, figures: string, workflows: string, day: string, pictures: number) =>
      `Usage in ${month}: ${figures}. By workflow: ${workflows}. Most on one day: ${pictures}, on ${dayOf(day)}.`,
    csv: (month: string) => `The usage in ${month} as a table: by day, member and workflow`,
    noPicture: 'The chart could not be drawn this time. The table has the same figures.',
    tableEnds: (lines: string) =>
      `The table ends before the month does: ${lines} more lines did not fit. The figures above count everything.`,
  },

  /** Pictures that members show to the moderators of their server. */
  report: {
    report: 'Report',
    form: {
      title: 'Report this picture',
      label: 'What is wrong with it?',
      description: 'The moderators of this server see it, with your name.',
    },
    noReason: 'Say in a few words what is wrong with the picture, then report it again.',
    gone: 'This picture cannot be reported here: it is too old, or from elsewhere. Tell a moderator directly.',
    filed: 'Thank you. The moderators of this server can see your report now.',
    known: 'You have reported this picture already.',
    full: 'You have reported many pictures in this hour. Tell a moderator directly, or wait for the next hour.',
    refused: 'I could not post your report in the channel for reports. Tell a moderator directly.',
    heading: (reporter: string, member: string, link: string) =>
      `${reporter} reports a picture by ${member}: ${link}`,
    reason: (reason: string) => `What is wrong with it: ${reason}`,
    prompt: (prompt: string, asked: string) => `Made ${asked} from: ${prompt}`,
    brought: (sha256: string | undefined) =>
      `It began with a picture of the member’s own${sha256 === undefined ? '' : ` (SHA-256 \`${sha256}\`)`}.`,
    broughtAlt: 'What it was made from',
    delete: 'Delete picture',
    block: 'Block member for a day',
    dismiss: 'Dismiss',
    deleted: (actor: string, member: string) => `${actor} deleted the picture by ${member}.`,
    blocked: (actor: string, member: string, ends: string, link: string) =>
      `${actor} blocked ${member}; that ends ${ends}. The picture is still there: ${link}`,
    dismissed: (actor: string, link: string) => `${actor} dismissed the report of ${link}.`,
  },

  /** What is kept about a member, in plain words. */
  privacy: {
    kept: (history: number, waiting: number) => [
      '**What this bot keeps about you, and for how long**',
      `- Your linked key, encrypted, with the name of its account: until you unlink it.`,
      `- What you asked for (words, options, graphs, seed, where and when; no pictures): ${history} days after it is over.`,
      `- Of a picture of your own: its name, its link at Discord (which works for a day) and a checksum, as long as the request; a small copy for moderators only where somebody reports what was made of it. The image service keeps it until a day after its last use.`,
      `- A finished picture that could not be delivered: ${waiting} days, in \`/jobs\`.`,
      `- For the moderators of a server: how many pictures you made there on which day, and what you or they changed: ${history} days.`,
      `- Your defaults (\`/settings me\`): until you erase them, 400 days after their last change at most. Models you made pictures with: ${history} days.`,
      `- Which pictures you reported, and why, for the moderators: ${history} days.`,
      '- What you typed and did not go on with: one day.',
      '- What the limits count: until their hour, day or month is over. If you were blocked: until the block ends.',
      'Discord and the image service keep the pictures themselves; the image service keeps your account. Backups of this bot keep what is erased here until they are thrown away.',
    ],
    strangers:
      'Pictures here are drawn by volunteers: **strangers see your words and your pictures**, the private ones, too.',
    sentTo: (names: readonly string[]) =>
      `Pictures here are drawn by **${list.format(names)}**: your words, and the pictures that you begin with, are sent there, the private ones, too.`,
    looks: '**Who has looked at your credits**',
    noLooks: 'Nobody has looked at your credits.',
    export: 'Download my data',
    erase: 'Erase everything',
    exported: 'This is everything that this bot keeps about you. Your key is not in it.',
    file: 'Everything that this bot keeps about you, as JSON',
    confirm:
      'Erase everything that this bot keeps about you? Your key is unlinked here, but **stays valid at the image service**: to end that, use `/apikey revoke` first. Pictures that wait in `/jobs` are gone, and old pictures cannot be made again with a button. Pictures of your own are with the image service for another day. Messages in channels stay; so do the records of what moderators did, and blocks.',
    eraseAll: 'Yes, erase everything',
    cancel: 'Cancel',
    unchanged: 'Nothing was erased.',
    erased: (running: number) =>
      running === 0
        ? 'Everything is erased. A key that was linked is still valid at the image service.'
        : `Everything is erased, but for ${running === 1 ? 'one request that still runs' : `${running} requests that still run`}. Use \`/privacy\` again when ${running === 1 ? 'it has' : 'they have'} ended, or cancel ${running === 1 ? 'it' : 'them'} with \`/jobs\`.`,
  },

  /** Of graphs in ComfyUI's format. */
  graph: {
    heading: (name: string, nodes: number) => `**${name}** · ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`,
    more: (count: number) => `${count} more`,
    models: (models: string) => `Models: ${models}`,
    unknown: (classes: string) => `I don’t know these: ${classes}. The image service has to have them.`,
    noGraph: 'That file isn’t a ComfyUI graph. Export it in ComfyUI with Workflow → Export (API).',
    editorFormat:
      'That graph was saved for the ComfyUI editor. Export it with Workflow → Export (API). In older versions, turn on Dev Mode in the settings, then Save (API Format).',
    brokenJson: (line: number, column: number) =>
      `That file isn’t valid JSON: it breaks at line ${line}, column ${column}.`,
    fileTooLarge: 'That file is too large: 1 MB at most.',
    tooLarge: (nodes: number, values: number, kilobytes: number) =>
      `That graph is too large: ${nodes} nodes, ${values} values and ${kilobytes} KB at most.`,
    filledTooLarge:
      'With your words filled in, that graph is too large. Shorten the prompt, or use `%prompt%` less often.',
    slow: 'That took too long to read. Shorten the prompt, or the texts in the graph.',
    busy: 'I’m still reading what was sent before. Try again in a few seconds.',
    notFetched: 'I couldn’t fetch that file from Discord. Try again.',
    secret: (node: string | undefined, input: string | undefined) =>
      `${
        node === undefined || input === undefined ? 'Something in that graph' : `**${input}** of **${node}**`
      } looks like a key or password. Nothing was sent or kept. Take it out and attach the file again.`,
    noEffect: (options: readonly string[]) =>
      `${options.map((option) => `\`${option}\``).join(', ')} ${options.length === 1 ? 'has' : 'have'} no effect with a graph that has no place for ${options.length === 1 ? 'it' : 'them'}. Leave ${options.length === 1 ? 'it' : 'them'} out.`,
    tooManyPixels: (node: string, largest: string) =>
      `Pictures can have no more pixels than ${largest} here, and **${node}** in this graph makes larger ones.`,
    tooManySteps: (node: string, most: number) =>
      `Pictures can take ${most} steps at most here, and **${node}** in this graph takes more.`,
    tooManyPictures: (node: string, batch: number, pictures: number, most: number) =>
      `**${node}** in this graph makes ${batch} pictures at a time. That would be ${pictures} pictures, and ${most} are the most at once.`,
    unread: (node: string, input: string) =>
      `This server limits size or steps, and I can’t tell \`${input}\` of **${node}** in this graph. Write it as a number.`,
    unreadModel: (node: string) =>
      `This server limits the size of pictures, and I can’t tell how much larger **${node}** in this graph makes them. Use a model whose name says it, such as \`4x-UltraSharp\`.`,
    promptUnused: 'There is no `%prompt%` in it: your prompt isn’t used.',
    noSeed: 'There is no seed in it: the pictures will be the same.',
    warning: (sentence: string) => `The image service says: ${sentence}`,
    refused: (reason: string | undefined) =>
      reason === undefined
        ? 'The image service won’t run this graph.'
        : `The image service won’t run this graph. It says: ${reason}`,
    price: (credits: number, count: number) =>
      `${count === 1 ? 'Price' : `Price of ${count} pictures`}: ${creditsOf(number(credits))}.`,
    noOutput:
      'No picture comes out of that graph: it has no node such as **SaveImage**. Add one in ComfyUI, and export it again.',
    badName: 'A name has up to 40 letters, digits, spaces, dots and hyphens.',
    saved: 'Saved. Members pick it with `graph_name` in `/imagine`.',
    replaced: 'Replaced. Members pick it with `graph_name` in `/imagine`.',
    removed: (name: string) => `Removed **${name}**.`,
    notKept: (name: string) => `This server has no graph **${name}**. \`/graph list\` shows those it has.`,
    full: (most: number) => `This server has ${most} graphs already. Remove one with \`/graph remove\`.`,
    contents: '`/graph list` with a `name` shows its nodes and models.',
    none: 'This server has no graphs yet. Whoever manages it adds one with `/graph save`.',
    line: (name: string, nodes: number, saved: string) =>
      `**${name}** · ${nodes} ${nodes === 1 ? 'node' : 'nodes'} · ${saved}`,
  },

  /** Lines of a server's log: who did what, and whom it concerns. */
  audit: {
    bot: 'Darkroom',
    'key-linked': (actor: string, owner: KeyOwner['kind']) =>
      owner === 'guild' ? `${actor} linked a key for this server` : `${actor} linked a key`,
    'key-unlinked': (actor: string, owner: KeyOwner['kind']) =>
      owner === 'guild' ? `${actor} unlinked the key of this server` : `${actor} unlinked their key`,
    'key-revoked': (actor: string, owner: KeyOwner['kind']) =>
      owner === 'guild' ? `${actor} revoked the key of this server` : `${actor} revoked their key`,
    'setting-changed': (actor: string, setting: string, from: string | undefined, to: string | undefined) =>
      `${actor} changed **${setting}** from ${from ?? 'nothing'} to ${to ?? 'nothing'}`,
    'credits-viewed': (actor: string, member: string) => `${actor} looked at the credits of ${member}`,
    'picture-deleted': (actor: string, member: string) => `${actor} deleted a picture by ${member}`,
    'member-blocked': (actor: string, member: string, until: string | undefined) =>
      `${actor} blocked ${member} ${until === undefined ? 'for good' : `until ${until}`}`,
    'member-unblocked': (actor: string, member: string) => `${actor} unblocked ${member}`,
    'request-cancelled': (actor: string, member: string) => `${actor} cancelled a request by ${member}`,
    'all-stopped': (actor: string, jobs: number) =>
      `${actor} cancelled everything that ran here (${jobs} ${jobs === 1 ? 'request' : 'requests'})`,
    'graph-saved': (actor: string, graph: string) => `${actor} saved the graph **${graph}**`,
    'graph-removed': (actor: string, graph: string) => `${actor} removed the graph **${graph}**`,
    /** `sha256`: of the picture of their own that it was made from. */
    'picture-reported': (actor: string, member: string, sha256: string | undefined) =>
      `${actor} reported a picture by ${member}${sha256 === undefined ? '' : `, made from a file with the SHA-256 ${sha256}`}`,
    'report-dismissed': (actor: string, member: string) =>
      `${actor} dismissed a report of a picture by ${member}`,
  },

  /**
   * What commands and their options are for, by their path (`apikey server link`, `imagine prompt`). Other languages than
   * English have it here; English stands in the payloads themselves.
   */
  commands: {} as Readonly<Record<string, string>>,
};

export type Texts = typeof en;

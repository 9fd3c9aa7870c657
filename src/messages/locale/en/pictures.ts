import { creditsOf, either } from './formats.ts';

export const progress = {
  submitting: 'Sending',
  awaitingTurn: (position: number | undefined) =>
    position === undefined ? 'Waiting' : `Waiting: number ${position}`,
  engineUnavailable: 'Waiting: nothing that can draw this is online',
  queued: (position: number | undefined) =>
    position === undefined ? 'In the queue' : `Queue: number ${position}`,
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
};

/** A request that somebody wants no longer. */
export const cancel = {
  button: 'Cancel',
  cancelled: 'Cancelled.',
  moderated: 'Cancelled by a moderator.',
  free: 'It cost nothing.',
  price: (credits: number) => `It has cost ${creditsOf(credits)}.`,
  unknownPrice: 'The image service does not say what it cost.',
  left: 'I stopped waiting. The service may still charge for it.',
  finished: (finished: number, all: number) =>
    finished === 1
      ? `One of ${all} was finished already and is shown.`
      : `${finished} of ${all} were finished already and are shown.`,
  tooLate: 'Too late to cancel: it is over.',
  unknown:
    'I know nothing of this request any more, so I can’t cancel it. If it is being drawn, the image service may charge for it.',
  underWay: 'It is being cancelled. `/jobs` shows when it is.',
  notYours: 'Only the member who asked for it, or a moderator, can cancel it.',
  byModerator: (prompt: string, what: string) => `A moderator cancelled **${prompt}**. ${what}`,
};

/** Where a picture is, or will be, when its reply cannot show it. */
export const handover = {
  slow: 'This is taking longer than usual. The picture will come here or to you directly; if neither works, it will be in `/jobs`',
  slowPrivate:
    'This is taking longer than usual. The picture will come to you directly; if that does not work, it will be in `/jobs`',
  asked: (ago: string) => `asked ${ago}`,
  posted: (link: string) => `I couldn’t show the picture in this message. It is here: ${link}`,
  direct: 'I couldn’t show this here, so I sent it to you directly.',
  waiting: 'I couldn’t show this here. You will find it in `/jobs`.',
};

export const picture = {
  graphPrompt: 'a node graph',
  size: 'Size',
  seed: 'Seed',
  seeds: 'Seeds',
  workflow: 'Workflow',
  usualPrice: (credits: number) => `${creditsOf(credits)} at its usual size`,
  graph: 'Graph',
  steps: 'Steps',
  cfg: 'CFG',
  strength: 'Strength',
  model: 'Model',
  negativePrompt: 'Without',
  tooLarge: (url: string | undefined, until: string | undefined) =>
    url === undefined
      ? 'The picture is too large for this channel, and its address holds a key, so I don’t show it. Choose a smaller size.'
      : `The picture is too large for this channel: ${url}${until === undefined ? '' : ` (until ${until})`}`,
  again: 'Again',
  tryAgain: 'Try again',
};

/** What a finished picture says of itself. */
export const outcome = {
  graph: (name: string) => `Graph ${name}`,
  /** `varied`: the words were kept, and the seeds are new. */
  from: (link: string | undefined, varied: boolean) =>
    varied
      ? `${link === undefined ? 'Variations' : `Variations of ${link}`}: the same words, new seeds`
      : link && `made from ${link}`,
  /** Of one picture of several, for who cannot see it. */
  alt: (prompt: string, nth: number, all: number) => `${nth} of ${all}: ${prompt}`,
  showPrompt: 'Show prompt',
  promptFile: 'The whole prompt',
};

export const sketch = {
  missing: (names: string) => `Sketch · missing: ${names}`,
};

/** What can be done with a picture, by its buttons and in the menu of its message. */
export const actions = {
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
  deleteQuestion: (link: string) => `Delete this for good? ${link}`,
  deleted: 'Deleted.',
  kept: 'Nothing was deleted.',
  notDeleted: 'I could not delete it from here. Press **More** under the picture, then **Delete**.',
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
    unverifiable: 'It may be here already, but I cannot look. If you do not see it, press **Publish** again.',
  },
  noPicture: 'There is no picture of mine in this message.',
  notFinished: 'It is not finished. **Cancel** under it stops it.',
  noWords: 'This message has no words to make a picture from.',
  askedBy: 'Asked for by',
  asked: 'When',
  took: 'Took',
  cost: 'Cost',
  credits: creditsOf,
  from: 'Made from',
  commandFile: 'The command that makes this picture again',
};

/** What is made of a picture. */
export const source = {
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
  firstFrame: 'Made from the first frame of an animation',
  noneHere: 'There is no picture in this message that I could use: I take PNG, JPEG and WebP files.',
  empty: 'This file is empty. Attach the picture again.',
  noPicture: 'I cannot use this file as a picture: I take PNG, JPEG and WebP. Save it as one of these.',
  tooLarge: 'This picture is too large: I take 10 MiB at most. Make it smaller.',
  tooNarrow: (times: number) =>
    `This picture is too narrow: its long side may be ${times} times its short one at most. Crop it.`,
  tooManyPixels: 'This picture has too many pixels: I take 24 megapixels at most. Make it smaller.',
  tooWide: (most: number) =>
    `That would be larger than ${most} pixels a side, which is the most. Use a smaller picture, or upscale it less.`,
  forgotten: 'I no longer have this picture. Bring it once more.',
  noSize: 'I do not know the size of this picture, so I cannot say how much to add. **Edit** it instead.',
  isSquare: 'This picture is a square already.',
  notYours: 'This was made from a picture that you cannot see. Begin with one of your own.',
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
    upscale: () => 'The image service cannot upscale this picture.',
    expand: () => 'The image service cannot expand this picture.',
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
};

/** To who asked, in reply to what took long. */
export const ready = (mention: string, pictures: number) =>
  `${mention} ${pictures > 1 ? 'Your pictures are ready.' : 'Your picture is ready.'}`;

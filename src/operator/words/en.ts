import type { ServiceErrorKind } from '@darkroom/image-api';
import { noDiscordAt } from '../../bot/no-discord.ts';
import { WHERE_TOKEN_IS } from '../../discord-token.ts';
import { creditsOf } from '../../messages/locale/en/formats.ts';

/**
 * What set-up, the doctor and `deploy-commands` say in a terminal. The catalogue of another language is of its shape.
 */
export const en = {
  language: 'en',
  yes: 'Yes',
  no: 'No',
  help: {
    description:
      'Asks what only you can know, tries every answer at once, and ends with the bot in your server. Secrets are given in the environment (DISCORD_TOKEN, HOSTED_API_KEY, AI_HORDE_KEY, IMAGE_API_KEY, an SDWEBUI_URL with its password), never as flags.',
    usageTitle: 'Usage:',
    usage: '[options]',
    optionsTitle: 'Options:',
    sets: (setting: string) => `sets ${setting}`,
    sketch: 'pictures are sketches for now',
    choose: 'asks who draws, also where that is settled',
    horde: 'volunteers of the AI Horde draw, for everybody’s key unless AI_HORDE_KEY is set',
    payer: 'who pays for pictures of the included service',
    picture: 'draws a test picture, also where it costs',
    noPicture: 'draws no test picture',
    noInvite: 'does not wait until the bot is in a server',
    noTry: 'does not wait for somebody to type /imagine',
    run: 'how the bot will run',
    check: 'only tries what is set, and changes nothing',
    json: 'writes what it found as JSON, and asks nothing',
    language: 'the terminal’s unless given',
    help: 'shows this',
  },
  begin: (path: string) =>
    `Setting up Darkroom. What you answer is kept in ${path}. Ctrl-C stops; what is answered by then stays.`,
  stopped: 'Stopped. Run it again to go on where you were.',
  replace: (name: string, before: string, after: string) => `${name} is ${before}. Replace it by ${after}?`,
  aSecret: 'a value that is not shown',
  nothing: 'nothing',
  kept: (names: readonly string[]) => `Written down: ${names.join(', ')}.`,
  backup: (path: string) => `The settings as they were are in ${path}.`,
  noTerminal: (question: string) => `${question} There is no terminal to answer this in.`,
  missing: 'There is no terminal to ask in, and these answers are missing:',
  missingPictures:
    'where pictures come from: --comfyui-url, --sdwebui-url, --hosted-model, --horde, --image-api-url or --sketch',
  missingKey: 'the provider’s key: HOSTED_API_KEY in the environment',
  missingToken: 'the bot’s token: DISCORD_TOKEN in the environment',
  passwordInFlag: (setting: string) =>
    `Whoever lists the processes of this machine reads the password in that address. Give it as ${setting} in the environment.`,
  elsewhere: (names: readonly string[]) =>
    `The environment of this terminal sets ${names.join(', ')} as well, and comes before the file. Take that away where it is set: unset ${names.join(' ')}.`,
  again: 'Try again',
  goOn: 'Go on without',
  file: {
    unreadable: (path: string, why: string) => `${path} cannot be read. ${why}`,
    unwritable: (path: string, why: string) => `${path} cannot be written, and is as it was. ${why}`,
    noSetting: (path: string, line: number) =>
      `Line ${line} of ${path} is no setting: expected NAME=value, or # and a comment. Mend that line.`,
    readByNode: (name: string, path: string) =>
      `${name} has no effect in ${path}, unless Docker Compose sets it from there: Node reads it before this program begins. Set it in the environment of the process: in the shell (export ${name}=…), or in /etc/default/darkroom for the unit of systemd.`,
    noValue: (name: string) =>
      `The value of ${name} cannot be written into a file of settings: no quotation marks fit around it. Give another value, or set this one in the environment.`,
    again: 'Write it again?',
    readAgain: 'Read it again?',
  },
  machine: {
    full: 'The disk is full: make room on it.',
    closed: 'Permission denied: run this as the owner of the file, or give the file to this user (chown).',
  },
  /** What settings and the image service say of themselves. */
  said: (sentence: string) => sentence,
  keptWrong: 'Mend these settings where they are set, and run this again.',

  pictures: {
    topic: 'Where pictures come from',
    searching: 'Looking for what can draw on this machine …',
    asking: 'Asking there …',
    nothingFound: 'Nothing that can draw runs on this machine at its usual address.',
    question: 'Who draws the pictures?',
    found: { comfyui: 'ComfyUI', sdwebui: 'Stable Diffusion WebUI', openai: 'OpenAI-compatible server' },
    at: (name: string, url: string) => `${name} at ${url}`,
    comfyui: 'ComfyUI, somewhere else',
    sdwebui: 'Stable Diffusion WebUI or stable-diffusion.cpp, somewhere else',
    hosted: 'A provider, with your key',
    hostedHint: 'costs money',
    horde: 'Volunteers of the AI Horde',
    theHorde: 'volunteers of the AI Horde',
    hordeHint: 'free; minutes of waiting, and strangers see prompts and pictures',
    service: 'An image service that you have',
    theService: 'the image service',
    sketch: 'Nobody yet: sketches, painted by rules',
    sketchHint: 'free, no AI; change it whenever you like',
    address: 'Its address:',
    notAnAddress: 'An address begins with http:// or https://, such as http://127.0.0.1:8188.',
    provider: 'Which provider?',
    model: 'Which model?',
    noModel: 'Write the name of a model.',
    key: 'Its key (it is not shown):',
    compatible: 'a server that speaks as OpenAI',
    serverKey: 'Its key (it is not shown; only Enter where it wants none):',
    noKey: 'Paste the key.',
    hordeKey: 'Your key of the AI Horde (it is not shown; 0000000000 is everybody’s, and comes last):',
    serviceKey: 'The key that pays for pictures (it is not shown; sk- and 48 characters):',
    isSet: (what: string) => `Pictures come from ${what}.`,
    chooseAnew: (command: string) => `To choose again who draws: ${command}`,
    areSketches: 'Pictures are sketches for now, painted by rules.',
    noAnswer: (url: string, why: string) =>
      `Nothing that draws answers at ${url} (${why}). Start it, or give another address.`,
    somethingElse: {
      comfyui: (url: string) => `${url} answers, but not as a ComfyUI does. Give another address.`,
      sdwebui: (url: string) =>
        `${url} answers, but not as a WebUI does. Start it with --api, or give another address.`,
      openai: (url: string) => `${url} answers, but not as OpenAI does. Give another address.`,
    },
    needsPassword: {
      comfyui: (url: string) =>
        `${url} wants a name and a password, and Darkroom asks a ComfyUI without them. Let it answer this machine without them, or give another address.`,
      sdwebui: (url: string) =>
        `${url} wants another name and password: as http://NAME:PASSWORD@host in SDWEBUI_URL, or by choosing it again here.`,
    },
    inAddress: {
      comfyui: 'Leave out the name and the password: Darkroom asks a ComfyUI without them.',
      sdwebui: 'Leave out the name and the password: they are asked for where it wants them, and not shown.',
      hosted:
        'Leave out the name and the password: this server takes a key, which is asked for next and not shown.',
      service:
        'Leave out the name and the password: this service takes a key, which is asked for next and not shown.',
    },
    oneAddress: 'Only one address can be given here, without a comma.',
    wantsKey: 'This server wants a key: paste it.',
    refusedKey: 'This server does not accept the key: copy it again, or make a new one there.',
    anotherKey: 'Type another key',
    anotherAddress: 'Type another address',
    login: (url: string) => `Name and password of ${url}, as NAME:PASSWORD (they are not shown):`,
    badLogin: 'Write the name, a colon and the password.',
    mayDraw: 'Draw a test picture? It costs what a picture costs.',
    drawing: 'Drawing a test picture …',
    drawn: (file: string, seconds: number, cost: string) =>
      `The test picture is ${file}. It took ${seconds} s${cost}.`,
    cost: (credits: number) => ` and cost ${creditsOf(credits)}`,
    notThereYet: (why: string) => `${why || 'The picture is not there yet.'} Ctrl-C ends the wait for it.`,
    mayHaveCost: 'It may have cost credits all the same.',
    isStopped: 'you have ended the wait for it.',
    notDrawn: (why: string) => `There is no test picture: ${why}`,
    next: 'What now?',
    other: 'Choose again',
    keep: 'Keep it all the same',
  },

  discord: {
    topic: 'Discord',
    about:
      'The bot needs an application of yours at Discord: press New Application on https://discord.com/developers/applications.\nOpen its page Bot, press Reset Token, and copy the token.',
    token: 'The bot’s token (it is not shown):',
    isNoToken: (problem: string) => `This is ${problem}`,
    refused:
      'Discord does not accept this token. It may have been reset: press Reset Token on the page Bot and copy the new one.',
    down: (why: string) => `Discord cannot be reached: ${why}. Check the network and DISCORD_API_URL.`,
    elsewhere: noDiscordAt,
    refuses: (why: string) =>
      `Discord refuses: ${why}. Check DISCORD_APPLICATION_ID and DISCORD_GUILD_ID, and that the bot is in that server.`,
    limited: (minutes: number) =>
      `Discord takes no more of this for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Run this again then.`,
    unregistered: (why: string) => `Discord has not changed the commands: ${why}`,
    uncertain: (why: string) =>
      `It is not certain that Discord has changed the commands: ${why} Then run this again; twice does no harm.`,
    incomplete: (accepted: number, sent: number) =>
      `Discord accepted ${accepted} of ${sent} commands, so some are missing. Run this again.`,
    accepted: (names: readonly string[], guildId: string | undefined) =>
      `Discord accepted ${names.length} ${names.length === 1 ? 'command' : 'commands'} ${guildId === undefined ? 'everywhere' : `in server ${guildId}`}: ${names.join(', ')}`,
    removed: (guildId: string | undefined) =>
      guildId === undefined
        ? 'The commands that were registered everywhere are removed; those of single servers stay.'
        : `The commands of server ${guildId} are removed; those of everywhere stay.`,
    knows: (name: string) => `Discord knows the token: it is ${name}’s.`,
    needs: (permissions: readonly string[]) =>
      `It needs no privileged intent, and these permissions: ${permissions.join(', ')}. It posts pictures where it is asked for them, and finds its own messages again.`,
    invite: (url: string) => `Add the bot to your server by this address; Ctrl-C goes on without:\n${url}`,
    waiting: 'Waiting until it is in a server …',
    isIn: (guild: string) => `It is in “${guild}”.`,
    notIn: 'It is in no server yet. Add it whenever you like, by the address above.',
    askAgain: 'Try again with this token',
    otherToken: 'Type another token',
    retry: 'Wait again',
    registering: 'Registering the commands …',
    registered: (count: number) =>
      `${count} commands are registered. Discord shows them within a minute; reload it if it does not.`,
  },

  doctor: {
    names: {
      token: 'token',
      application: 'application',
      commands: 'commands',
      clock: 'clock',
      service: 'service',
      key: 'key',
      pictures: 'pictures',
      engines: 'engines',
      'service database': 'service database',
      store: 'store',
      secret: 'secret',
      'file modes': 'file modes',
      unit: 'unit',
    },
    noToken: (setup: string) => `DISCORD_TOKEN is not set. ${setup} asks for it. ${WHERE_TOKEN_IS}`,
    withoutToken: 'not looked at without DISCORD_TOKEN.',
    withoutService: 'not looked at while the service does not answer.',
    known: (name: string) => `Discord knows it as ${name}`,
    otherApplication: (set: string, real: string) =>
      `DISCORD_APPLICATION_ID is ${set}, but the token is of ${real}. Leave it out, or copy the token of that application.`,
    upToDate: (count: number) => `all ${count} are registered and up to date`,
    outdated: (names: readonly string[], command: string) =>
      `${names.join(', ')} missing or of another version. Run ${command}.`,
    rightTime: 'as Discord’s',
    noTime: 'Discord does not say what time it is. Check DISCORD_API_URL.',
    wrongTime: (aheadSeconds: number) =>
      `this machine is ${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} Discord. Switch on NTP: timedatectl set-ntp true.`,
    includedService: 'the included one, in the process of the bot',
    answers: 'answers',
    serviceDown: (kind: ServiceErrorKind) =>
      `no good answer (${kind}). Check IMAGE_API_URL, and that the service runs.`,
    redirected: (to: string) =>
      `it redirects to ${to}, and no key is sent on. Set IMAGE_API_URL to the address that the service has there.`,
    noKey: 'no IMAGE_API_KEY: members and servers link keys of their own',
    includedKey: 'is tried by the included service, with its first picture',
    acceptedKey: 'the service accepts IMAGE_API_KEY',
    refusedKey: 'the service does not accept IMAGE_API_KEY. Copy the key again, or make a new one.',
    sharp: 'can be read on this machine',
    noSharp: (why: string) =>
      `none can be read on this machine, so members would pay for pictures that are never shown: ${why}`,
    sketches: 'pictures are sketched',
    notYetMade: 'is made by the first start',
    closedFolder: (folder: string) =>
      `${folder} cannot be written. Give it to the user who runs the bot: chown.`,
    outdatedDatabase: 'is brought up to this version by the next start',
    readyDatabase: 'can be written with its pictures, and opens with the secret',
    writableStore: 'can be written',
    givenSecret: (secret: string) => `${secret}, with which the first start seals`,
    lostSecret: (file: string) =>
      `neither SECRET_KEY nor ${file} is there. Put back the one that sealed the store; without it linked keys are lost.`,
    rightSecret: 'opens what is sealed',
    closedFiles: (file: string, folder: string) => `${file} and ${folder} are their owner’s alone`,
    unknownModes: (file: string, folder: string) =>
      `on Windows they tell nothing, and were not looked at: keep ${file} and ${folder} below your user folder, which is closed to other users`,
    openFiles: (files: readonly string[], command: string) =>
      `other users of this machine can read ${files.join(', ')}. Run ${command}.`,
    sameUnit: 'the unit that systemd has is that of this version',
    oldUnit: (
      file: string,
      name: string,
      { different, renewal }: { different: readonly string[]; renewal: string },
    ) =>
      `${file} is not that of this version, in: ${different.join(', ')}. What you set yourself belongs in a file of its own: sudo systemctl edit ${name}. Renew the unit: ${renewal}, and once it is in place: sudo systemctl daemon-reload && sudo systemctl restart ${name}.`,
  },

  payer: {
    topic: 'Who pays',
    question: 'Every picture is paid in credits of the included service. Who pays?',
    everybody: 'The bot, for everybody',
    everybodyHint: 'an account of its own; at most 500 pictures a day, which .env can change',
    members: 'Each member, with a key of their own',
    membersHint: (command: string) => `you make an account for each: ${command}`,
    making: 'Making its account …',
    made: (account: string, credits: number) =>
      `The account ${account} of the included service has ${creditsOf(credits)}, and its key pays (IMAGE_API_KEY).`,
    notMade: (why: string) => `The account cannot be made. ${why}`,
    isSet: 'IMAGE_API_KEY pays for everybody.',
  },

  secretMade:
    'A secret that seals keys and tokens on the disk is made (SECRET_KEY). Keep a copy of it: without it they cannot be read.',

  trying: {
    question: 'Try it now? The bot starts, and you type /imagine in your server.',
    starting: 'Starting the bot …',
    begun: 'The bot is on Discord: type /imagine a red fox there. Ctrl-C goes on without.',
    waiting: 'Waiting for the picture …',
    stopping: 'Stopping the bot …',
    came: 'The picture is in the channel.',
    noPicture: 'The bot has answered, but without a picture: its answer in Discord says why.',
    notYet: 'No picture came within ten minutes. Is /imagine there? Reload Discord.',
    failed: (why: string) => `The bot does not start: ${why}`,
    portTaken: (port: number) => `port ${port} is taken, perhaps by a Darkroom that runs already.`,
    port: 'Another port for its image service:',
    notAPort: (last: number) => `A port is a number from 0 to ${last}; 0 takes one that is free.`,
  },

  run: {
    topic: 'Start it',
    question: 'How will the bot run?',
    npm: 'Here, in a terminal',
    systemd: 'As a service of this machine (systemd)',
    docker: 'In containers (Docker Compose)',
    otherUnit: (file: string, name: string) =>
      `${file} is not of the bot in this folder, and stays as it is: the unit of this one is called ${name}.`,
    unit: (path: string, installed: string) =>
      `Look at ${path}, then put it into place:\nsudo install -m 0644 ${path} ${installed}`,
    by: (command: string) => `Start it: ${command}`,
    otherAccounts:
      'IMAGE_API_KEY is the key of an account on this machine; the service in its container has accounts of its own.',
    listening:
      'What runs on this machine itself has to listen for containers, too, and not on 127.0.0.1 alone: ComfyUI with --listen 0.0.0.0, a WebUI with --listen. Let nobody else reach its port.',
    account: (command: string) =>
      `Then make an account, and type its login token into the form of /apikey generate: ${command}`,
    looking: 'Looking whether all is well …',
    notWell: (doctor: string) => `Mend what is marked above, then look again: ${doctor}.`,
  },
};

export type Words = typeof en;

import type { Texts } from '../en.ts';

export const settings: Texts['settings'] = {
  heading: 'Servereinstellungen',
  check: {
    permissions: 'Meine Berechtigungen in diesem Kanal',
    commands: 'Meine Befehle',
    outdated: (names) =>
      `Hier fehlt oder ist veraltet: ${names}. Sag dem Betreiber dieses Bots, dass er die Befehle neu registrieren soll.`,
    commandsUnknown:
      'Discord sagt nicht, welche registriert sind. Versuche es in ein paar Minuten noch einmal.',
    service: 'Der Bilderdienst',
    serviceDown:
      'Er antwortet nicht. Versuche es in ein paar Minuten noch einmal, und sag es dann dem Betreiber dieses Bots.',
    key: 'Der Schlüssel dieses Servers',
    keyRefused: 'Der Bilderdienst nimmt ihn nicht an. Verknüpfe mit `/apikey server link` einen anderen.',
    pictures: 'Neue Bilder',
    mayNotPost: (channel) =>
      `Ich kann in ${channel} nicht schreiben. Lass mich ihn sehen und dort Nachrichten senden, oder wähle in \`/settings panel\` einen anderen.`,
    store: 'Mein eigener Speicher',
  },
  log: {
    heading: '**Protokoll dieses Servers**',
    none: 'Das Protokoll dieses Servers ist leer. Es zeigt, wer Einstellungen und Schlüssel geändert und was die Moderation getan hat.',
  },
  unreadable:
    'Die Einstellungen dieses Servers lassen sich nicht mehr lesen. Bis du sie neu festgelegt hast, gibt es keine neuen Bilder: Geh die Bereiche durch und erlaube neue Bilder zum Schluss.',
  sections: {
    general: 'Allgemein',
    access: 'Wo und wer',
    pictures: 'Bilder',
    limits: 'Limits',
    moderation: 'Moderation',
  },
  names: {
    paused: 'Pausiert',
    privateByDefault: 'Standardmäßig privat',
    locale: 'Sprache',
    channels: 'Kanäle',
    roles: 'Rollen',
    ownPictures: 'Eigene Bilder der Mitglieder',
    ownPictureChannels: 'Eigene Bilder: Kanäle',
    ownPictureRoles: 'Eigene Bilder: Rollen',
    workflows: 'Erlaubte Workflows',
    defaultWorkflow: 'Standard-Workflow',
    defaultSize: 'Standardgröße',
    largestSize: 'Maximale Größe',
    mostSteps: 'Maximale Schritte',
    blockedWords: 'Gesperrte Wörter',
    blocked: 'Gesperrte Mitglieder',
    flagged: 'Markierte Bilder',
    notify: 'Bescheid geben',
    logChannelId: 'Protokollkanal',
    reportChannelId: 'Kanal für Meldungen',
  },
  limits: {
    openRequests: 'Offene Aufträge je Mitglied',
    memberHour: 'Bilder je Mitglied und Stunde',
    memberDay: 'Bilder je Mitglied und Tag',
    guildHour: 'Bilder des Servers je Stunde',
    guildDay: 'Bilder des Servers je Tag',
    keyDay: 'Bilder mit dem Serverschlüssel je Tag',
    keyMonth: 'Bilder mit dem Serverschlüssel je Monat',
    keyCreditsDay: 'Credits des Serverschlüssels je Tag',
    keyCreditsMonth: 'Credits des Serverschlüssels je Monat',
  },
  limitForms: {
    member: 'Limits der Mitglieder',
    guild: 'Limits des Servers',
    key: 'Budget des Serverschlüssels',
  },
  emptyIsOperators: 'Leer: nur das Limit des Betreibers. Stunden, Tage und Monate gelten in UTC.',
  emptyIsUnlimited: 'Leer: kein Limit. Tage und Monate gelten in UTC.',
  toggle: {
    paused: (on) => (on ? 'Neue Bilder erlauben' : 'Pausieren'),
    ownPictures: (on) => (on ? 'Eigene Bilder verbieten' : 'Eigene Bilder erlauben'),
    privateByDefault: (on) => (on ? 'Bilder allen zeigen' : 'Bilder privat machen'),
  },
  flagged: {
    show: 'wie alle anderen gezeigt',
    spoiler: 'hinter einem Spoiler, außer in altersbeschränkten Kanälen',
    private: 'nur für das Mitglied, das es angefordert hat, außer in altersbeschränkten Kanälen',
  },
  notify: {
    always: 'immer',
    slow: 'wenn es über eine Minute dauerte',
    never: 'nie',
  },
  wordsForm: {
    label: 'Wörter',
    description: 'Eins pro Zeile. * steht für beliebige Buchstaben: Katze* sperrt auch Katzen.',
  },
  on: 'ja',
  off: 'nein',
  everyWorkflow: 'alle',
  everywhere: 'überall',
  everybody: 'alle',
  nobody: 'niemand',
  nothing: 'keine',
  nowhere: 'keiner',
  reportsByCommand: 'keiner; `/moderate reports` zeigt sie',
  unlimited: 'kein Limit',
  ofOperator: (limit) => `${limit} (vom Betreiber dieses Bots)`,
  whereUndecided: {
    locale: 'die des Mitglieds',
    defaultWorkflow: 'wie das Mitglied will',
    defaultSize: 'wie das Mitglied will',
    largestSize: 'kein Limit',
    mostSteps: 'kein Limit',
  },
  languages: (locale) => new Intl.DisplayNames('de', { type: 'language' }).of(locale) ?? locale,
  unseen: (channel) => `${channel} (ich sehe ihn nicht)`,
  unseenStay: 'Was ich nicht sehe, bleibt in seiner Liste. Um es zu entfernen, lass es mich erst ansehen.',
  deleted: (id) => `⚠️ gelöscht (${id})`,
  noLimit: (name, most) =>
    `**${name}** muss eine ganze Zahl von 1 bis ${most} sein, oder leer. Es wurde nichts geändert.`,
  tooManyWords: (most) => `Es können höchstens ${most} Wörter gesperrt sein. Es wurde nichts geändert.`,
  wordsChangedSince:
    'Jemand hat die gesperrten Wörter geändert, seit du das Formular geöffnet hast. Es wurde nichts geändert. Sieh dir beide Listen zusammen an, und sende das Formular dann noch einmal.',
  noWord: (word, characters) =>
    `**${word}** kann nicht gesperrt werden: Ein Wort braucht einen Buchstaben oder eine Ziffer und hat höchstens ${characters} Zeichen. Es wurde nichts geändert.`,
  changedSince:
    'Jemand hat diese Liste geändert, seit du die Einstellungen geöffnet hast, und deine Auswahl passt nicht mehr dazu. Es wurde nichts geändert. Öffne `/settings panel` noch einmal.',
  notHere: 'Das gibt es auf diesem Server nicht. Es wurde nichts geändert.',
  idsUnknown:
    'Discord sagt mir gerade nicht, welche Kanäle und Rollen dieser Server hat. Es wurde nichts geändert. Versuche es in einer Minute noch einmal.',
  defaultNotOffered: 'Der Standard-Workflow muss einer der erlaubten sein. Es wurde nichts geändert.',
  defaultTooLarge:
    'Die Standardgröße darf nicht mehr Pixel haben als die maximale Größe. Es wurde nichts geändert.',
};

export const mySettings: Texts['mySettings'] = {
  open: 'Meine Voreinstellungen',
  heading: 'Deine Voreinstellungen',
  nothing:
    'Du hast noch keine Voreinstellungen. Was du bei `/imagine` nicht angibst, entscheidet der Server.',
  names: {
    count: 'Bilder',
    private: 'Privat',
    spoiler: 'Spoiler',
  },
  yesOrNo: (yes) => (yes ? 'ja' : 'nein'),
  moreDescription: (flags) => `Etwa ${[...flags, '--n 4 --private --spoiler'].join(' ')}`,
  noSeed: 'Mit einem festen Seed käme jedes Mal dasselbe Bild. Lass ihn weg.',
  asks: (on) => (on ? 'Vor mehreren Bildern nicht fragen' : 'Vor mehreren Bildern fragen'),
  notify: {
    undecided: 'Fertige Bilder: wie der Server es will',
    always: 'Sag mir, wenn ein Bild fertig ist',
    slow: 'Sag es mir, wenn es über eine Minute dauerte',
    never: 'Sag mir nie Bescheid',
  },
  reset: 'Zurücksetzen',
};

import type { Texts } from './en.ts';

const of = (username: string | undefined): string => (username === undefined ? '' : ` von **${username}**`);

/** `2026-11-18` without its year. */
const dayOf = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('de', { day: 'numeric', month: 'long', timeZone: 'UTC' });

const number = (value: number): string => value.toLocaleString('de', { maximumFractionDigits: 3 });

/** `credits`: as it is written in the language. */
const creditsOf = (credits: string): string => `**${credits}** ${credits === '1' ? 'Credit' : 'Credits'}`;

/** As Discord's settings name them. */
const PERMISSIONS: Texts['permissions'] = {
  ViewChannel: 'Kanal ansehen',
  SendMessages: 'Nachrichten senden',
  AttachFiles: 'Dateien anhängen',
  EmbedLinks: 'Links einbetten',
  ReadMessageHistory: 'Nachrichtenverlauf anzeigen',
  SendMessagesInThreads: 'Nachrichten in Threads senden',
};

const list = new Intl.ListFormat('de');
const either = new Intl.ListFormat('de', { type: 'disjunction' });

export const de: Texts = {
  locale: 'de',
  permissions: PERMISSIONS,

  progress: {
    submitting: 'Wird gesendet',
    waiting: (place) => (place === undefined ? 'Wartet' : `Wartet: Platz ${place}`),
    queued: (place) => (place === undefined ? 'In der Warteschlange' : `Warteschlange: Platz ${place}`),
    developing: 'Entsteht',
    finished: 'fertig',
    failed: 'fehlgeschlagen',
    delivering: 'Gleich fertig',
    fetching: (until) =>
      until === undefined ? 'Fertig; wird abgeholt' : `Fertig; wird bis ${until} abgeholt`,
    retrying: 'Der Dienst antwortet nicht; neuer Versuch',
    left: (time) => `noch ~${time}`,
    seconds: (seconds) => `${seconds} s`,
    minutes: (minutes) => `${minutes} min`,
    preview: (prompt) => `Noch nicht fertig: ${prompt}`,
  },

  cancel: {
    button: 'Abbrechen',
    cancelled: 'Abgebrochen.',
    moderated: 'Von einem Moderator abgebrochen.',
    free: 'Es hat nichts gekostet.',
    price: (credits) =>
      `Was bis dahin gezeichnet war, hat ${number(credits)} ${credits === 1 ? 'Credit' : 'Credits'} gekostet.`,
    unknownPrice: 'Der Bilderdienst sagt nicht, was es gekostet hat.',
    left: 'Ich warte nicht mehr darauf. Der Dienst berechnet es vielleicht trotzdem.',
    finished: (finished, all) =>
      finished === 1
        ? `Eines von ${all} war schon fertig und wird gezeigt.`
        : `${finished} von ${all} waren schon fertig und werden gezeigt.`,
    tooLate: 'Zu spät zum Abbrechen: Es ist schon fertig.',
    underWay: 'Es wird gerade abgebrochen. Wann es so weit ist, zeigt `/jobs`.',
    notYours: 'Abbrechen kann das nur, wer es angefordert hat, oder ein Moderator.',
    byModerator: (prompt, what) => `Ein Moderator hat **${prompt}** abgebrochen. ${what}`,
  },

  handover: {
    slow: 'Das dauert länger als sonst. Das Bild kommt hierher oder direkt zu dir; wenn beides nicht geht, findest du es in `/jobs`',
    slowPrivate:
      'Das dauert länger als sonst. Das Bild kommt direkt zu dir; wenn das nicht geht, findest du es in `/jobs`',
    asked: (ago) => `angefragt ${ago}`,
    posted: (link) => `Ich konnte das Bild in dieser Nachricht nicht zeigen. Es ist hier: ${link}`,
    direct: 'Das konnte ich hier nicht zeigen; ich habe es dir direkt geschickt.',
    waiting: 'Das konnte ich hier nicht zeigen. Du findest es in `/jobs`.',
  },

  picture: {
    graphPrompt: 'ein Graph',
    size: 'Größe',
    seed: 'Seed',
    seeds: 'Seeds',
    workflow: 'Workflow',
    graph: 'Graph',
    steps: 'Schritte',
    cfg: 'CFG',
    strength: 'Stärke',
    model: 'Modell',
    negativePrompt: 'Ohne',
    tooLarge: (url, until) =>
      `Das Bild ist zu groß für diesen Kanal: ${url}${until === undefined ? '' : ` (bis ${until})`}`,
    again: 'Nochmal',
    tryAgain: 'Nochmal versuchen',
  },

  outcome: {
    graph: (name) => `Graph ${name}`,
    from: (link, varied) =>
      varied
        ? `${link === undefined ? 'Variationen' : `Variationen von ${link}`}: dieselben Worte, neue Seeds`
        : link && `entstanden aus ${link}`,
    alt: (prompt, nth, all) => `${nth} von ${all}: ${prompt}`,
    showPrompt: 'Prompt zeigen',
    without: 'Ohne',
    promptFile: 'Der ganze Prompt',
  },

  sketch: {
    missing: (names) => `Skizze · es fehlt: ${names}`,
  },

  actions: {
    edit: 'Bearbeiten',
    vary: 'Variieren',
    pick: 'Ein Bild wählen',
    postAlone: 'Einzeln posten',
    details: 'Details',
    more: 'Mehr',
    publish: 'Veröffentlichen',
    delete: 'Löschen',
    keep: 'Behalten',
    menu: {
      imagine: 'Daraus ein Bild machen',
      details: 'Bilddetails',
      delete: 'Bild löschen',
      use: 'Bild verwenden',
    },
    removed: 'Dieses Bild wurde gelöscht.',
    gone: 'Dieses Bild ist zu alt, oder was ich darüber wusste, wurde gelöscht: Ich weiß nicht mehr, wie es entstanden ist. Mit `/imagine` machst du ein neues.',
    notYours: 'Das kann nur, wer das Bild angefordert hat.',
    deleteQuestion: (link) => `Das hier für alle löschen? ${link}`,
    deleted: 'Gelöscht.',
    kept: 'Es wurde nichts gelöscht.',
    notDeleted:
      'Von hier aus konnte ich es nicht löschen. Drücke noch einmal auf **Löschen** unter dem Bild.',
    fileGone: 'Weder Discord noch der Bilderdienst hat dieses Bild noch.',
    nth: (number, link) => (link === undefined ? `Bild ${number}` : `Bild ${number} von ${link}`),
    published: (link) => `Jetzt können es alle sehen: ${link}`,
    publishElsewhere: (channel) =>
      `Ich kann es nur dort veröffentlichen, wo du es angefordert hast: in ${channel}. Du kannst diese Nachricht dorthin weiterleiten.`,
    publishFlagged: 'Auf diesem Server bleiben markierte Bilder privat.',
    notPublished: {
      undelivered:
        'Das Bild ist noch auf dem Weg zu dir. Drücke in einer Minute noch einmal auf **Veröffentlichen**.',
      refused: 'Discord lässt mich das Bild hier nicht posten.',
      unconfirmed:
        'Discord hat nicht geantwortet. Drücke in einer Minute noch einmal auf **Veröffentlichen**: Ich sehe nach, ob das Bild schon da ist, bevor ich es poste.',
      unverifiable:
        'Vielleicht ist das Bild schon da, aber ich kann nicht nachsehen. Falls du es nicht siehst, drücke noch einmal auf **Veröffentlichen**.',
    },
    noPicture: 'In dieser Nachricht ist kein Bild von mir.',
    notFinished: 'Das Bild ist noch nicht fertig. **Abbrechen** darunter hält es an.',
    noWords: 'In dieser Nachricht steht nichts, woraus ein Bild werden kann.',
    askedBy: 'Angefordert von',
    asked: 'Wann',
    took: 'Dauer',
    seconds: (seconds) =>
      new Intl.NumberFormat('de', { style: 'unit', unit: 'second', maximumFractionDigits: 0 }).format(
        seconds,
      ),
    cost: 'Kosten',
    credits: (credits) => (credits === '1' ? '1 Credit' : `${credits} Credits`),
    from: 'Entstanden aus',
    commandFile: 'Der Befehl für dieses Bild',
  },

  source: {
    upscale: (scale) => `${scale}× vergrößern`,
    varySubtly: 'Leicht variieren',
    varyStrongly: 'Stark variieren',
    removeBackground: 'Hintergrund entfernen',
    expand: 'Erweitern …',
    sides: {
      left: 'Nach links',
      right: 'Nach rechts',
      up: 'Nach oben',
      down: 'Nach unten',
      around: 'Rundherum',
      square: 'Zum Quadrat',
    },
    done: {
      edit: 'bearbeitet',
      upscale: (scale) => `${scale}× vergrößert`,
      expand: 'erweitert',
      remove_background: 'ohne Hintergrund',
      vary: 'variiert',
    },
    noWords: 'ein eigenes Bild',
    what: (name) => `Was soll ich ${name === undefined ? 'daraus' : `aus **${name}**`} machen?`,
    which: 'Welches der Bilder?',
    change: 'Ändern',
    noneHere:
      'In dieser Nachricht ist kein Bild, das ich verwenden kann: Ich nehme PNG-, JPEG- und WebP-Dateien.',
    empty: 'Diese Datei ist leer. Häng das Bild noch einmal an.',
    noPicture:
      'Diese Datei kann ich nicht als Bild verwenden: Ich nehme PNG, JPEG und WebP. Speichere sie als eines davon.',
    tooLarge: 'Dieses Bild ist zu groß: Ich nehme höchstens 10 MiB. Mach es kleiner.',
    tooSmall: (least) => `Dieses Bild ist zu klein: Jede Seite braucht ${least} Pixel. Nimm ein größeres.`,
    tooManyPixels: 'Dieses Bild hat zu viele Pixel: Ich nehme höchstens 24 Megapixel. Mach es kleiner.',
    tooWide: (most) => `Das wäre größer als ${most} Pixel je Seite, mehr geht nicht.`,
    noSize:
      'Ich weiß nicht, wie groß dieses Bild ist, und kann darum nicht sagen, wie viel dazukommt. **Bearbeite** es stattdessen.',
    isSquare: 'Dieses Bild ist schon ein Quadrat.',
    notYours: 'Es ging von einem Bild aus, das du nicht sehen kannst. Geh von einem eigenen aus.',
    ofBlocked:
      'Wer das gepostet hat, ist hier für Bilder gesperrt, darum lassen sich die Bilder davon nicht verwenden.',
    withGraph: 'Ein Graph und ein Bild gehen nicht zusammen. Lass eines davon weg.',
    strengthAlone:
      '`strength` sagt, wie viel sich an einem Bild ändert. Gib `image` dazu an, oder lass es weg.',
    withoutStrength:
      'Wie viel sich an diesem Bild ändert, lässt sich hier nicht festlegen. Lass `strength` weg.',
    wordsAlone: 'Hier lässt sich kein eigenes Bild ändern. Deine Wörter lassen sich ohne das Bild zeichnen.',
    withoutPicture: 'Ohne das Bild',
    notOffered: {
      edit: (workflows) =>
        workflows.length === 0
          ? 'Der Bilderdienst kann dieses Bild nicht ändern.'
          : `Dieser Workflow kann Bilder so nicht ändern. Wähle ${either.format(workflows)}.`,
      upscale: () => 'Der Bilderdienst kann dieses Bild nicht vergrößern.',
      expand: () => 'Der Bilderdienst kann dieses Bild nicht zu den Seiten fortsetzen.',
      remove_background: () => 'Der Bilderdienst kann den Hintergrund dieses Bilds nicht entfernen.',
    },
    seen: 'Dein Bild und deine Wörter werden **von Fremden gesehen**: Freiwillige zeichnen es. Trotzdem machen?',
    form: {
      title: 'Bild ändern',
      change: 'Was soll sich ändern?',
      changeDescription: 'Leer: ein neues Bild der Wörter darunter',
      picture: 'Ein anderes Bild',
      pictureDescription: 'Statt dieses Bilds; PNG, JPEG oder WebP',
      pictureRefused: 'Das vorige ging nicht. Ohne eines wird nur nach den Worten gezeichnet',
    },
  },

  ready: (mention, pictures) =>
    `${mention} ${pictures > 1 ? 'Deine Bilder sind fertig.' : 'Dein Bild ist fertig.'}`,

  failure: {
    heading: (prompt) => `**${prompt}** hat nicht geklappt`,
    someFailed: (failed, all, explained) =>
      `${failed} von ${all} Bildern ${failed === 1 ? 'hat' : 'haben'} nicht geklappt${explained ? ':' : '.'}`,
    tooFewCredits: (required, balance) =>
      `Zu wenig Credits: Ein Bild kostet **${number(required)}**, du hast **${number(balance)}**.`,
    references: (references) =>
      `${references.length === 1 ? 'Kennung' : 'Kennungen'} ${references.join(', ')}`,
    mayBeCharged: {
      member: 'Vielleicht wurden Credits abgezogen; `/balance` zeigt es.',
      guild: 'Vielleicht wurden diesem Server Credits abgezogen.',
      operator: 'Vielleicht wurden dem Betreiber dieses Bots Credits abgezogen; dir keine.',
    },
    link: (url) => `Vielleicht kannst du es selbst öffnen: ${url}`,
    serviceSays: (reason) => `Er sagt: ${reason}`,
    reasons: {
      unreachable:
        'Der Bilderdienst ist nicht erreichbar. Es wurde nichts gesendet. Versuche es in ein paar Minuten noch einmal.',
      timeout:
        'Der Bilderdienst hat zu lange nicht geantwortet. Versuche es in ein paar Minuten noch einmal.',
      interrupted:
        'Die Verbindung zum Bilderdienst ist abgebrochen. Versuche es in ein paar Minuten noch einmal.',
      busy: 'Der Bilderdienst ist überlastet. Versuche es in ein paar Minuten noch einmal.',
      broken: 'Der Bilderdienst hat ein Problem. Versuche es in ein paar Minuten noch einmal.',
      refused: 'Der Bilderdienst hat die Anfrage abgelehnt.',
      unauthorized: {
        member:
          'Der Bilderdienst hat deinen Schlüssel nicht angenommen. Verknüpfe einen gültigen mit `/apikey link`.',
        guild:
          'Der Bilderdienst hat den Schlüssel dieses Servers nicht angenommen. Verknüpfe einen eigenen mit `/apikey link`, oder bitte die Verwaltung des Servers, einen gültigen zu verknüpfen.',
        operator:
          'Der Bilderdienst hat den Schlüssel des Betreibers nicht angenommen. Verknüpfe einen eigenen mit `/apikey link`.',
      },
      'insufficient-balance': {
        member: 'Für dieses Bild reichen deine Credits nicht. `/balance` zeigt, was noch da ist.',
        guild:
          'Für dieses Bild reichen die Credits dieses Servers nicht. Mit einem eigenen Schlüssel, verknüpft mit `/apikey link`, zahlst du selbst.',
        operator:
          'Für dieses Bild reichen die Credits des Betreibers nicht. Mit einem eigenen Schlüssel, verknüpft mit `/apikey link`, zahlst du selbst.',
      },
      'not-found': 'Der Bilderdienst kennt dieses Bild nicht mehr.',
      protocol: 'Die Antwort des Bilderdienstes ergibt keinen Sinn. Versuche es später noch einmal.',
      blocked: 'Der Bilderdienst hat eine Datei geliefert, die sich hier nicht zeigen lässt.',
      'task-failed': 'Der Bilderdienst konnte dieses Bild nicht machen.',
      'timed-out': 'Der Bilderdienst wurde nicht rechtzeitig fertig; ich warte nicht mehr auf dieses Bild.',
      unclear: 'Ich weiß nicht, ob der Bilderdienst die Anfrage angenommen hat.',
      cancelled: 'Abgebrochen.',
      withdrawn: 'Abgebrochen, bevor es gesendet wurde; es hat nichts gekostet.',
      left: 'Ich warte nicht mehr darauf.',
      moved:
        'Dieser Bot nutzt jetzt einen anderen Bilderdienst, und vom bisherigen lässt sich dieses Bild nicht mehr abholen.',
      'no-key': 'Der Schlüssel, der dafür zahlte, ist nicht mehr da.',
      unfetched: 'Das Bild ist fertig, aber der Bilderdienst gibt es nicht heraus.',
      unwritten: 'Bei uns ist etwas schiefgegangen, bevor es gesendet wurde; es hat nichts gekostet.',
      'no-turn':
        'Es warteten so viele, dass es zwei Stunden lang nicht an die Reihe kam. Es wurde nicht gesendet und hat nichts gekostet.',
      'input-gone':
        'Das Bild, von dem es ausgeht, ist abgelaufen oder nicht mehr da. Es hat nichts gekostet: Geh noch einmal davon aus.',
      'input-unreadable':
        'Der Bilderdienst kann dieses Bild nicht lesen. Es hat nichts gekostet: Nimm eine ganze PNG-, JPEG- oder WebP-Datei.',
      'input-too-large':
        'Dieses Bild hat zu viele Bytes oder Pixel. Es hat nichts gekostet: Nimm eines mit höchstens 10 MiB und 24 Megapixeln.',
      'result-too-large':
        'Das würde größer, als Bilder hier sein dürfen. Es hat nichts gekostet: Nimm ein kleineres Bild.',
      unsupported: 'Der Bilderdienst kann das mit diesem Bild nicht machen. Es hat nichts gekostet.',
      restarted: 'Dieser Bot wurde neu gestartet, bevor es gesendet wurde; es hat nichts gekostet.',
      internal: 'Bei uns ist etwas schiefgegangen.',
    },
  },

  rules: {
    unreadable:
      'Ich kann nicht mehr lesen, was auf diesem Server erlaubt ist; darum gibt es vorerst keine Bilder. Wer ihn verwaltet, kann es mit `/settings panel` neu festlegen.',
    paused:
      'Auf diesem Server sind Bilder pausiert. Wer ihn verwaltet, kann sie mit `/settings panel` wieder erlauben.',
    blocked: (until) =>
      until === undefined
        ? 'Du bist auf diesem Server für Bilder gesperrt. Die Moderation kann das ändern.'
        : `Du bist auf diesem Server für Bilder gesperrt. Das endet ${until}.`,
    channels: (channels) => `Bilder kannst du nur in ${channels.join(', ')} anfordern.`,
    roles: (roles) => `Um hier Bilder anzufordern, brauchst du eine dieser Rollen: ${roles.join(', ')}.`,
    ownPictures: 'Auf diesem Server dürfen Mitglieder keine eigenen Bilder verwenden.',
    ownPicturesAgeRestricted:
      'In altersbeschränkten Kanälen gehen eigene Bilder nur, wenn die Serververwaltung den Kanal in `/settings panel` dafür nennt.',
    ownPictureChannels: (channels) => `Eigene Bilder gehen nur in ${channels.join(', ')}.`,
    ownPictureRoles: (roles) => `Für eigene Bilder brauchst du hier eine dieser Rollen: ${roles.join(', ')}.`,
    largestSize: (largest) =>
      `Bilder dürfen hier nicht mehr Pixel haben als ${largest}. Wähle eine kleinere \`size\`.`,
    mostSteps: (most) => `\`steps\` darf hier höchstens ${most} sein. Nimm weniger.`,
    workflow: (workflow, allowed) =>
      `Dieser Server erlaubt den Workflow **${workflow}** nicht. Nimm ${either.format(allowed)}.`,
    blockedWord: (word) => `Dieser Server erlaubt **${word}** nicht. Versuche es mit anderen Worten.`,
  },

  limits: {
    openRequests: (limit) =>
      limit === 1
        ? 'Bei dir läuft schon ein Auftrag, und mehr als einer auf einmal geht nicht. Warte auf ihn, oder brich ihn in `/jobs` ab.'
        : `Bei dir laufen schon ${limit} Aufträge, und mehr gehen nicht auf einmal. Warte auf einen, oder brich einen in \`/jobs\` ab.`,
    reached: (limited, per, limit, ends) => {
      const most = `${limit} ${per === 'credit' ? (limit === 1 ? 'Credit' : 'Credits') : limit === 1 ? 'Bild' : 'Bildern'}`;
      const whose = {
        member: `Damit kämst du über dein Limit von ${most}.`,
        guild: `Damit käme dieser Server über sein Limit von ${most}.`,
        key: `Damit käme der gemeinsame Schlüssel über sein Budget von ${most}.`,
      }[limited];
      const own = limited === 'key' ? ' Mit einem eigenen Schlüssel bezahlst du selbst.' : '';
      return `${whose} Zurückgesetzt wird es ${ends}.${own}`;
    },
  },

  settings: {
    heading: 'Servereinstellungen',
    check: {
      permissions: 'Meine Berechtigungen in diesem Kanal',
      commands: 'Meine Befehle',
      outdated: (names) =>
        `Hier fehlt oder ist veraltet: ${names}. Sag dem Betreiber dieses Bots, dass er die Befehle neu registrieren soll.`,
      commandsUnknown:
        'Discord sagt nicht, welche registriert sind. Versuche es in ein paar Minuten noch einmal.',
      service: 'Der Bilderdienst',
      serviceAway:
        'Er antwortet nicht. Versuche es in ein paar Minuten noch einmal, und sag es dann dem Betreiber dieses Bots.',
      key: 'Der Schlüssel dieses Servers',
      keyRefused: 'Der Bilderdienst nimmt ihn nicht an. Verknüpfe mit `/apikey server link` einen anderen.',
      pictures: 'Neue Bilder',
      mayNotPost: (channel) =>
        `Ich kann in ${channel} nicht schreiben. Lass mich ihn sehen und dort Nachrichten senden, oder wähle in \`/settings panel\` einen anderen.`,
      store: 'Mein eigener Speicher',
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
      keyDay: 'Bilder des Serverschlüssels je Tag',
      keyMonth: 'Bilder des Serverschlüssels je Monat',
      keyCreditsDay: 'Credits des Serverschlüssels je Tag',
      keyCreditsMonth: 'Credits des Serverschlüssels je Monat',
    },
    limitForms: {
      member: 'Limits der Mitglieder',
      guild: 'Limits des Servers',
      key: 'Budget des Serverschlüssels',
    },
    emptyIsUnlimited: 'Leer: nur das Limit des Betreibers. Stunden, Tage und Monate gelten in UTC.',
    toggle: {
      paused: (on) => (on ? 'Neue Bilder erlauben' : 'Pausieren'),
      ownPictures: (on) => (on ? 'Eigene Bilder verbieten' : 'Eigene Bilder erlauben'),
      privateByDefault: (on) => (on ? 'Bilder allen zeigen' : 'Bilder privat machen'),
    },
    flagged: {
      show: 'wie alle anderen gezeigt',
      spoiler: 'hinter einem Spoiler, außer in altersbeschränkten Kanälen',
      private: 'nur für das anfragende Mitglied, außer in altersbeschränkten Kanälen',
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
    deleted: (id) => `⚠️ gelöscht (${id})`,
    noLimit: (name, most) =>
      `**${name}** muss eine ganze Zahl von 1 bis ${most} sein, oder leer. Es wurde nichts geändert.`,
    tooManyWords: (most) => `Es können höchstens ${most} Wörter gesperrt sein. Es wurde nichts geändert.`,
    noWord: (word, characters) =>
      `**${word}** kann nicht gesperrt werden: Ein Wort braucht einen Buchstaben oder eine Ziffer und hat höchstens ${characters} Zeichen. Es wurde nichts geändert.`,
    notHere: 'Das gibt es auf diesem Server nicht. Es wurde nichts geändert.',
    placesUnknown:
      'Discord sagt mir gerade nicht, welche Kanäle und Rollen dieser Server hat. Es wurde nichts geändert. Versuche es in einer Minute noch einmal.',
    defaultNotOffered: 'Der Standard-Workflow muss einer der erlaubten sein. Es wurde nichts geändert.',
    defaultTooLarge:
      'Die Standardgröße darf nicht mehr Pixel haben als die maximale Größe. Es wurde nichts geändert.',
  },

  moderate: {
    blocked: (mention, until) =>
      until === undefined
        ? `${mention} kann auf diesem Server keine Bilder mehr anfordern. \`/moderate unblock\` ändert das.`
        : `${mention} kann auf diesem Server keine Bilder mehr anfordern. Das endet ${until}.`,
    unblocked: (mention) => `${mention} kann wieder Bilder anfordern.`,
    notBlocked: (mention) => `${mention} ist nicht gesperrt.`,
    stopped: (jobs) =>
      jobs === 0
        ? 'Auf diesem Server läuft gerade nichts.'
        : `${jobs === 1 ? 'Ein Auftrag wurde' : `${jobs} Aufträge wurden`} abgebrochen. Was der Bilderdienst schon fertig hat, wird noch gezeigt.`,
    nextReport: 'Nächste Meldung',
    noReports: (channel) =>
      channel === undefined
        ? 'Kein gemeldetes Bild wartet auf dich.'
        : `Kein gemeldetes Bild wartet auf dich. Neue Meldungen kommen in ${channel}.`,
  },

  refusal: {
    needsModerateMembers: 'Dafür brauchst du die Berechtigung **Mitglieder im Timeout**.',
    integerRange: (field, min, max) => `\`${field}\` muss eine ganze Zahl von ${min} bis ${max} sein.`,
    numberRange: (field, min, max) => `\`${field}\` muss eine Zahl von ${min} bis ${max} sein.`,
    size: (presets, min, max) =>
      `\`size\` kann ein fertiges Format (${presets.join(', ')}), ein Seitenverhältnis wie \`3:2\` oder eine Größe in Pixeln wie \`1024x768\` sein, jeweils von ${min} bis ${max}.`,
    prompt: '`prompt` muss sagen, was gezeichnet werden soll.',
    model: '`model` muss ein Modell nennen.',
    workflow: (known) => `\`workflow\` muss eines davon sein: ${known.join(', ')}.`,
    noEffect: (option, workflows) =>
      workflows.length === 0
        ? `\`${option}\` bewirkt hier nichts. Lass es weg.`
        : `\`${option}\` bewirkt in diesem Workflow nichts. Lass es weg, oder wähle ${either.format(workflows)}.`,
    storeDown: (reference) =>
      `Mein eigener Speicher antwortet gerade nicht. Es ist nichts geschehen und hat nichts gekostet. Versuche es in einer Minute noch einmal. Kennung ${reference}.`,
    serviceDown:
      'Der Bilderdienst antwortet gerade nicht. Es wurde nichts gesendet. Versuche es in einer Minute noch einmal.',
    unreadableKey: 'Dein verknüpfter Schlüssel ist hier nicht mehr lesbar. Verknüpfe ihn noch einmal.',
    unreadableServerKey:
      'Der Schlüssel dieses Servers ist hier nicht mehr lesbar. Wer den Server verwaltet, muss ihn mit `/apikey server link` noch einmal verknüpfen.',
    keyInText:
      'Darin steht ein API-Schlüssel. Es wurde nichts gesendet oder gespeichert, aber andere können ihn gesehen haben: Widerrufe ihn mit `/apikey revoke`, wenn es dein verknüpfter ist, sonst beim Bilderdienst. Tippe Schlüssel nur in das Formular von `/apikey link`.',
    keyForToken:
      'Das ist ein Schlüssel und kein Login-Token. Es wurde nichts gesendet. Einen Schlüssel verknüpft `/apikey link`.',
    tooManyAttempts: (until) => `Zu viele Versuche. Versuche es ${until} noch einmal.`,
    notOfServer: 'Dieser Kanal oder diese Rolle gehört nicht zu diesem Server.',
    botNotInServer:
      'Ich bin kein Mitglied dieses Servers, deshalb könnte sein Schlüssel hier nicht zahlen. Füge mich zuerst dem Server hinzu.',
    nothingKeptHere:
      'Ich bin kein Mitglied dieses Servers, deshalb könnte ich seine Einstellungen nicht behalten. Füge mich zuerst dem Server hinzu.',
    noVisibleKey: (mention) =>
      `${mention} hat keinen Schlüssel verknüpft, oder zeigt dir dessen Credits nicht.`,
    memberKeyRejected: (mention) => `Der Bilderdienst nimmt den Schlüssel von ${mention} nicht mehr an.`,
    missingPermissions: (permissions) =>
      `Ich brauche hier ${list.format(permissions.map((name) => `**${PERMISSIONS[name]}**`))}. Wer diesen Kanal verwaltet, kann das erlauben.`,
    notDeletable: 'Nur wer es angefordert hat oder ein Moderator kann es löschen.',
    serverOnly: 'Das geht nur auf Servern.',
    needsManageMessages: 'Dafür brauchst du die Berechtigung **Nachrichten verwalten**.',
    needsManageServer: 'Dafür brauchst du die Berechtigung **Server verwalten**.',
    needsManageServerForCredits:
      'Um die Credits anderer zu sehen, brauchst du die Berechtigung **Server verwalten**.',
    month: '`month` muss Jahr und Monat sein, etwa `2026-11`.',
    tokenRejected:
      'Der Bilderdienst hat dieses Login-Token nicht angenommen. Kopiere es noch einmal. Ein Token gilt nur bei dem Dienst, der es ausgestellt hat: Der Playground hat einen eigenen.',
    keyRejected:
      'Der Bilderdienst hat diesen Schlüssel nicht angenommen. Kopiere ihn neu, oder verknüpfe einen anderen.',
    invalidKey: 'Das ist kein Schlüssel: Ein Schlüssel ist `sk-` und 48 hexadezimale Zeichen.',
    restarted:
      'Ich wurde neu gestartet, bevor ich antworten konnte. Vielleicht hat es trotzdem geklappt: Sieh nach, bevor du es noch einmal versuchst.',
    unknownComponent:
      'Dieser Knopf oder dieses Formular ist aus einer älteren Version. Nimm den Befehl noch einmal.',
  },

  editForm: {
    edit: 'Bearbeiten',
    title: 'Bearbeiten',
    prompt: 'Prompt',
    negativePrompt: 'Weglassen',
    size: 'Größe',
    sizeDescription: 'Etwa Hochformat oder 1024x768',
    cut: (characters) =>
      characters === 1
        ? 'Das letzte Zeichen passt nicht mehr hinein und fehlt'
        : `Die letzten ${characters.toLocaleString('de')} Zeichen passen nicht mehr hinein und fehlen`,
    workflow: 'Workflow',
    undecided: 'Nicht festgelegt',
    more: 'Weitere Optionen',
    moreDescription: (flags) => `Etwa ${[...flags, '--n 4 --private'].join(' ')}`,
  },

  question: {
    seen: 'Hier sieht es niemand, aber **Fremde sehen es**: Freiwillige zeichnen es und sehen deine Worte und das Bild. Trotzdem machen?',
    pictures: (count) => `**${count}** Bilder machen?`,
    price: (credits, balance) =>
      `Sie kosten ${creditsOf(credits)}.${balance === undefined ? '' : ` Du hast **${balance}**.`}`,
  },

  confirm: {
    make: 'Machen',
    cancel: 'Abbrechen',
    dropped: 'Abgebrochen. Es wurde nichts gesendet.',
    begun: {
      developing: (link) =>
        link === undefined ? 'Ist in Arbeit: `/jobs` zeigt, wie weit es ist.' : `Hier ist es: ${link}`,
      delivering: (link) => `Ist unterwegs: ${link ?? '`/jobs` zeigt, wie weit es ist.'}`,
      waiting: () => 'Ist fertig, konnte hier aber nicht gezeigt werden. Du findest es unter `/jobs`.',
      delivered: (link) => (link === undefined ? 'Ist fertig.' : `Ist fertig: ${link}`),
      failed: 'Daraus ist nichts geworden.',
      cancelled: 'Abgebrochen.',
      lost: 'Das konnte nicht gestartet werden. Nichts wurde gesendet, also hat es nichts gekostet.',
    },
    notKept:
      'Deine Eingabe ließ sich nicht speichern, darum wurde nichts gemacht. Versuche es in einer Minute noch einmal.',
  },

  mySettings: {
    open: 'Meine Voreinstellungen',
    heading: 'Deine Voreinstellungen',
    nothing:
      'Du hast noch keine Voreinstellungen. Was du bei `/imagine` nicht angibst, entscheidet der Server.',
    names: {
      size: 'Größe',
      workflow: 'Workflow',
      steps: 'Schritte',
      cfg: 'CFG',
      model: 'Modell',
      negative_prompt: 'Weglassen',
      count: 'Bilder',
      private: 'Privat',
      spoiler: 'Spoiler',
    },
    yesOrNo: (yes) => (yes ? 'ja' : 'nein'),
    moreDescription: (flags) => `Etwa ${[...flags, '--n 4 --private --spoiler'].join(' ')}`,
    noSeed: 'Mit einem festen Seed käme jedes Mal dasselbe Bild. Lass ihn weg.',
    asks: (on) => (on ? 'Vor mehreren Bildern nicht fragen' : 'Vor mehreren Bildern fragen'),
    told: {
      undecided: 'Fertige Bilder: wie der Server es will',
      always: 'Sag mir, wenn ein Bild fertig ist',
      slow: 'Sag es mir, wenn es über eine Minute dauerte',
      never: 'Sag mir nie Bescheid',
    },
    reset: 'Zurücksetzen',
  },

  sizes: {
    Square: 'Quadrat',
    Portrait: 'Hochformat',
    Landscape: 'Querformat',
    'Large square': 'Großes Quadrat',
    'Large portrait': 'Großes Hochformat',
    'Large landscape': 'Großes Querformat',
    Widescreen: 'Breitbild',
  },

  typed: {
    tooLong: (field, characters) => `${field}: ${characters.toLocaleString('de')} Zeichen zu lang.`,
    unknown: (flag, meant) =>
      meant === undefined ? `${flag} gibt es nicht.` : `${flag} gibt es nicht. Meintest du ${meant}?`,
    flags: (flags) => `Es gibt ${list.format(flags)}: \`/help\` erklärt sie.`,
    ratio: (ratio, longest) =>
      `So schmal wie ${ratio} kann kein Bild sein: Seitenverhältnisse gehen von \`1:${longest}\` bis \`${longest}:1\`.`,
    flagElsewhere: (flag) => `${flag} bewirkt hier nichts. Lass es weg.`,
    flagTwice: (flag) => `${flag} widerspricht einer anderen Angabe. Behalte eine.`,
    contradiction: (option) => `${option} sagt etwas anderes als die Angabe im Prompt. Behalte eine.`,
    noFlags: (words) => `*Weitere Optionen* nimmt Angaben wie \`--seed 7\`, nicht ${words}.`,
    unclosedBrace:
      'Eine Klammer geht auf und nicht wieder zu. `ein {roter, blauer} Fuchs` macht von jedem eins; für eine Klammer selbst tippe `\\{`.',
    noWords: 'Sag, was fehlen soll, etwa `--no Text, Hände`.',
    onOrOff: 'Dazu gehört `on`, `off` oder nichts.',
    tooManyPictures: (pictures, most) =>
      pictures > 1_000
        ? `Das wären mehr als 1.000 Bilder. Höchstens ${most} gehen auf einmal.`
        : `Das wären ${pictures} Bilder. Höchstens ${most} gehen auf einmal.`,
    draftGone: 'Ich habe deine Eingabe nicht mehr. Nimm noch einmal `/imagine`.',
  },

  jobs: {
    none: 'Noch keine Bilder. Mit `/imagine` machst du eins.',
    heading: 'Deine Bilder',
    quoted: (words) => `„${words}“`,
    only: {
      all: 'Alles',
      open: 'Laufend und wartend',
      pictures: 'Bilder',
      failed: 'Fehlgeschlagen und abgebrochen',
    },
    nothing: 'Nichts gefunden.',
    lookedUntil: (day) => `Zurück bis ${day} gesucht. *Weiter* sucht weiter.`,
    state: {
      asked: 'Wird gesendet',
      developing: 'Läuft',
      delivering: 'Das Bild wird gesendet',
      waiting: 'Wartet auf dich',
      delivered: 'Zugestellt',
      failed: 'Fehlgeschlagen',
      cancelled: 'Abgebrochen',
    },
    pictures: (pictures) => `${pictures} Bilder`,
    private: 'privat',
    gone: 'gelöscht',
    open: 'Öffnen',
    again: (number) => `Nochmal ${number}`,
    stop: (number) => `${number} abbrechen`,
    show: (number) => `${number} zeigen`,
    previous: 'Zurück',
    next: 'Weiter',
    newest: 'Neueste',
    refresh: 'Aktualisieren',
    search: 'Suchen',
    everything: 'Alles zeigen',
    form: { title: 'Deine Bilder durchsuchen', words: 'Wörter im Prompt', only: 'Zeigen' },
    over: 'Das ist schon zu Ende, oder das Bild ist unterwegs.',
    unanswered:
      'Discord sagt nicht, ob das schon gezeigt wurde. Es wurde nichts noch einmal gesendet. Versuche es in einer Minute erneut.',
  },

  balance: {
    show: 'Guthaben zeigen',
    own: (credits) => `Du hast ${creditsOf(credits)}.`,
    ofGuild: (credits, username) =>
      `Das Konto${username === undefined ? '' : ` **${username}**`} dieses Servers hat ${creditsOf(credits)}.`,
    guildPays: 'Der Schlüssel dieses Servers zahlt für deine Bilder.',
    operatorPays: 'Der Betreiber dieses Bots zahlt für deine Bilder.',
    paidWith: (key, username) => `Hier zahlt der Schlüssel \`${key}\`${of(username)} für deine Bilder.`,
    allowance: (pictures, until) =>
      `Du kannst hier noch **${pictures}** ${pictures === 1 ? 'Bild' : 'Bilder'} anfordern; zurückgesetzt wird das ${until}.`,
    today: (own, all, credits) =>
      `Bilder heute auf diesem Server: **${own}** von diesem Mitglied, ${all} insgesamt. Gemeinsame Schlüssel zahlten ${creditsOf(credits)}.`,
    lastPictures: 'Was deine letzten Bilder gekostet haben:',
    cost: (credits, prompt) => `- **${credits}** · ${prompt}`,
    ofMember: (mention, credits) => `${mention} hat ${creditsOf(credits)}.`,
  },

  firstKey: {
    needed:
      'Für Bilder brauchst du einen API-Schlüssel: Er bezahlt sie mit deinen Credits beim Bilderdienst.',
    goesOn: 'Danach wird dein Bild gleich gemacht.',
  },

  help: {
    tabs: { make: 'Loslegen', type: 'Was du tippen kannst', keys: 'Schlüssel & Datenschutz' },
    examples: ['ein roter Fuchs im Schnee, weiches Licht', 'ein Leuchtturm bei Nacht, Sterne --ar 3:2'],
    tryExample: (nth) => `Beispiel ${nth} ausprobieren`,
    setUp:
      '-# Wenn du diesen Bot betreibst: `npm run setup` verbindet ihn mit dem, was zeichnet, `npm run doctor` findet, was nicht stimmt.',
    screens: {
      make: {
        title: 'Ein Bild machen',
        lines: [
          'Tippe `/imagine` und was du sehen willst:',
          '> ein roter Fuchs im Schnee, weiches Licht',
          '> ein Leuchtturm bei Nacht, Sterne --ar 3:2',
          'Es entwickelt sich in der Antwort. Danach:',
          '**Nochmal** macht noch eins',
          '**Bearbeiten** ändert Worte, Größe oder Workflow',
          '**Variieren** macht zwei andere aus denselben Worten, bezahlt wie zwei Bilder',
          'Unter **Mehr**: seine Einstellungen, **Löschen**, und was noch daraus werden kann',
          '\n`/jobs` listet deine Bilder auf.',
        ],
      },
      type: {
        title: 'Was du tippen kannst',
        lines: ({ leavesOut, repeats, changes, workflow, flags }) => [
          'Optionen gehen auch im Prompt:',
          '`--ar 3:2` oder `--size 1024x768`',
          ...(leavesOut ? ['`--no Text, Hände` lässt weg'] : []),
          '`--n 4` macht bis zu vier Bilder',
          ...(repeats ? ['`--seed 7` macht dasselbe noch einmal'] : []),
          ...(workflow === undefined ? [] : [`\`--w ${workflow}\` nimmt einen anderen Workflow`]),
          ...(flags.length === 0
            ? []
            : [`${flags.map((flag) => `\`${flag}\``).join(' ')} zum Feinabstimmen`]),
          '`--private` zeigt es nur dir, `--spoiler` verbirgt es bis zum Klick',
          ...(changes
            ? ['`image` geht von deinem Bild aus; ebenso **Bild verwenden** im Menü einer Nachricht']
            : []),
          '\n`ein {roter, blauer} Fuchs` macht von jedem eins.',
        ],
      },
      keys: {
        title: 'Schlüssel, Credits, Datenschutz',
        lines: [
          'Bilder bezahlt ein API-Schlüssel des Bilderdienstes: deiner oder einer dieses Servers oder Bots.',
          'Du tippst ihn in ein Formular, das nur du siehst. Er wird verschlüsselt gespeichert.',
          '\n`/balance` zeigt deine Credits und wer bezahlt',
          '`/apikey show` zeigt deinen Schlüssel',
          '`/privacy` zeigt, was gespeichert ist; dort kannst du es löschen',
        ],
      },
    },
  },

  apiKey: {
    create: 'Schlüssel anlegen',
    link: 'Schlüssel verknüpfen',
    linkForServer: 'Schlüssel für den Server verknüpfen',
    linkForm: {
      title: 'Schlüssel verknüpfen',
      label: 'Ein Schlüssel des Bilderdienstes',
      description: 'Nur dieser Bot liest ihn; er wird verschlüsselt gespeichert.',
      placeholder: 'sk-…',
    },
    generateForm: {
      title: 'Schlüssel anlegen',
      label: 'Dein Login-Token des Bilderdienstes',
      description: 'Damit wird einmal ein Schlüssel angelegt; es wird nicht gespeichert.',
    },
    revokeForm: {
      title: 'Schlüssel widerrufen',
      label: 'Dein Login-Token des Bilderdienstes',
      description: 'Damit wird einmal der Schlüssel widerrufen; es wird nicht gespeichert.',
    },
    consent: {
      label: 'Dürfen Moderatoren deine Credits sehen?',
      description: 'Den Schlüssel sehen sie nie. Wer nachsah, zeigt /apikey show; dort änderst du es auch.',
      yes: 'Ja, die Moderatoren dieses Servers dürfen',
      no: 'Nein, nur ich sehe sie',
    },
    linked: (key, username) =>
      `Der Schlüssel \`${key}\`${of(username)} ist verknüpft und zahlt für deine Bilder.`,
    replaced: {
      member: (key, username) =>
        `Er ersetzt \`${key}\`${of(username)}: Der ist hier gelöscht, **bleibt beim Bilderdienst aber gültig**, bis ihn dort jemand widerruft. \`/apikey revoke\` kann alle Schlüssel eines Kontos widerrufen.`,
      guild: (key, username) =>
        `Er ersetzt \`${key}\`${of(username)}: Der ist hier gelöscht, **bleibt beim Bilderdienst aber gültig**, bis ihn dort jemand widerruft.`,
    },
    shown: (key, username, since) => `Der Schlüssel \`${key}\`${of(username)} ist seit ${since} verknüpft.`,
    visibleTo: (here, elsewhere) => {
      const servers =
        elsewhere === 1
          ? `von einem ${here ? 'anderen ' : ''}Server, auf dem du es erlaubt hast,`
          : `von ${elsewhere} ${here ? 'anderen ' : ''}Servern, auf denen du es erlaubt hast,`;
      const where = [...(here ? ['dieses Servers'] : []), ...(elsewhere > 0 ? [servers] : [])];
      return where.length === 0
        ? 'Kein Moderator kann seine Credits sehen.'
        : `Nur Moderatoren ${list.format(where)} können seine Credits sehen, nie den Schlüssel.`;
    },
    reveal: 'Moderatoren hier meine Credits zeigen',
    hide: 'Meine Credits vor Moderatoren hier verbergen',
    lookedAt: (by, moment) => `${by} hat ${moment} nachgesehen.`,
    rejectedSince: (moment, command) =>
      `Der Bilderdienst nimmt ihn nicht mehr an; das fiel ${moment} auf. Verknüpfe ihn neu mit ${command}.`,
    linkCommand: { member: '`/apikey link`', guild: '`/apikey server link`' },
    notStored: 'Der Schlüssel wurde nicht gespeichert.',
    readOnTheWay:
      'Vorsicht: Dieser Bot erreicht den Bilderdienst unverschlüsselt, Schlüssel sind unterwegs lesbar. Ändern kann das, wer den Bot betreibt.',
    linkedForServer: (key, username) =>
      `Der Schlüssel \`${key}\`${of(username)} ist verknüpft. Er zahlt auf diesem Server für alle, die keinen haben; \`/apikey server settings\` setzt Limits.`,
    shownForServer: (key, username, since) =>
      `Der Schlüssel \`${key}\`${of(username)} ist seit ${since} für diesen Server verknüpft.`,
    terms: {
      name: 'Schlüssel des Servers',
      who: (role) => (role === undefined ? 'Alle hier dürfen ihn nutzen.' : `Nur ${role} darf ihn nutzen.`),
      perMember: (pictures) =>
        pictures === undefined
          ? 'Für Mitglieder gibt es kein Limit.'
          : `Ein Mitglied darf damit ${pictures} ${pictures === 1 ? 'Bild' : 'Bilder'} am Tag machen.`,
      perServer: (pictures) =>
        pictures === undefined
          ? 'Für den Server gibt es kein Limit.'
          : `Alle zusammen dürfen damit ${pictures} ${pictures === 1 ? 'Bild' : 'Bilder'} am Tag machen.`,
      warning: (warning) =>
        warning === undefined
          ? 'Niemand wird gewarnt, wenn die Credits knapp werden.'
          : `In ${warning.channel} wird einmal gewarnt, wenn weniger als ${warning.below} ${warning.below === 1 ? 'Credit übrig ist' : 'Credits übrig sind'}.`,
    },
    lowCredits: (credits, below) =>
      `Der Schlüssel dieses Servers hat noch ${creditsOf(credits)}, weniger als ${below}. Lade ihn auf, oder verknüpfe einen anderen mit \`/apikey server link\`. Ich sage das nur einmal.`,
    warningNeedsBoth: 'Zum Warnen brauche ich `channel` und `credits`.',
    none: 'Du hast keinen Schlüssel verknüpft. `/apikey link` verknüpft einen; `/apikey generate` legt einen mit deinem Login-Token an.',
    noneForServer: 'Dieser Server hat keinen Schlüssel verknüpft. `/apikey server link` verknüpft einen.',
    confirmRevoke: (key, username) =>
      `Den Schlüssel \`${key}\`${of(username)} widerrufen, oder alle Schlüssel dieses Kontos? Was widerrufen ist, gilt nirgends mehr, sofort und für immer. Der Schlüssel wird hier entfernt.`,
    revoke: 'Diesen Schlüssel widerrufen',
    revokeAll: 'Alle widerrufen',
    cancel: 'Abbrechen',
    unchanged: 'Es wurde nichts geändert.',
    revoked: (key) => `Der Schlüssel \`${key}\` ist widerrufen und hier entfernt.`,
    revokedAll: 'Alle Schlüssel des Kontos sind widerrufen, und deiner ist hier entfernt.',
    revokeWithToken: 'Der Bilderdienst will dafür dein Login-Token.',
    enterToken: 'Login-Token eingeben',
    unlink: 'Entfernen',
    confirmUnlink: {
      member: (key, username) =>
        `Den Schlüssel \`${key}\`${of(username)} hier entfernen? Hier wird er gelöscht, **beim Bilderdienst bleibt er gültig**: Wer ihn hat, kann ihn weiter benutzen. Widerrufen beendet auch das.`,
      guild: (key, username) =>
        `Den Schlüssel \`${key}\`${of(username)} dieses Servers entfernen? Hier wird er gelöscht, **beim Bilderdienst bleibt er gültig**, bis ihn dort jemand widerruft. Mitglieder ohne eigenen Schlüssel können dann keine Bilder mehr machen, außer der Betreiber dieses Bots bezahlt.`,
    },
    unlinked: {
      member:
        'Dein Schlüssel ist hier entfernt und gelöscht. Was gerade entsteht, wird noch mit ihm bezahlt, und Sicherungen dieses Bots enthalten ihn, bis sie weggeworfen werden.',
      guild:
        'Der Schlüssel dieses Servers ist hier entfernt und gelöscht. Was gerade entsteht, wird noch mit ihm bezahlt, und Sicherungen dieses Bots enthalten ihn, bis sie weggeworfen werden.',
    },
  },

  usage: {
    month: (month) => month.toLocaleDateString('de', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    words: {
      pictures: 'Bilder',
      credits: 'Gemeinsame Credits',
      members: 'Mitglieder',
      failed: 'Fehlgeschlagen',
      workflows: 'Workflows',
      others: 'andere',
    },
    workflow: (name) => name ?? 'Graph',
    none: (month) => `Im ${month} hat hier niemand ein Bild gemacht.`,
    figures: (pictures, credits, members, failed) =>
      `Bilder: ${pictures}, Mitglieder: ${members}, fehlgeschlagen: ${failed}, Credits gemeinsamer Schlüssel: ${credits}`,
    ownKeys: 'Mit eigenen Schlüsseln bezahlte Bilder zählen mit, die Credits dafür nicht.',
    ofMember: (member, pictures, credits) =>
      `${member}: ${pictures}${credits === undefined ? '' : ` (Credits gemeinsamer Schlüssel: ${credits})`}`,
    unnamed: (pictures) => `ohne Namen: ${pictures} (gelöscht oder noch nicht gezeigt)`,
    alt: (month, figures, workflows, day, pictures) =>
      `Nutzung im ${month}: ${figures}. Nach Workflow: ${workflows}. Am meisten an einem Tag: ${pictures}, am ${dayOf(day)}.`,
    csv: (month) => `Die Nutzung im ${month} als Tabelle: nach Tag, Mitglied und Workflow`,
    noPicture: 'Das Diagramm ließ sich diesmal nicht zeichnen. Die Tabelle hat dieselben Zahlen.',
    tableEnds: (lines) =>
      `Die Tabelle endet vor dem Monat: ${lines} weitere Zeilen hatten keinen Platz. Die Zahlen oben zählen alles.`,
  },

  report: {
    report: 'Melden',
    form: {
      title: 'Dieses Bild melden',
      label: 'Was stimmt damit nicht?',
      description: 'Die Moderatoren dieses Servers sehen es, mit deinem Namen.',
    },
    noReason: 'Sag in ein paar Worten, was mit dem Bild nicht stimmt, und melde es dann noch einmal.',
    gone: 'Dieses Bild lässt sich hier nicht melden: Es ist zu alt oder stammt von woanders. Sag es einem Moderator direkt.',
    filed: 'Danke. Die Moderatoren dieses Servers sehen jetzt deine Meldung.',
    known: 'Dieses Bild hast du schon gemeldet.',
    full: 'Du hast in dieser Stunde viele Bilder gemeldet. Sag es einem Moderator direkt, oder warte bis zur nächsten Stunde.',
    refused:
      'Ich konnte deine Meldung nicht in den Kanal für Meldungen schreiben. Sag es einem Moderator direkt.',
    brought: (sha256) =>
      `Es ging von einem eigenen Bild aus${sha256 === undefined ? '' : ` (SHA-256 \`${sha256}\`)`}.`,
    broughtAlt: 'Woraus es gemacht wurde',
    heading: (reporter, member, link) => `${reporter} meldet ein Bild von ${member}: ${link}`,
    reason: (reason) => `Was damit nicht stimmt: ${reason}`,
    prompt: (prompt, asked) => `Entstanden ${asked} aus: ${prompt}`,
    delete: 'Bild löschen',
    block: 'Mitglied einen Tag sperren',
    dismiss: 'Verwerfen',
    deleted: (actor, member) => `${actor} hat das Bild von ${member} gelöscht.`,
    blocked: (actor, member, ends, link) =>
      `${actor} hat ${member} gesperrt; das endet ${ends}. Das Bild ist noch da: ${link}`,
    dismissed: (actor, link) => `${actor} hat die Meldung von ${link} verworfen.`,
  },

  privacy: {
    kept: (history, waiting) => [
      '**Was dieser Bot über dich speichert, und wie lange**',
      '- Deinen verknüpften Schlüssel, verschlüsselt, mit dem Namen seines Kontos: bis du ihn entfernst.',
      `- Was du angefordert hast (Worte, Optionen, Graphen, Seed, wo und wann; keine Bilder): ${history} Tage, nachdem es vorbei ist.`,
      `- Von einem eigenen Bild: Name, Link bei Discord (gilt einen Tag) und Prüfsumme, so lange wie die Anfrage; eine kleine Kopie für Moderatoren nur, wenn jemand meldet, was daraus wurde. Der Bilderdienst behält es bis einen Tag nach der letzten Verwendung.`,
      `- Ein fertiges Bild, das nicht zugestellt werden konnte: ${waiting} Tage, in \`/jobs\`.`,
      `- Für die Moderatoren eines Servers: wie viele Bilder du dort an welchem Tag gemacht hast, und was du oder sie geändert haben: ${history} Tage.`,
      `- Deine Voreinstellungen (\`/settings me\`): bis du sie löschst, höchstens 400 Tage nach der letzten Änderung. Modelle, mit denen du Bilder gemacht hast: ${history} Tage.`,
      `- Welche Bilder du gemeldet hast, und warum, für die Moderatoren: ${history} Tage.`,
      '- Was du getippt und nicht abgeschickt hast: einen Tag.',
      '- Was die Limits zählen: bis Stunde, Tag oder Monat vorbei sind. Falls du gesperrt wurdest: bis die Sperre endet.',
      'Die Bilder selbst speichern Discord und der Bilderdienst, dein Konto der Bilderdienst. Was hier gelöscht ist, steht in Sicherungen dieses Bots, bis sie weggeworfen werden.',
    ],
    strangers:
      'Bilder werden hier von Freiwilligen gezeichnet: **Fremde sehen deine Worte und deine Bilder**, auch die privaten.',
    sentTo: (names) =>
      `Bilder zeichnet hier **${list.format(names)}**: Deine Worte und die Bilder, mit denen du beginnst, werden dorthin gesendet, auch die privaten.`,
    looks: '**Wer deine Credits angesehen hat**',
    noLooks: 'Niemand hat deine Credits angesehen.',
    export: 'Meine Daten herunterladen',
    erase: 'Alles löschen',
    exported: 'Das ist alles, was dieser Bot über dich speichert. Dein Schlüssel ist nicht dabei.',
    file: 'Alles, was dieser Bot über dich speichert, als JSON',
    confirm:
      'Alles löschen, was dieser Bot über dich speichert? Dein Schlüssel wird hier entfernt, **bleibt aber beim Bilderdienst gültig**: Um auch das zu beenden, nimm vorher `/apikey revoke`. Bilder, die in `/jobs` warten, sind weg, und alte Bilder lassen sich nicht mehr mit einem Knopf neu machen. Eigene Bilder sind noch einen Tag beim Bilderdienst. Nachrichten in Kanälen bleiben, ebenso das Protokoll der Moderation und Sperren.',
    eraseAll: 'Ja, alles löschen',
    cancel: 'Abbrechen',
    unchanged: 'Es wurde nichts gelöscht.',
    erased: (running) =>
      running === 0
        ? 'Alles ist gelöscht. Ein Schlüssel, der verknüpft war, gilt beim Bilderdienst weiter.'
        : `Alles ist gelöscht, bis auf ${running === 1 ? 'einen Auftrag, der noch läuft' : `${running} Aufträge, die noch laufen`}. Nimm \`/privacy\` noch einmal, wenn ${running === 1 ? 'er vorbei ist' : 'sie vorbei sind'}, oder brich ${running === 1 ? 'ihn' : 'sie'} mit \`/jobs\` ab.`,
  },

  graph: {
    heading: (name, nodes) => `**${name}** · ${nodes} Knoten`,
    more: (count) => `${count} weitere`,
    models: (models) => `Modelle: ${models}`,
    unknown: (classes) => `Kenne ich nicht: ${classes}. Der Bilderdienst muss sie haben.`,
    noGraph: 'Diese Datei ist kein ComfyUI-Graph. Exportiere ihn in ComfyUI mit Workflow → Export (API).',
    editorFormat:
      'Dieser Graph wurde für den Editor von ComfyUI gespeichert. Exportiere ihn mit Workflow → Export (API). In älteren Versionen: Dev Mode in den Einstellungen einschalten, dann Save (API Format).',
    brokenJson: (line, column) =>
      `Diese Datei ist kein gültiges JSON: Der Fehler ist in Zeile ${line}, Spalte ${column}.`,
    fileTooLarge: 'Diese Datei ist zu groß: höchstens 1 MB.',
    tooLarge: (nodes, values, kilobytes) =>
      `Dieser Graph ist zu groß: höchstens ${nodes} Knoten, ${values} Werte und ${kilobytes} KB.`,
    filledTooLarge:
      'Mit deinen Worten darin ist dieser Graph zu groß. Kürze den Prompt, oder nimm `%prompt%` seltener.',
    slow: 'Das zu lesen hat zu lange gedauert. Kürze den Prompt oder die Texte im Graphen.',
    busy: 'Ich lese noch, was vorher gesendet wurde. Versuche es in ein paar Sekunden noch einmal.',
    notFetched: 'Ich konnte die Datei nicht von Discord laden. Versuche es noch einmal.',
    secret: (node, input) =>
      `${
        node === undefined || input === undefined ? 'Etwas in diesem Graphen' : `**${input}** in **${node}**`
      } sieht nach einem Schlüssel oder Passwort aus. Es wurde nichts gesendet und nichts gespeichert. Nimm es heraus und häng die Datei noch einmal an.`,
    noEffect: (options) =>
      `${options.map((option) => `\`${option}\``).join(', ')} ${options.length === 1 ? 'wirkt' : 'wirken'} bei diesem Graphen nicht. Lass ${options.length === 1 ? 'die Option' : 'die Optionen'} weg.`,
    tooManyPixels: (node, largest) =>
      `Bilder dürfen hier nicht mehr Pixel haben als ${largest}; **${node}** in diesem Graphen macht größere.`,
    tooManySteps: (node, most) =>
      `Bilder dürfen hier höchstens ${most} Schritte brauchen; **${node}** in diesem Graphen braucht mehr.`,
    tooManyPictures: (node, batch, pictures, most) =>
      `**${node}** in diesem Graphen macht ${batch} Bilder auf einmal. Das wären ${pictures} Bilder; höchstens ${most} gehen auf einmal.`,
    unread: (node, input) =>
      `Dieser Server begrenzt Größe oder Schritte, und ich kann \`${input}\` von **${node}** in diesem Graphen nicht erkennen. Schreib es als Zahl hinein.`,
    unreadModel: (node) =>
      `Dieser Server begrenzt die Größe von Bildern, und ich kann nicht erkennen, um wie viel **${node}** in diesem Graphen sie vergrößert. Nimm ein Modell, dessen Name es sagt, etwa \`4x-UltraSharp\`.`,
    promptUnused: 'Darin steht kein `%prompt%`: Dein Prompt wird nicht verwendet.',
    noSeed: 'Darin steht kein Seed: Die Bilder werden gleich.',
    warning: (sentence) => `Der Bilderdienst sagt: ${sentence}`,
    refused: (reason) =>
      reason === undefined
        ? 'Der Bilderdienst führt diesen Graphen nicht aus.'
        : `Der Bilderdienst führt diesen Graphen nicht aus. Er sagt: ${reason}`,
    price: (credits, count) =>
      `${count === 1 ? 'Preis' : `Preis für ${count} Bilder`}: ${creditsOf(number(credits))}.`,
    noOutput:
      'Aus diesem Graphen kommt kein Bild: Ihm fehlt ein Knoten wie **SaveImage**. Füge in ComfyUI einen hinzu und exportiere ihn noch einmal.',
    badName: 'Ein Name hat bis zu 40 Buchstaben, Ziffern, Leerzeichen, Punkte und Bindestriche.',
    saved: 'Gespeichert. Mitglieder wählen ihn mit `graph_name` in `/imagine`.',
    replaced: 'Ersetzt. Mitglieder wählen ihn mit `graph_name` in `/imagine`.',
    removed: (name) => `**${name}** ist entfernt.`,
    notKept: (name) => `Dieser Server hat keinen Graphen **${name}**. \`/graph list\` zeigt, welche er hat.`,
    full: (most) => `Dieser Server hat schon ${most} Graphen. Entferne einen mit \`/graph remove\`.`,
    contents: '`/graph list` mit einem `name` zeigt Knoten und Modelle.',
    none: 'Dieser Server hat noch keine Graphen. Wer ihn verwaltet, speichert einen mit `/graph save`.',
    line: (name, nodes, saved) => `**${name}** · ${nodes} Knoten · ${saved}`,
  },

  audit: {
    bot: 'Darkroom',
    'key-linked': (actor, owner) =>
      owner === 'guild'
        ? `${actor} hat einen Schlüssel für diesen Server verknüpft`
        : `${actor} hat einen Schlüssel verknüpft`,
    'key-unlinked': (actor, owner) =>
      owner === 'guild'
        ? `${actor} hat den Schlüssel dieses Servers entfernt`
        : `${actor} hat den eigenen Schlüssel entfernt`,
    'key-revoked': (actor, owner) =>
      owner === 'guild'
        ? `${actor} hat den Schlüssel dieses Servers widerrufen`
        : `${actor} hat den eigenen Schlüssel widerrufen`,
    'setting-changed': (actor, setting, from, to) =>
      `${actor} hat **${setting}** geändert, von ${from ?? 'nichts'} zu ${to ?? 'nichts'}`,
    'credits-viewed': (actor, member) => `${actor} hat die Credits von ${member} angesehen`,
    'picture-deleted': (actor, member) => `${actor} hat ein Bild von ${member} gelöscht`,
    'member-blocked': (actor, member, until) =>
      `${actor} hat ${member} ${until === undefined ? 'auf Dauer' : `bis ${until}`} gesperrt`,
    'member-unblocked': (actor, member) => `${actor} hat ${member} entsperrt`,
    'request-cancelled': (actor, member) => `${actor} hat einen Auftrag von ${member} abgebrochen`,
    'all-stopped': (actor, jobs) =>
      `${actor} hat alles abgebrochen, was hier lief (${jobs} ${jobs === 1 ? 'Auftrag' : 'Aufträge'})`,
    'graph-saved': (actor, graph) => `${actor} hat den Graphen **${graph}** gespeichert`,
    'graph-removed': (actor, graph) => `${actor} hat den Graphen **${graph}** entfernt`,
    'picture-reported': (actor, member, sha256) =>
      `${actor} hat ein Bild von ${member} gemeldet${sha256 === undefined ? '' : `, gemacht aus einer Datei mit der SHA-256 ${sha256}`}`,
    'report-dismissed': (actor, member) => `${actor} hat die Meldung eines Bildes von ${member} verworfen`,
  },

  commands: {
    imagine: 'Macht ein Bild aus Worten',
    'imagine prompt': 'Was zu sehen sein soll',
    'imagine negative_prompt': 'Was nicht zu sehen sein soll',
    'imagine size': 'Eine Vorlage, ein Seitenverhältnis oder Breite x Höhe in Pixeln',
    'imagine workflow': 'Wie gezeichnet wird',
    'imagine steps': 'Sampling-Schritte, 1 bis 50',
    'imagine seed': 'Derselbe Seed ergibt dasselbe Bild; -1 ist zufällig',
    'imagine cfg': 'Wie eng an den Worten (CFG), 0 bis 30, wo der Workflow es nutzt',
    'imagine model': 'Welches Modell, wo der Workflow eine Wahl lässt',
    'imagine count': 'Wie viele Bilder, 1 bis 4',
    'imagine image': 'Ein Bild, von dem es ausgeht: der Prompt sagt, was daraus wird',
    'imagine strength': 'Wie viel sich an diesem Bild ändert, 0 bis 1, wo der Workflow das nutzt',
    'imagine graph': 'ComfyUI-Graph im API-Format (.json); %prompt% und %seed% darin werden eingesetzt',
    'imagine graph_name': 'Ein ComfyUI-Graph dieses Servers',
    'imagine private': 'Nur mir zeigen',
    'imagine spoiler': 'Hinter einem Spoiler verbergen',
    jobs: 'Deine Bilder: was läuft, was fertig ist, und was auf dich wartet',
    'jobs search': 'Wörter im Prompt',
    'jobs only': 'Welche davon',
    help: 'Erklärt in drei Schritten, wie du Bilder machst',
    balance: 'Zeigt, wie viele Credits übrig sind',
    'balance member': 'Wessen Credits („Server verwalten“)',
    apikey: 'Schlüssel des Bilderdienstes, mit denen Bilder bezahlt werden',
    'apikey link': 'Verknüpft einen Schlüssel, der deine Bilder bezahlt',
    'apikey generate': 'Erstellt mit deinem Login-Token einen neuen Schlüssel und verknüpft ihn',
    'apikey show': 'Zeigt, welcher Schlüssel verknüpft ist',
    'apikey revoke': 'Macht den verknüpften Schlüssel überall ungültig',
    'apikey unlink': 'Vergisst den verknüpften Schlüssel hier',
    'apikey server': 'Der Schlüssel, der für Mitglieder ohne eigenen bezahlt („Server verwalten“)',
    'apikey server link': 'Verknüpft einen Schlüssel, der hier für alle ohne eigenen bezahlt',
    'apikey server show': 'Zeigt, welchen Schlüssel dieser Server verknüpft hat',
    'apikey server unlink': 'Vergisst den Schlüssel dieses Servers',
    'apikey server settings': 'Wer den Schlüssel des Servers benutzen darf, wie viel, und wann gewarnt wird',
    'apikey server settings role': 'Wer ihn benutzen darf; @everyone: alle',
    'apikey server settings member_pictures':
      'Wie viele Bilder am Tag ein Mitglied damit machen darf; 0: beliebig viele',
    'apikey server settings server_pictures':
      'Wie viele Bilder am Tag alle zusammen damit machen dürfen; 0: beliebig viele',
    'apikey server settings channel': 'Wo einmal gewarnt wird, wenn nur noch wenige Credits übrig sind',
    'apikey server settings credits': 'Unter wie vielen Credits gewarnt wird; 0: nie',
    usage: 'Zeigt, was dieser Server in einem Monat verbraucht hat („Server verwalten“)',
    'usage month': 'Welcher Monat, etwa 2026-11. Standard: dieser',
    settings: 'Deine Voreinstellungen, und was auf diesem Server erlaubt ist',
    'settings me': 'Deine Voreinstellungen für jedes Bild',
    'settings panel': 'Zeigt und ändert die Einstellungen dieses Servers („Server verwalten“)',
    'settings check': 'Prüft, woran es hier meistens liegt, und sagt, was hilft',
    moderate: 'Zeigt Meldungen, sperrt Mitglieder, bricht Bilder ab („Mitglieder im Timeout“)',
    'moderate block': 'Lässt ein Mitglied auf diesem Server keine Bilder mehr machen',
    'moderate block member': 'Wen',
    'moderate block hours': 'Wie viele Stunden lang. Standard: bis zur Entsperrung',
    'moderate unblock': 'Lässt ein Mitglied wieder Bilder machen',
    'moderate unblock member': 'Wen',
    'moderate reports': 'Zeigt die Bilder, die Mitglieder gemeldet haben',
    'moderate stop': 'Bricht alle Bilder ab, die auf diesem Server gerade entstehen',
    graph: 'ComfyUI-Graphen, die dieser Server für /imagine bereithält',
    'graph save': 'Behält einen Graphen unter einem Namen („Server verwalten“)',
    'graph save name': 'Was Mitglieder auswählen; ein vorhandener wird ersetzt',
    'graph save file': 'ComfyUI-Graph im API-Format (.json)',
    'graph list': 'Zeigt die Graphen dieses Servers',
    'graph list name': 'Zeigt, was in diesem steckt',
    'graph remove': 'Entfernt einen Graphen („Server verwalten“)',
    'graph remove name': 'Welchen',
    privacy: 'Was dieser Bot über dich speichert: ansehen, als Datei holen, löschen',
  },
};

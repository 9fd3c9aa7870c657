import type { Texts } from '../en.ts';
import { creditsOf, either } from './formats.ts';

export const progress: Texts['progress'] = {
  submitting: 'Wird gesendet',
  awaitingTurn: (position) => (position === undefined ? 'Wartet' : `Wartet: Platz ${position}`),
  engineUnavailable: 'Wartet: Nichts, was das zeichnet, ist online',
  queued: (position) =>
    position === undefined ? 'In der Warteschlange' : `Warteschlange: Platz ${position}`,
  developing: 'Entsteht',
  finished: 'fertig',
  failed: 'fehlgeschlagen',
  delivering: 'Gleich fertig',
  fetching: (until) =>
    until === undefined ? 'Fertig; wird abgeholt' : `Fertig; Abholen wird bis ${until} versucht`,
  retrying: 'Der Dienst antwortet nicht; neuer Versuch',
  left: (time) => `noch ~${time}`,
  seconds: (seconds) => `${seconds} s`,
  minutes: (minutes) => `${minutes} min`,
  preview: (prompt) => `Noch nicht fertig: ${prompt}`,
};

export const cancel: Texts['cancel'] = {
  button: 'Abbrechen',
  cancelled: 'Abgebrochen.',
  moderated: 'Von einem Moderator abgebrochen.',
  free: 'Es hat nichts gekostet.',
  price: (credits) => `Es hat ${creditsOf(credits)} gekostet.`,
  unknownPrice: 'Der Bilderdienst sagt nicht, was es gekostet hat.',
  left: 'Ich warte nicht mehr darauf. Der Dienst berechnet es vielleicht trotzdem.',
  finished: (finished, all) =>
    finished === 1
      ? `Eines von ${all} war schon fertig und wird gezeigt.`
      : `${finished} von ${all} waren schon fertig und werden gezeigt.`,
  tooLate: 'Zu spät zum Abbrechen: Es ist schon vorbei.',
  unknown:
    'Von dieser Anfrage weiß ich nichts mehr, also kann ich sie nicht abbrechen. Wird sie gerade gezeichnet, berechnet der Bilderdienst sie vielleicht.',
  underWay: 'Es wird gerade abgebrochen. Wann es so weit ist, zeigt `/jobs`.',
  notYours: 'Abbrechen kann das nur, wer es angefordert hat, oder ein Moderator.',
  byModerator: (prompt, what) => `Ein Moderator hat **${prompt}** abgebrochen. ${what}`,
};

export const handover: Texts['handover'] = {
  slow: 'Das dauert länger als sonst. Das Bild kommt hierher oder direkt zu dir; wenn beides nicht geht, findest du es in `/jobs`',
  slowPrivate:
    'Das dauert länger als sonst. Das Bild kommt direkt zu dir; wenn das nicht geht, findest du es in `/jobs`',
  asked: (ago) => `angefordert ${ago}`,
  posted: (link) => `Ich konnte das Bild in dieser Nachricht nicht zeigen. Es ist hier: ${link}`,
  direct: 'Das konnte ich hier nicht zeigen; ich habe es dir direkt geschickt.',
  waiting: 'Das konnte ich hier nicht zeigen. Du findest es in `/jobs`.',
};

export const picture: Texts['picture'] = {
  graphPrompt: 'ein Graph',
  size: 'Größe',
  seed: 'Seed',
  seeds: 'Seeds',
  workflow: 'Workflow',
  usualPrice: (credits) => `${creditsOf(credits)} in üblicher Größe`,
  graph: 'Graph',
  steps: 'Schritte',
  cfg: 'CFG',
  strength: 'Stärke',
  model: 'Modell',
  negativePrompt: 'Ohne',
  tooLarge: (url, until) =>
    url === undefined
      ? 'Das Bild ist zu groß für diesen Kanal, und in seiner Adresse steht ein Schlüssel, also zeige ich sie nicht. Nimm eine kleinere Größe.'
      : `Das Bild ist zu groß für diesen Kanal: ${url}${until === undefined ? '' : ` (bis ${until})`}`,
  again: 'Nochmal',
  tryAgain: 'Nochmal versuchen',
};

export const outcome: Texts['outcome'] = {
  graph: (name) => `Graph ${name}`,
  from: (link, varied) =>
    varied
      ? `${link === undefined ? 'Variationen' : `Variationen von ${link}`}: dieselben Worte, neue Seeds`
      : link && `entstanden aus ${link}`,
  alt: (prompt, nth, all) => `${nth} von ${all}: ${prompt}`,
  showPrompt: 'Prompt zeigen',
  promptFile: 'Der ganze Prompt',
};

export const sketch: Texts['sketch'] = {
  missing: (names) => `Skizze · es fehlt: ${names}`,
};

export const actions: Texts['actions'] = {
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
  deleteQuestion: (link) => `Das hier endgültig löschen? ${link}`,
  deleted: 'Gelöscht.',
  kept: 'Es wurde nichts gelöscht.',
  notDeleted:
    'Von hier aus konnte ich es nicht löschen. Drücke unter dem Bild auf **Mehr**, dann auf **Löschen**.',
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
  cost: 'Kosten',
  credits: creditsOf,
  from: 'Entstanden aus',
  commandFile: 'Der Befehl für dieses Bild',
};

export const source: Texts['source'] = {
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
  firstFrame: 'Aus dem ersten Einzelbild einer Animation gemacht',
  noneHere:
    'In dieser Nachricht ist kein Bild, das ich verwenden kann: Ich nehme PNG-, JPEG- und WebP-Dateien.',
  empty: 'Diese Datei ist leer. Häng das Bild noch einmal an.',
  noPicture:
    'Diese Datei kann ich nicht als Bild verwenden: Ich nehme PNG, JPEG und WebP. Speichere sie als eines davon.',
  tooLarge: 'Dieses Bild ist zu groß: Ich nehme höchstens 10 MiB. Mach es kleiner.',
  tooNarrow: (times) =>
    `Dieses Bild ist zu schmal: Die lange Seite darf höchstens ${times}-mal so lang sein wie die kurze. Schneide es zu.`,
  tooManyPixels: 'Dieses Bild hat zu viele Pixel: Ich nehme höchstens 24 Megapixel. Mach es kleiner.',
  tooWide: (most) =>
    `Das wäre größer als ${most} Pixel je Seite, mehr geht nicht. Nimm ein kleineres Bild, oder vergrößere es weniger.`,
  forgotten: 'Ich habe dieses Bild nicht mehr. Bring es noch einmal.',
  noSize:
    'Ich weiß nicht, wie groß dieses Bild ist, und kann darum nicht sagen, wie viel dazukommt. **Bearbeite** es stattdessen.',
  isSquare: 'Dieses Bild ist schon ein Quadrat.',
  notYours: 'Das ist aus einem Bild gemacht, das du nicht sehen kannst. Geh von einem eigenen aus.',
  ofBlocked:
    'Wer das gepostet hat, ist hier für Bilder gesperrt, darum lassen sich Bilder dieser Person nicht verwenden.',
  withGraph: 'Ein Graph und ein Bild gehen nicht zusammen. Lass eines davon weg.',
  strengthAlone:
    '`strength` sagt, wie viel sich an einem Bild ändert. Gib `image` dazu an, oder lass es weg.',
  withoutStrength:
    'Wie viel sich an diesem Bild ändert, lässt sich hier nicht festlegen. Lass `strength` weg.',
  wordsAlone: 'Hier lässt sich kein eigenes Bild ändern. Deine Worte lassen sich ohne das Bild zeichnen.',
  withoutPicture: 'Ohne das Bild',
  notOffered: {
    edit: (workflows) =>
      workflows.length === 0
        ? 'Der Bilderdienst kann dieses Bild nicht ändern.'
        : `Dieser Workflow kann Bilder so nicht ändern. Wähle ${either.format(workflows)}.`,
    upscale: () => 'Der Bilderdienst kann dieses Bild nicht vergrößern.',
    expand: () => 'Der Bilderdienst kann dieses Bild nicht erweitern.',
    remove_background: () => 'Der Bilderdienst kann den Hintergrund dieses Bilds nicht entfernen.',
  },
  seen: 'Dein Bild und deine Worte werden **von Fremden gesehen**: Freiwillige zeichnen es. Trotzdem machen?',
  form: {
    title: 'Bild ändern',
    change: 'Was soll sich ändern?',
    changeDescription: 'Leer: ein neues Bild aus den Worten darunter',
    picture: 'Ein anderes Bild',
    pictureDescription: 'Statt dieses Bilds; PNG, JPEG oder WebP',
    pictureRefused: 'Das vorige ging nicht. Ohne eines wird nur nach den Worten gezeichnet',
  },
};

export const ready: Texts['ready'] = (mention, pictures) =>
  `${mention} ${pictures > 1 ? 'Deine Bilder sind fertig.' : 'Dein Bild ist fertig.'}`;

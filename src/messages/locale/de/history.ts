import type { Texts } from '../en.ts';
import { dayOf, daysOf, list, monthOf } from './formats.ts';

export const jobs: Texts['jobs'] = {
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
  lost: 'nicht mehr gespeichert',
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
  notShown:
    'Discord hat das Bild diesmal nicht angenommen. Zeigen kostet nichts: Versuche es in einer Minute erneut.',
  notHandedOut:
    'Der Bilderdienst gibt dieses Bild gerade nicht heraus: Er ist nicht erreichbar, oder er hat es nicht mehr. Zeigen kostet nichts: Versuche es in einer Minute erneut.',
  unanswered:
    'Discord sagt nicht, ob das schon gezeigt wurde. Es wurde nichts noch einmal gesendet. Versuche es in einer Minute erneut.',
};

export const usage: Texts['usage'] = {
  month: monthOf,
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
  forgotten: (days) => `Was älter als ${daysOf(days)} ist, ist gelöscht.`,
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
};

export const privacy: Texts['privacy'] = {
  kept: (history, waiting) => [
    '**Was dieser Bot über dich speichert, und wie lange**',
    '- Deinen verknüpften Schlüssel, verschlüsselt, mit dem Namen seines Kontos: bis du ihn entfernst.',
    `- Was du angefordert hast (Worte, Optionen, Graphen, Seed, wo und wann; keine Bilder): ${daysOf(history)}, nachdem es vorbei ist.`,
    `- Von einem eigenen Bild: Name, Link bei Discord (gilt einen Tag) und Prüfsumme, so lange wie der Auftrag. Wenn jemand meldet, was daraus wurde, eine kleine Kopie, bis die Moderation entschieden hat, und die Prüfsumme in ihrem Protokoll. Der Bilderdienst behält es bis einen Tag nach der letzten Verwendung.`,
    `- Ein fertiges Bild, das nicht zugestellt werden konnte: ${daysOf(waiting)}, in \`/jobs\`.`,
    `- Für die Moderatoren eines Servers: wie viele Bilder du dort an welchem Tag gemacht hast, und was du oder sie geändert haben: ${daysOf(history)}.`,
    `- Deine Voreinstellungen (\`/settings me\`): bis du sie löschst, höchstens 400 Tage nach der letzten Änderung. Modelle, mit denen du Bilder gemacht hast: ${daysOf(history)}.`,
    `- Welche Bilder du gemeldet hast, und warum, und welche von deinen gemeldet wurden, für die Moderatoren: ${daysOf(history)}.`,
    '- Was du eingegeben hast, ohne dass ein Auftrag daraus wurde: einen Tag.',
    '- Deine ID, bei dem, was andere aus einem Bild gemacht haben, das du gepostet oder mitgebracht hast, damit eine Sperre auch dafür gilt: so lange wie ihr Auftrag. Sie ist nicht in deinen Daten zum Herunterladen.',
    '- Was die Limits zählen: bis Stunde, Tag oder Monat vorbei sind. Falls du gesperrt wurdest: bis die Sperre endet.',
    'Die Bilder selbst speichern Discord und der Bilderdienst; die Worte dazu und dein Konto speichert der Bilderdienst, so lange, wie sein Betreiber es festlegt. Was hier gelöscht ist, steht in Sicherungen dieses Bots, bis sie weggeworfen werden.',
  ],
  strangers:
    'Bilder werden hier von Freiwilligen gezeichnet: **Fremde sehen deine Worte und deine Bilder**, auch die privaten.',
  sentTo: (names) =>
    `Bilder zeichnet hier **${list.format(names)}**: Deine Worte und die Bilder, mit denen du beginnst, werden dorthin gesendet, auch die privaten.`,
  looks: '**Wer deine Credits angesehen hat**',
  noLooks: 'Niemand hat deine Credits angesehen.',
  export: 'Meine Daten herunterladen',
  erase: 'Alles löschen',
  exported:
    'Das speichert dieser Bot über dich. Nicht dabei sind dein Schlüssel, Bilder, die in `/jobs` warten, was die Limits zählen, und was andere gemeldet haben.',
  file: 'Was dieser Bot über dich speichert, als JSON',
  confirm:
    'Alles löschen, was dieser Bot über dich speichert? Dein Schlüssel wird hier entfernt, **bleibt aber beim Bilderdienst gültig**: Um auch das zu beenden, nimm vorher `/apikey revoke`. Bilder, die in `/jobs` warten, sind weg, alte Bilder lassen sich nicht mehr per Button neu machen. Der Bilderdienst behält Worte und Bilder so lange wie die von allen. Nachrichten in Kanälen bleiben, ebenso das Protokoll der Moderation, Meldungen deiner Bilder, was Limits zählen, und Sperren; und was andere aus einem von dir geposteten oder mitgebrachten Bild gemacht haben, behält deine ID, bis ihr Auftrag weg ist.',
  eraseAll: 'Ja, alles löschen',
  unchanged: 'Es wurde nichts gelöscht.',
  erased: (running) =>
    running === 0
      ? 'Alles ist gelöscht. Ein Schlüssel, der verknüpft war, gilt beim Bilderdienst weiter.'
      : `Alles ist gelöscht, bis auf ${running === 1 ? 'einen Auftrag, der noch läuft' : `${running} Aufträge, die noch laufen`}. Nimm \`/privacy\` noch einmal, wenn ${running === 1 ? 'er vorbei ist' : 'sie vorbei sind'}, oder brich ${running === 1 ? 'ihn' : 'sie'} mit \`/jobs\` ab.`,
};

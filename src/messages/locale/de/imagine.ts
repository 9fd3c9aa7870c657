import type { Texts } from '../en.ts';
import { boldCredits, list, number } from './formats.ts';

export const editForm: Texts['editForm'] = {
  edit: 'Bearbeiten',
  prompt: 'Prompt',
  negativePrompt: 'Weglassen',
  sizeDescription: 'Etwa Hochformat oder 1024x768',
  cut: (characters) =>
    characters === 1
      ? 'Das letzte Zeichen passt nicht mehr hinein und fehlt'
      : `Die letzten ${number(characters)} Zeichen passen nicht mehr hinein und fehlen`,
  undecided: 'Nicht festgelegt',
  graph: 'ComfyUI-Graph (.json)',
  attachGraph: 'Häng ihn noch einmal an: Die Datei von vorher ist nicht gespeichert',
  graphName: 'Graph dieses Servers',
  graphNameDescription: 'Ohne Namen wird ohne Graph gezeichnet',
  more: 'Weitere Optionen',
  moreDescription: (flags) => `Etwa ${[...flags, '--n 4 --private'].join(' ')}`,
};

export const question: Texts['question'] = {
  seen: 'Hier sieht es niemand, aber **Fremde sehen es**: Freiwillige zeichnen es und sehen deine Worte und das Bild. Trotzdem machen?',
  pictures: (count) => `**${count}** Bilder machen?`,
  price: (credits, balance) =>
    `Sie kosten ${boldCredits(credits)}.${balance === undefined ? '' : ` Du hast **${number(balance)}**.`}`,
};

export const confirm: Texts['confirm'] = {
  make: 'Machen',
  dropped: 'Abgebrochen. Es wurde nichts gesendet.',
  begun: {
    asked: (link) => `Angefordert: ${link ?? '`/jobs` zeigt, wie weit es ist.'}`,
    waiting: () => 'Ist fertig, konnte hier aber nicht gezeigt werden. Du findest es unter `/jobs`.',
    delivered: (link) => (link === undefined ? 'Ist fertig.' : `Ist fertig: ${link}`),
    failed: 'Daraus ist nichts geworden.',
    cancelled: 'Abgebrochen.',
    lost: 'Das konnte nicht gestartet werden. Nichts wurde gesendet, also hat es nichts gekostet.',
  },
  notKept:
    'Deine Eingabe ließ sich nicht speichern, darum wurde nichts gemacht. Versuche es in einer Minute noch einmal.',
};

export const sizes: Texts['sizes'] = {
  Square: 'Quadrat',
  Portrait: 'Hochformat',
  Landscape: 'Querformat',
  'Large square': 'Großes Quadrat',
  'Large portrait': 'Großes Hochformat',
  'Large landscape': 'Großes Querformat',
  Widescreen: 'Breitbild',
};

export const typed: Texts['typed'] = {
  tooLong: (field, characters) => `${field}: ${number(characters)} Zeichen zu lang.`,
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
  onlyWords:
    'Das ist zu lange her: Ein Graph oder Bild, das dazugehörte, ist nicht mehr da. Deine Worte lassen sich auch ohne zeichnen.',
};

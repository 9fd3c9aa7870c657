import type { Texts } from '../en.ts';
import { boldCredits } from './formats.ts';

export const graph: Texts['graph'] = {
  heading: (name, nodes) => `**${name}** · ${nodes} Knoten`,
  more: (count) => `${count} weitere`,
  models: (models) => `Modelle: ${models}`,
  unknown: (classes) => `Kenne ich nicht: ${classes}. Der Bilderdienst muss sie haben.`,
  'no-graph': 'Diese Datei ist kein ComfyUI-Graph. Exportiere ihn in ComfyUI mit Workflow → Export (API).',
  editor:
    'Dieser Graph wurde für den Editor von ComfyUI gespeichert. Exportiere ihn mit Workflow → Export (API). In älteren Versionen: Dev Mode in den Einstellungen einschalten, dann Save (API Format).',
  broken: (line, column) =>
    `Diese Datei ist kein gültiges JSON: Der Fehler ist in Zeile ${line}, Spalte ${column}.`,
  fileTooLarge: 'Diese Datei ist zu groß: höchstens 1 MB.',
  'too-large': (nodes, values, kilobytes) =>
    `Dieser Graph ist zu groß: höchstens ${nodes} Knoten, ${values} Werte und ${kilobytes} KB.`,
  'filled-too-large':
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
    `${input === 'steps' ? 'Schritte sind' : 'Die Größe von Bildern ist'} hier begrenzt, und ich kann \`${input}\` von **${node}** in diesem Graphen nicht erkennen. Schreib es als Zahl hinein.`,
  unreadBatch: (node, input, most) =>
    `Ein Auftrag macht höchstens ${most} Bilder, und ich kann \`${input}\` von **${node}** in diesem Graphen nicht erkennen. Schreib es als Zahl hinein.`,
  unreadModel: (node) =>
    `Die Größe von Bildern ist hier begrenzt, und ich kann nicht erkennen, um wie viel **${node}** in diesem Graphen sie vergrößert. Nimm ein Modell, dessen Name es sagt, etwa \`4x-UltraSharp\`.`,
  promptUnused: 'Darin steht kein `%prompt%`: Dein Prompt wird nicht verwendet.',
  takesNothing:
    'Dieser Graph hat keinen Platz für Worte, eine Größe oder einen Seed: Was du auch tippst, es käme dasselbe Bild heraus.',
  noSeed: 'Darin steht kein Seed: Die Bilder werden gleich.',
  warning: (sentence) => `Der Bilderdienst sagt: ${sentence}`,
  refused: (reason) =>
    reason === undefined
      ? 'Der Bilderdienst führt diesen Graphen nicht aus.'
      : `Der Bilderdienst führt diesen Graphen nicht aus. Er sagt: ${reason}`,
  price: (credits, count) =>
    `${count === 1 ? 'Preis' : `Preis für ${count} Bilder`}: ${boldCredits(credits)}.`,
  'no-output':
    'Aus diesem Graphen kommt kein Bild: Ihm fehlt ein Knoten wie **SaveImage**. Füge in ComfyUI einen hinzu und exportiere ihn noch einmal.',
  badName:
    'Ein Name beginnt mit einem Buchstaben oder einer Ziffer und hat bis zu 40 Buchstaben, Ziffern, Leerzeichen, Punkte, Binde- und Unterstriche.',
  saved: 'Gespeichert. Mitglieder wählen ihn mit `graph_name` in `/imagine`.',
  replaced: 'Ersetzt. Mitglieder wählen ihn mit `graph_name` in `/imagine`.',
  removed: (name) => `**${name}** ist entfernt.`,
  notKept: (name) => `Dieser Server hat keinen Graphen **${name}**. \`/graph list\` zeigt, welche er hat.`,
  twice: '`graph` und `graph_name` sind zwei Graphen. Lass einen davon weg.',
  full: (most) => `Dieser Server hat schon ${most} Graphen. Entferne einen mit \`/graph remove\`.`,
  contents: '`/graph list` mit einem `name` zeigt Knoten und Modelle.',
  none: 'Dieser Server hat noch keine Graphen. Wer ihn verwaltet, speichert einen mit `/graph save`.',
  line: (name, nodes, saved) => `**${name}** · ${nodes} Knoten · ${saved}`,
};

import type { Texts } from '../en.ts';

const examples = ['ein roter Fuchs im Schnee, weiches Licht', 'ein Leuchtturm bei Nacht, Sterne --ar 3:2'];

export const help: Texts['help'] = {
  tabs: { make: 'Loslegen', type: 'Was du tippen kannst', keys: 'Schlüssel & Datenschutz' },
  examples,
  tryExample: (nth) => `Beispiel ${nth} ausprobieren`,
  manage:
    '-# Wenn du diesen Server verwaltest: `/settings panel` legt fest, was hier erlaubt ist, `/moderate reports` zeigt, was Mitglieder melden, `/usage`, was gemacht wurde.',
  setUp: (setup, doctor) =>
    `-# Wenn du diesen Bot betreibst: \`${setup}\` verbindet ihn mit dem, was zeichnet, \`${doctor}\` findet, was nicht stimmt.`,
  screens: {
    make: {
      title: 'Ein Bild machen',
      lines: [
        'Tippe `/imagine` und was du sehen willst:',
        ...examples.map((example) => `> ${example}`),
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
        ...(flags.length === 0 ? [] : [`${flags.map((flag) => `\`${flag}\``).join(' ')} zum Feinabstimmen`]),
        '`--private` zeigt es nur dir, und `/jobs` noch einmal; `--spoiler` verbirgt es bis zum Klick',
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
};

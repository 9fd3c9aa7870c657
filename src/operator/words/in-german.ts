/**
 * What settings and the image service say of themselves, in German. They say it in English, to logs and to callers
 * too; what is not in this list stays as it is.
 */
const GERMAN: readonly (readonly [RegExp, string])[] = [
  // Settings
  [
    /expected a whole number from (\S+) to (\d+), or none/,
    'erwartet: eine ganze Zahl von $1 bis $2, oder none',
  ],
  [/expected a whole number from (\S+) to (\d+)/, 'erwartet: eine ganze Zahl von $1 bis $2'],
  [
    /expected auto, or a whole number from (\S+) to (\d+)/,
    'erwartet: auto oder eine ganze Zahl von $1 bis $2',
  ],
  [
    /expected an address without a user name or password in it/,
    'erwartet: eine Adresse ohne Namen und Passwort',
  ],
  [/expected one address, without a comma/, 'erwartet: eine einzige Adresse, ohne Komma'],
  [/expected an address such as (\S+)/, 'erwartet: eine Adresse wie $1'],
  [
    /expected the address without the version at its end: (\S+)/,
    'erwartet: die Adresse ohne die Version am Ende: $1',
  ],
  [
    /expected 64 hexadecimal characters, or several of these separated by commas/,
    'erwartet: 64 Zeichen von 0 bis 9 und a bis f, oder mehrere davon, durch Kommas getrennt',
  ],
  [
    /expected sk- followed by 48 hexadecimal characters/,
    'erwartet: sk- und danach 48 Zeichen von 0 bis 9 und a bis f',
  ],
  [/expected JSON$/, 'erwartet: JSON'],
  [/expected one of the engines /, 'erwartet: einer der Zeichner '],
  [/expected one of /, 'erwartet: eins von '],
  [/expected the digits of an application id/, 'erwartet: die Ziffern der ID einer Anwendung'],
  [/expected the digits of a server id/, 'erwartet: die Ziffern der ID eines Servers'],
  [/expected ids of servers, separated by commas/, 'erwartet: IDs von Servern, durch Kommas getrennt'],
  [/expected (\w+) or (\w+)$/, 'erwartet: $1 oder $2'],
  [/expected (\w+:\/\/\S+) or (\w+:\/\/\S+)/, 'erwartet: $1 oder $2'],
  [
    /expected a size such as (\S+), each side from (\d+) to (\d+)/,
    'erwartet: eine Größe wie $1, jede Seite von $2 bis $3',
  ],
  [
    /expected how many proxies there are, or their addresses such as (\S+)/,
    'erwartet: wie viele Proxys es sind, oder ihre Adressen, wie $1',
  ],
  [
    /expected a provider and its model, such as (\S+); providers are /,
    'erwartet: ein Anbieter und sein Modell, wie $1; Anbieter sind ',
  ],
  [
    /expected origins such as (\S+) without a path, separated by commas(, or \*)?/,
    'erwartet: Herkunftsadressen wie $1 ohne Pfad, durch Kommas getrennt',
  ],
  [
    /expected a key of the provider, without spaces/,
    'erwartet: ein Schlüssel des Anbieters, ohne Leerzeichen',
  ],
  [
    /expected a key of the AI Horde; (\d+) is anonymous/,
    'erwartet: ein Schlüssel der AI Horde; $1 ist anonym',
  ],
  [/expected what a picture costs, such as (\S+)/, 'erwartet: was ein Bild kostet, wie $1'],
  [
    /expected credits from (\d+) to (\d+): .+/,
    'erwartet: Credits von $1 bis $2: eine Zahl, oder ein Objekt mit picture, megapixel und step',
  ],
  [
    /expected an object with day, month or both, in the money of/,
    'erwartet: ein Objekt mit day, month oder beidem, in der Währung von',
  ],
  [/expected an object with prices of /, 'erwartet: ein Objekt mit Preisen von '],
  [
    /expected an object with workflows .+/,
    'erwartet: ein Objekt mit Workflows; ihre Namen haben bis zu 32 kleine Buchstaben, Ziffern, - und _',
  ],
  [/expected an object with /, 'erwartet: ein Objekt mit '],
  [/expected an engine, or an object with /, 'erwartet: ein Zeichner oder ein Objekt mit '],
  [
    /expected the file name of a model, or how it begins/,
    'erwartet: der Dateiname eines Modells, oder wie er beginnt',
  ],
  [/expected a list of file names/, 'erwartet: eine Liste von Dateinamen'],
  [
    /missing; beside PostgreSQL there is no file to keep one in/,
    'fehlt; neben PostgreSQL ist keine Datei, die eines aufhebt',
  ],
  [/where a bucket is; PICTURES_URL names none/, 'sagt, wo ein Bucket ist; PICTURES_URL nennt keinen'],
  [
    /missing; the address of the server of HOSTED_MODEL, such as (\S+)/,
    'fehlt: die Adresse des Servers von HOSTED_MODEL, wie $1',
  ],
  [
    /missing; (\S+(?: run)? setup) asks for it, or copy it from the page Bot of your application on (\S+)/,
    'fehlt; $1 fragt danach, oder kopier es von der Seite Bot deiner Anwendung auf $2',
  ],
  [/the package (\S+) is not installed: /, 'das Paket $1 ist nicht installiert: '],

  // Engines
  [/The server of HOSTED_BASE_URL/g, 'Der Server von HOSTED_BASE_URL'],
  [/The AI Horde/g, 'Die AI Horde'],
  [/does not answer as it should\./g, 'antwortet nicht, wie es soll.'],
  [/does not answer at the moment\./, 'antwortet zurzeit nicht.'],
  [/does not answer\./g, 'antwortet nicht.'],
  [/does not accept the key of this service\./, 'nimmt den Schlüssel nicht an.'],
  [/does not have the model (\S+)\.(?=\s|$)/g, 'hat das Modell $1 nicht.'],
  [
    /does not draw on the credit of this service any more\./,
    'zeichnet nicht mehr: Das Guthaben ist aufgebraucht.',
  ],
  [/It is tried again later\./, 'Es wird später noch einmal versucht.'],
  [/Trying again later\./, 'Es wird später noch einmal versucht.'],
  [/^a server takes no drawing now$/, 'Der Zeichner nimmt gerade nichts an.'],
  [/^a server has lost a drawing$/, 'Der Zeichner hat das Bild verloren.'],
  [/Top it up there/, 'Lade es dort auf'],
  [/Check HOSTED_BASE_URL and the network/, 'Prüf HOSTED_BASE_URL und das Netz'],
  [/Check ([A-Z_]+) if that goes on/, 'Prüf $1, wenn das so bleibt'],
  [/Check ([A-Z][A-Z_]+)/g, 'Prüf $1'],
  [/ accepts the key$/, ' nimmt den Schlüssel an'],
  [/the key is tried with the first picture of /, 'der Schlüssel wird beim ersten Bild versucht: '],
  [/the key of (.+) has (\d+) kudos/, 'der Schlüssel von $1 hat $2 Kudos'],
  [/the key is shared by its owner/, 'der Schlüssel ist von seinem Besitzer geteilt'],
  [/ answers?(?=$|;)/g, ' antwortet'],
  [/The workflow (\S+) is not offered\./g, 'Der Workflow $1 wird nicht angeboten.'],
  [
    /There is no model (.*?)in (\S+); the servers have none at all\./g,
    'Es gibt kein Modell $1in $2; die Server haben gar keines.',
  ],
  [/There is no model (.*?)in (\S+); the servers have /g, 'Es gibt kein Modell $1in $2; die Server haben '],
  [
    /No machine of the AI Horde has the model (.+?) now\./g,
    'Keine Maschine der AI Horde hat gerade das Modell $1.',
  ],
  [
    /No machine of the AI Horde has a model for the workflow (\S+) now\./g,
    'Keine Maschine der AI Horde hat gerade ein Modell für den Workflow $1.',
  ],
  [/(.+) refused this: /, '$1 hat das abgelehnt: '],
  [/The image server failed: /, 'Der Zeichner ist gescheitert: '],
  [/ answered without a picture that can be read/, ' hat ohne ein lesbares Bild geantwortet'],
  [
    /Whether it charges for that cannot be known, so it is not asked again\./,
    'Ob das etwas gekostet hat, ist nicht zu erfahren; darum wird nicht noch einmal gefragt.',
  ],
  [
    / was asked for this picture and has not answered it/,
    ' wurde um dieses Bild gebeten und hat nicht geantwortet',
  ],
  [
    / answered without a picture, as its content policy may want it/,
    ' hat ohne ein Bild geantwortet, wie seine Inhaltsregeln es verlangen können',
  ],
  [/^HOSTED_MODEL: (.+) cannot be asked: /, 'HOSTED_MODEL: $1 kann nicht gefragt werden: '],
  [
    /^HOSTED_API_KEY: missing; (.+) draws for whoever has a key: set it there, or in (\S+)$/,
    'HOSTED_API_KEY: fehlt; $1 zeichnet für alle, die einen Schlüssel haben: hier angeben oder in $2',
  ],
  [/ censored this picture\./, ' hat dieses Bild zensiert.'],
  [
    /The image server was lost while it was drawing, and a second attempt failed too\./,
    'Der Zeichner ging beim Zeichnen verloren, und ein zweiter Versuch ist auch gescheitert.',
  ],
  [
    /a (\S+) server is unavailable; trying again later\./,
    'ein Server von $1 ist nicht zu erreichen; später wieder.',
  ],
  [/the service does not say why\./, 'Der Dienst sagt nicht, warum.'],
  [/the service names no picture\./, 'Der Dienst nennt kein Bild.'],
  [/no picture within (\d+) minutes/, 'kein Bild in $1 Minuten'],
  [/There is no terminal to answer this in\./, 'Hier ist kein Terminal, um das zu beantworten.'],
];

/** `sentence`, as far as it is known. */
export const inGerman = (sentence: string): string =>
  GERMAN.reduce((said, [english, german]) => said.replace(english, german), sentence);

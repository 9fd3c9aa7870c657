import { WHERE_TOKEN_IS } from '../../discord-token.ts';

/**
 * What settings and the image service say of themselves, in German. They say it in English, to logs and to callers
 * too; what is not in this list stays as it is. `$1` stands for a word, `$1…` for any, `…` for what is left out; `^`
 * and `$` are the beginning and the end of a line.
 */
const GERMAN: Readonly<Record<string, string>> = {
  // Arguments
  '^error: unknown option ': 'Diese Option gibt es nicht: ',
  '(Did you mean $1?)': '(Vielleicht $1?)',
  '^error: option $1… argument missing': 'Nach der Option $1 fehlt der Wert',
  '^error: option $1… argument $2… is invalid. Allowed choices are $3….':
    'Nach der Option $1 steht $2. Möglich: $3.',
  '^error: option $1… cannot be used with option $2…$': '$1 und $2 gehen nicht zusammen.',
  '^error: too many arguments…': 'Hinter setup stehen nur Optionen.',
  // Settings
  '^One setting is wrong, so nothing was done:$': 'Eine Einstellung ist falsch, also ist nichts geschehen:',
  '^$1 settings are wrong, so nothing was done:$': '$1 Einstellungen sind falsch, also ist nichts geschehen:',
  '^.env.example explains each of them.$': '.env.example erklärt jede von ihnen.',
  'not a bot token': 'kein Bot-Token',
  ': leave out the word "Bot" before the token': ': Lass das Wort „Bot“ davor weg',
  ': this is the id of an application, not its token': ', sondern die ID einer Anwendung',
  ': this is the public key of an application, not its token':
    ', sondern der öffentliche Schlüssel einer Anwendung',
  ': this looks like the client secret (page OAuth2), not like the token':
    ', sondern sieht nach dem Client Secret aus (Seite OAuth2)',
  ': leave out the quotation marks': ': Lass die Anführungszeichen weg',
  [WHERE_TOKEN_IS]: 'Es steht auf der Seite Bot deiner Anwendung: „Token zurücksetzen“.',
  'expected a whole number from $1 to $2, or none': 'erwartet: eine ganze Zahl von $1 bis $2, oder none',
  'expected a whole number from $1 to $2': 'erwartet: eine ganze Zahl von $1 bis $2',
  'expected auto, or a whole number from $1 to $2': 'erwartet: auto oder eine ganze Zahl von $1 bis $2',
  'expected an address without a user name or password in it':
    'erwartet: eine Adresse ohne Namen und Passwort',
  'expected an address without anything that begins with ? or #':
    'erwartet: eine Adresse ohne das, was mit ? oder # beginnt',
  'expected one address, without a comma': 'erwartet: eine einzige Adresse, ohne Komma',
  'expected an address such as $1': 'erwartet: eine Adresse wie $1',
  'expected the address without the version at its end: $1':
    'erwartet: die Adresse ohne die Version am Ende: $1',
  'expected 64 hexadecimal characters, or several of these separated by commas':
    'erwartet: 64 Zeichen von 0 bis 9 und a bis f, oder mehrere davon, durch Kommas getrennt',
  'expected sk- followed by 48 hexadecimal characters':
    'erwartet: sk- und danach 48 Zeichen von 0 bis 9 und a bis f',
  'not an address; in its password write $1 for #, $2 for /, $3 for ?, $4 for @ and $5 for %':
    'keine Adresse; schreib in ihrem Passwort $1 für #, $2 für /, $3 für ?, $4 für @ und $5 für %',
  'expected JSON$': 'erwartet: JSON',
  'expected one of the engines ': 'erwartet: einer der Zeichner ',
  'expected one of ': 'erwartet: eins von ',
  'expected the digits of an application id': 'erwartet: die Ziffern der ID einer Anwendung',
  'expected the digits of a server id': 'erwartet: die Ziffern der ID eines Servers',
  'expected ids of servers, separated by commas': 'erwartet: IDs von Servern, durch Kommas getrennt',
  'expected $1 or $2': 'erwartet: $1 oder $2',
  'expected a size such as $1, each side from $2 to $3':
    'erwartet: eine Größe wie $1, jede Seite von $2 bis $3',
  'expected how many proxies there are, or their addresses such as $1':
    'erwartet: wie viele Proxys es sind, oder ihre Adressen, wie $1',
  'expected a provider and its model, such as $1; providers are ':
    'erwartet: ein Anbieter und sein Modell, wie $1; Anbieter sind ',
  'expected origins such as $1 without a path, separated by commas…':
    'erwartet: Herkunftsadressen wie $1 ohne Pfad, durch Kommas getrennt',
  'expected a key of the provider, without spaces': 'erwartet: ein Schlüssel des Anbieters, ohne Leerzeichen',
  'expected a key of the AI Horde; $1 is anonymous': 'erwartet: ein Schlüssel der AI Horde; $1 ist anonym',
  'expected what a picture costs, such as $1': 'erwartet: was ein Bild kostet, wie $1',
  'expected credits from $1 to $2: …':
    'erwartet: Credits von $1 bis $2: eine Zahl, oder ein Objekt mit picture, megapixel und step',
  'expected an object with day, month or both, in the money of':
    'erwartet: ein Objekt mit day, month oder beidem, in der Währung von',
  'expected an object with prices of ': 'erwartet: ein Objekt mit Preisen von ',
  'expected an object with workflows …':
    'erwartet: ein Objekt mit Workflows; ihre Namen haben bis zu 32 kleine Buchstaben, Ziffern, - und _',
  'expected an object with ': 'erwartet: ein Objekt mit ',
  'expected an engine, or an object with ': 'erwartet: ein Zeichner oder ein Objekt mit ',
  'expected the file name of a model, or how it begins':
    'erwartet: der Dateiname eines Modells, oder wie er beginnt',
  'expected a list of file names': 'erwartet: eine Liste von Dateinamen',
  'missing; beside PostgreSQL there is no file to keep one in':
    'fehlt; neben PostgreSQL ist keine Datei, die eines aufhebt',
  'where a bucket is; PICTURES_URL names none': 'sagt, wo ein Bucket ist; PICTURES_URL nennt keinen',
  'missing; the address of the server of HOSTED_MODEL, such as $1':
    'fehlt: die Adresse des Servers von HOSTED_MODEL, wie $1',
  'missing; $1… asks for it, or copy it from the page Bot of your application on $2':
    'fehlt; $1 fragt danach, oder kopier es von der Seite Bot deiner Anwendung auf $2',
  'the package $1 is not installed: ': 'das Paket $1 ist nicht installiert: ',

  // Engines
  'No machine of the AI Horde can draw this now. Choose another model, or a smaller picture.':
    'Keine Maschine der AI Horde kann das gerade zeichnen. Nimm ein anderes Modell oder ein kleineres Bild.',
  'The machines of the AI Horde could not draw this.':
    'Die Maschinen der AI Horde konnten das nicht zeichnen.',
  'The AI Horde is too busy for a picture of this size and so many steps.':
    'Die AI Horde hat zu viel zu tun für ein Bild dieser Größe mit so vielen Schritten.',
  'What the AI Horde sent is not a picture.': 'Was die AI Horde geschickt hat, ist kein Bild.',
  'The AI Horde lost this $1 times. Try again later.':
    'Die AI Horde hat dies $1 Mal verloren. Versuch es später noch einmal.',
  'The AI Horde ended without a picture.': 'Die AI Horde hat kein Bild geschickt.',
  'No image server can be reached at the moment.': 'Kein Zeichner ist gerade zu erreichen.',
  'The image server has too little memory for a picture of this size.':
    'Der Zeichner hat zu wenig Speicher für ein Bild dieser Größe.',
  'The image server refused this: ': 'Der Zeichner hat das abgelehnt: ',
  'The image server ended without a picture.': 'Der Zeichner hat kein Bild geschickt.',
  'What the image server sent is not a picture.': 'Was der Zeichner geschickt hat, ist kein Bild.',
  'The graph ran to the end but saved no picture.': 'Der Graph lief durch und hat kein Bild gespeichert.',
  'What the graph saved is not a picture.': 'Was der Graph gespeichert hat, ist kein Bild.',
  'The graph was refused.': 'Der Graph wurde abgelehnt.',
  'Part of the graph cannot run.': 'Ein Teil des Graphen kann nicht laufen.',
  'The model $1 may not be used here.': 'Das Modell $1 darf hier nicht benutzt werden.',
  'no reason was given': 'ohne einen Grund',
  ' and $1 more.': ' und $1 weitere.',
  'Check user and password in SDWEBUI_URL ': 'Prüf Namen und Passwort in SDWEBUI_URL ',
  'Start the WebUI with --api': 'Starte die WebUI mit --api',
  'What this service may spend on pictures is used up ….':
    'Was dieser Dienst für Bilder ausgeben darf, ist aufgebraucht (SERVICE_BUDGET).',
  'SERVICE_BUDGET: bounds what pictures cost, and nobody says what one of the workflow $1 does: set HOSTED_COST, or its cost in SERVICE_WORKFLOWS.':
    'SERVICE_BUDGET: begrenzt, was Bilder kosten, und niemand sagt, was eines des Workflows $1 kostet: Setz HOSTED_COST, oder cost in SERVICE_WORKFLOWS.',
  '$1 has a cost, but is drawn by $2, which has none. Leave it out, or name an engine that is paid.':
    '$1 hat cost, aber $2 zeichnet es und kostet nichts. Lass cost weg, oder nenn einen Zeichner, der bezahlt wird.',
  '$1 is to be drawn by $2, which is not set up: set $3.':
    '$1 soll von $2 gezeichnet werden, aber $3 fehlt: Setz es.',
  '$1 is to be drawn by $2…, which cannot draw it. Leave its engine out, or name another one.':
    '$1 soll von $2 gezeichnet werden, was dieser Zeichner nicht kann. Lass engine weg, oder nenn einen anderen.',
  ' is another version: ': ' ist von einer anderen Version: ',
  'The server of HOSTED_BASE_URL': 'Der Server von HOSTED_BASE_URL',
  'The AI Horde': 'Die AI Horde',
  'answers, but not as OpenAI does.': 'antwortet, aber nicht wie OpenAI.',
  'does not answer as it should.': 'antwortet nicht, wie es soll.',
  'does not answer at the moment.': 'antwortet zurzeit nicht.',
  'does not answer.': 'antwortet nicht.',
  'does not accept the key of this service.': 'nimmt den Schlüssel nicht an.',
  'does not have the model $1.': 'hat das Modell $1 nicht.',
  'does not draw for this account with the model $1.': 'zeichnet für dieses Konto nicht mit dem Modell $1.',
  'does not draw on the credit of this service any more.':
    'zeichnet nicht mehr: Das Guthaben ist aufgebraucht.',
  'It is tried again later.': 'Es wird später noch einmal versucht.',
  'Trying again later.': 'Es wird später noch einmal versucht.',
  '^a server takes no drawing now$': 'Der Zeichner nimmt gerade nichts an.',
  '^a server has lost a drawing$': 'Der Zeichner hat das Bild verloren.',
  'Top it up there': 'Lade es dort auf',
  'Verify the account there, or choose another model':
    'Verifiziere das Konto dort, oder nimm ein anderes Modell',
  'Check HOSTED_BASE_URL and the network': 'Prüf HOSTED_BASE_URL und das Netz',
  'Check $1 if that goes on': 'Prüf $1, wenn das so bleibt',
  ' accepts the key$': ' nimmt den Schlüssel an',
  'the key is tried with the first picture of ': 'der Schlüssel wird beim ersten Bild versucht: ',
  'the key of $1… has $2 kudos': 'der Schlüssel von $1 hat $2 Kudos',
  'the key is shared by its owner': 'der Schlüssel ist von seinem Besitzer geteilt',
  'The workflow $1 is not offered.': 'Der Workflow $1 wird nicht angeboten.',
  'There is no model $1…in $2; the servers have none at all.':
    'Es gibt kein Modell $1in $2; die Server haben gar keines.',
  'There is no model $1…in $2; the servers have ': 'Es gibt kein Modell $1in $2; die Server haben ',
  'No machine of the AI Horde has the model $1… now.':
    'Keine Maschine der AI Horde hat gerade das Modell $1.',
  'No machine of the AI Horde has a model for the workflow $1 now.':
    'Keine Maschine der AI Horde hat gerade ein Modell für den Workflow $1.',
  '$1… refused this: ': '$1 hat das abgelehnt: ',
  'The image server failed: ': 'Der Zeichner ist gescheitert: ',
  ' failed: ': ' ist gescheitert: ',
  ' answered without a picture that can be read': ' hat ohne ein lesbares Bild geantwortet',
  'Whether it charges for that cannot be known, so it is not asked again.':
    'Ob das etwas gekostet hat, ist nicht zu erfahren; darum wird nicht noch einmal gefragt.',
  ' was asked for this picture and has not answered it':
    ' wurde um dieses Bild gebeten und hat nicht geantwortet',
  ' answered without a picture, as its content policy may want it':
    ' hat ohne ein Bild geantwortet, wie seine Inhaltsregeln es verlangen können',
  '^$1…: $2… cannot be asked: ': '$1: $2 kann nicht gefragt werden: ',
  '^HOSTED_API_KEY: missing; $1… draws for whoever has a key: set it there, or in $2$':
    'HOSTED_API_KEY: fehlt; $1 zeichnet für alle, die einen Schlüssel haben: hier angeben oder in $2',
  ' censored this picture': ' hat dieses Bild zensiert',
  'It costs its whole price, as if it had been shown.':
    'Es kostet seinen ganzen Preis, als wäre es gezeigt worden.',
  'The image server was lost while it was drawing, and a second attempt failed too.':
    'Der Zeichner ging beim Zeichnen verloren, und ein zweiter Versuch ist auch gescheitert.',
  'a $1 server is unavailable; trying again later.':
    'ein Server von $1 ist nicht zu erreichen; später wieder.',
  // The test picture
  'the service does not say why.': 'Der Dienst sagt nicht, warum.',
  'no picture within $1 minutes': 'kein Bild in $1 Minuten',
  'The account has too few credits: this picture costs $1, and the balance is $2.':
    'Das Konto hat zu wenige Credits: Dieses Bild kostet $1, und es sind $2 da.',

  // Databases, pictures and the secret
  'The service cannot use its database $1: ': 'Der Dienst kann seine Datenbank $1 nicht benutzen: ',
  'Check that it is there, can be written and has room, and SERVICE_DATABASE_URL.':
    'Prüf, ob sie da ist, geschrieben werden kann und Platz hat, und SERVICE_DATABASE_URL.',
  'Where $1 is right, the file is damaged: move it out of the way with its -wal, and restore the last backup.':
    'Wenn $1 stimmt, ist die Datei beschädigt: Räum sie mit ihrer -wal aus dem Weg, und spiel die letzte Sicherung ein.',
  'a later version of the service has changed its tables ($1). Start that version, or restore a backup from before the upgrade.':
    'ein neuerer Dienst hat ihre Tabellen geändert ($1). Starte jenen, oder spiel eine Sicherung von vor dem Wechsel ein.',
  'The store $1 cannot be opened: ': 'Die Datenbank $1 ist nicht zu öffnen: ',
  'Node.js was changed, or this module was not built: run npm rebuild better-sqlite3 in the folder of the code.':
    'Node.js ist ein anderes, oder dieses Modul wurde nicht gebaut: Starte npm rebuild better-sqlite3 im Ordner des Codes.',
  'Check STORE_URL, that its user may write there, and that the disk has room.':
    'Prüf STORE_URL, ob der Benutzer dort schreiben darf, und ob auf der Platte Platz ist.',
  'Check that PostgreSQL runs there and lets the user of STORE_URL write.':
    'Prüf, ob PostgreSQL dort läuft und den Benutzer von STORE_URL schreiben lässt.',
  'PostgreSQL cannot be reached: ': 'PostgreSQL ist nicht zu erreichen: ',
  'PostgreSQL takes no writes': 'In PostgreSQL lässt sich nichts schreiben',
  '. Trying again; check that it runs there, and the address':
    '. Es wird weiter versucht; prüf, ob es dort läuft, und die Adresse',
  '; name the file of the certificate that it is signed with in its URL, by sslrootcert=FILE':
    '; nenn die Datei des Zertifikats, mit dem es unterschrieben ist, in seiner Adresse: sslrootcert=DATEI',
  '; name it as its certificate does, or have only checked who signed that, by sslmode=verify-ca&uselibpqcompat=true&sslrootcert=FILE':
    '; nenn es, wie sein Zertifikat es nennt, oder lass nur prüfen, wer das unterschrieben hat: sslmode=verify-ca&uselibpqcompat=true&sslrootcert=DATEI',
  ' is locked by another process': ' ist von einem anderen Prozess gesperrt',
  ' has no room left': ' hat keinen Platz mehr',
  ' cannot be read or written': ' ist nicht zu lesen oder zu schreiben',
  'no answer for $1 ms': '$1 ms lang keine Antwort',
  'timed out after $1 ms': 'nach $1 ms noch keine Antwort',
  'Another Darkroom is running on $1. Stop it first, or give this one a store of its own with STORE_URL.':
    'Auf $1 läuft schon ein Darkroom. Halt es vorher an, oder gib diesem mit STORE_URL eine eigene Datenbank.',
  'a newer version of Darkroom has written it (layout $1; this version knows $2). Start that version; or move this store out of the way, and restore a backup from before the upgrade.':
    'ein neueres Darkroom hat sie geschrieben (Aufbau $1; dieses kennt $2). Starte jenes; oder räum sie aus dem Weg, und spiel eine Sicherung von vor dem Wechsel ein.',
  'The service cannot use $1… for its pictures (PICTURES_URL): ':
    'Der Dienst kann $1 nicht für seine Bilder benutzen (PICTURES_URL): ',
  'Check that it is there and has room, and that the service may write to it.':
    'Prüf, ob das da ist und Platz hat, und ob der Dienst dort schreiben darf.',
  '$1… (PICTURES_URL) does not answer: ': '$1 antwortet nicht (PICTURES_URL): ',
  '. Trying again; check that it is there': '. Es wird weiter versucht; prüf, ob das da ist',
  'The pictures of this database are not in $1… (PICTURES_URL): the file $2 is missing there.':
    'Die Bilder dieser Datenbank sind nicht in $1 (PICTURES_URL): Dort fehlt die Datei $2.',
  'All processes of a service need the same folder, on a disk that they share and that is mounted, or the same bucket.':
    'Alle Prozesse eines Dienstes brauchen denselben Ordner, auf einer gemeinsamen und eingehängten Platte, oder denselben Bucket.',
  'Where pictures were moved, move this file with them. Where they are lost, make an empty file of that name.':
    'Wurden die Bilder verschoben, verschieb diese Datei mit ihnen. Sind sie verloren, leg eine leere Datei dieses Namens an.',
  ' is written, and whole, but a loss of power may take its name: its folder could not be flushed ($1…). Look at that disk.':
    ' ist ganz geschrieben; doch ein Stromausfall kann den Namen nehmen: Der Ordner war nicht auf die Platte zu bringen ($1). Sieh nach dieser Platte.',
  '$1 is missing, and SECRET_KEY is not set: one of them has sealed what is in $2. Put it back. If it is lost for good, $3… erases what nobody can open any more.':
    '$1 fehlt, und SECRET_KEY ist nicht gesetzt: Eins davon hat versiegelt, was in $2 steht. Stell es zurück. Ist es für immer verloren, löscht $3, was niemand mehr öffnen kann.',
  'The key file $1 can be neither read nor created: ':
    'Die Schlüsseldatei $1 ist weder zu lesen noch anzulegen: ',
  'Give it and its folder to the user who runs this.':
    'Gib sie und ihren Ordner dem Benutzer, der das ausführt.',
  '$1 does not hold 64 hex characters; restore it from a backup, or set SECRET_KEY':
    'In $1 stehen keine 64 Zeichen von 0 bis 9 und a bis f; spiel sie aus einer Sicherung ein, oder setz SECRET_KEY',
  'What is sealed in … does not open with this secret. Put back the one that it had: SECRET_KEY, where it may stand behind a new one after a comma, or secret.key beside …. If it is lost for good, $1… erases what nobody can open any more; ….':
    'Was in der Datenbank versiegelt ist, öffnet sich nicht mit diesem Geheimnis. Stell ihres zurück: in SECRET_KEY, wo es nach einem Komma hinter einem neuen stehen kann, oder in secret.key neben ihr. Ist es für immer verloren, löscht $1, was niemand mehr öffnen kann.',
  'PgBouncer, or another pooler, answers in transaction or statement mode: the next transaction may have another session. Name PostgreSQL itself, or a pool in session mode.':
    'Dort antwortet PgBouncer oder ein anderer Pooler je Transaktion: Die nächste kann eine andere Sitzung haben. Nenn PostgreSQL selbst, oder einen Pool je Sitzung.',

  // A start of the bot
  '$1 is not an address of this machine. Set it to one, or to 0.0.0.0 for all of them.':
    '$1 ist keine Adresse dieses Rechners. Setz es auf eine, oder auf 0.0.0.0 für alle.',
  'Port $1 is taken. Set $2 to another one.': 'Port $1 ist vergeben. Setz $2 auf einen anderen.',
  'Port $1 needs a right that this program lacks, as those below 1024 do. Set $2 to a higher one.':
    'Port $1 verlangt ein Recht, das dieses Programm nicht hat, wie alle unter 1024. Setz $2 auf einen höheren.',
  'The store of STORE_URL belongs to the application $1, and DISCORD_TOKEN to $2. Give this bot a store of its own with STORE_URL, or use the token of that application.':
    'Die Datenbank von STORE_URL gehört zur Anwendung $1 und DISCORD_TOKEN zu $2. Gib diesem Bot mit STORE_URL eine eigene Datenbank, oder nimm das Token jener Anwendung.',
  'Other processes run this bot with $1 shards, and SHARDS is $2. Leave SHARDS at auto, or change the number for all that run: ':
    'Andere Prozesse führen diesen Bot mit $1 Shards, und SHARDS ist $2. Lass SHARDS auf auto, oder ändere die Zahl für alle: ',
  'The PostgreSQL at $1 is older than 14. Take a newer one.':
    'Das PostgreSQL unter $1 ist älter als 14. Nimm ein neueres.',
  'The PostgreSQL of STORE_URL cannot be reached: $1…. Check that it runs and the address.':
    'Das PostgreSQL von STORE_URL ist nicht zu erreichen: $1. Prüf, ob es läuft, und die Adresse.',
  'Another process has been starting on this store for half a minute. Look at its log.':
    'Ein anderer Prozess startet seit einer halben Minute auf dieser Datenbank. Sieh in sein Log.',
  'Discord cannot be reached: ': 'Discord ist nicht zu erreichen: ',
  '. Trying again; check the network and DISCORD_API_URL':
    '. Es wird weiter versucht; prüf das Netz und DISCORD_API_URL',
  'Discord did not let the bot in: ': 'Discord hat den Bot nicht hereingelassen: ',
  'it does not accept DISCORD_TOKEN. Copy the token again from the Bot page of the developer portal.':
    'Es nimmt DISCORD_TOKEN nicht an. Kopier das Token neu, von der Seite Bot deiner Anwendung.',
  'the bot is in too many servers for so few shards ($1). Start it again: it takes $2, as Discord recommends.':
    'Der Bot ist auf zu vielen Servern für so wenige Shards ($1). Starte ihn neu: Er nimmt dann $2, wie Discord empfiehlt.',
  'Look up $1 among the gateway close event codes of its documentation.':
    'Sieh unter $1 bei den Gateway Close Event Codes seiner Dokumentation nach.',
  'there is no Discord at $1. Leave DISCORD_API_URL out, or set it to $2.':
    'Unter $1 ist kein Discord. Lass DISCORD_API_URL weg, oder setz es auf $2.',
  'Check the network and DISCORD_API_URL, then start again.':
    'Prüf das Netz und DISCORD_API_URL, und starte dann noch einmal.',
};

/** What an entry of `GERMAN` stands for. */
function patternOf(english: string): RegExp {
  const pattern = english
    .replace(/[.*+?()[\]/]/g, '\\$&')
    .replace(/\$\d…/g, '(.*?)')
    .replace(/\$\d/g, '(\\S+)')
    .replace(/…/g, '.*');
  return new RegExp(pattern, 'gm');
}

const PATTERNS = [
  ...Object.entries(GERMAN).map(([english, german]) => [patternOf(english), german] as const),
  // Of what is left.
  [/Check ([A-Z][A-Z_]+)/g, 'Prüf $1'],
  [/ answers?(?=$|;)/gm, ' antwortet'],
] as const;

/** `sentence`, as far as it is known. */
export const inGerman = (sentence: string): string =>
  PATTERNS.reduce((said, [english, german]) => said.replace(english, german), sentence);

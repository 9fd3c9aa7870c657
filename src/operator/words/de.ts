import type { ServiceErrorKind } from '@darkroom/image-api';
import { noDiscordAt } from '../../bot/no-discord.ts';
import { WHERE_TOKEN_IS } from '../../discord-token.ts';
import { creditsOf } from '../../messages/locale/de/formats.ts';
import type { Words } from './en.ts';
import { inGerman } from './in-german.ts';

/** What is wrong with an answer of the image service. */
const ANSWERS: Readonly<Record<ServiceErrorKind, string>> = {
  unreachable: 'nicht zu erreichen',
  timeout: 'zu spät',
  interrupted: 'abgebrochen',
  busy: 'überlastet',
  broken: 'ein Fehler dort',
  refused: 'abgelehnt',
  unauthorized: 'ohne Zugang',
  'insufficient-balance': 'zu wenige Credits',
  'not-found': 'dort ist es nicht',
  protocol: 'nicht wie vereinbart',
  blocked: 'diese Adresse ist gesperrt',
};

export const de: Words = {
  language: 'de',
  yes: 'Ja',
  no: 'Nein',
  help: {
    description:
      'Fragt, was nur du wissen kannst, probiert jede Antwort gleich aus, und am Ende ist der Bot auf deinem Server. Geheimnisse stehen in der Umgebung (DISCORD_TOKEN, HOSTED_API_KEY, AI_HORDE_KEY, IMAGE_API_KEY, eine SDWEBUI_URL mit ihrem Passwort), nie in einer Option.',
    usageTitle: 'Aufruf:',
    usage: '[Optionen]',
    optionsTitle: 'Optionen:',
    sets: (setting) => `setzt ${setting}`,
    sketch: 'Bilder sind vorerst Skizzen',
    choose: 'fragt, wer zeichnet, auch wenn das schon feststeht',
    horde: 'Freiwillige der AI Horde zeichnen, mit dem Schlüssel für alle, wenn AI_HORDE_KEY fehlt',
    payer: 'wer Bilder des eingebauten Dienstes bezahlt',
    picture: 'zeichnet ein Probebild, auch wenn es etwas kostet',
    noPicture: 'zeichnet kein Probebild',
    noInvite: 'wartet nicht, bis der Bot auf einem Server ist',
    noTry: 'wartet nicht, bis jemand /imagine tippt',
    run: 'wie der Bot laufen wird',
    check: 'probiert nur aus, was gesetzt ist, und ändert nichts',
    json: 'schreibt als JSON, was es gefunden hat, und fragt nichts',
    language: 'ohne diese Option die des Terminals',
    help: 'zeigt das hier',
  },
  begin: (path) =>
    `Darkroom wird eingerichtet. Deine Antworten stehen danach in ${path}. Strg-C hält an; was bis dahin beantwortet ist, bleibt.`,
  stopped: 'Angehalten. Ein neuer Aufruf macht dort weiter.',
  replace: (name, before, after) => `${name} ist ${before}. Durch ${after} ersetzen?`,
  aSecret: 'ein Wert, der nicht angezeigt wird',
  nothing: 'nichts',
  kept: (names) => `Aufgeschrieben: ${names.join(', ')}.`,
  backup: (path) => `Die Einstellungen von vorher stehen in ${path}.`,
  noTerminal: (question) => `${question} Hier ist kein Terminal, um das zu beantworten.`,
  missing: 'Es gibt kein Terminal zum Fragen, und diese Antworten fehlen:',
  missingPictures:
    'woher die Bilder kommen: --comfyui-url, --sdwebui-url, --hosted-model, --horde, --image-api-url oder --sketch',
  missingKey: 'der Schlüssel des Anbieters: HOSTED_API_KEY in der Umgebung',
  missingToken: 'das Token des Bots: DISCORD_TOKEN in der Umgebung',
  passwordInFlag: (setting) =>
    `Wer die Prozesse dieses Rechners auflistet, liest das Passwort in dieser Adresse. Gib sie als ${setting} in der Umgebung an.`,
  elsewhere: (names) =>
    `Auch die Umgebung dieses Terminals setzt ${names.join(', ')}, und sie geht der Datei vor. Nimm das dort weg, wo es gesetzt wird: unset ${names.join(' ')}.`,
  again: 'Noch einmal versuchen',
  goOn: 'Ohne das weitermachen',
  file: {
    unreadable: (path, why) => `${path} ist nicht zu lesen. ${why}`,
    unwritable: (path, why) => `${path} ist nicht zu schreiben und ist wie vorher. ${why}`,
    noSetting: (path, line) =>
      `Zeile ${line} von ${path} ist keine Einstellung: Sie muss NAME=Wert sein oder # und ein Kommentar. Berichtige diese Zeile.`,
    readByNode: (name, path) =>
      `${name} bewirkt in ${path} nichts, außer Docker Compose setzt es von dort: Node liest es, bevor dieses Programm beginnt. Setz es in der Umgebung des Prozesses: in der Shell (export ${name}=…) oder in /etc/default/darkroom für die Unit von systemd.`,
    noValue: (name) =>
      `Der Wert von ${name} passt in keine Datei mit Einstellungen: Keine Anführungszeichen passen um ihn. Nimm einen anderen Wert, oder setz diesen in der Umgebung.`,
    again: 'Noch einmal schreiben?',
    readAgain: 'Noch einmal lesen?',
  },
  machine: {
    full: 'Die Platte ist voll: Mach darauf Platz.',
    closed:
      'Zugriff verweigert: Ruf das hier als der Besitzer der Datei auf, oder gib sie diesem Benutzer (chown).',
  },
  said: inGerman,
  keptWrong: 'Berichtige diese Einstellungen dort, wo sie stehen, und ruf das hier noch einmal auf.',

  pictures: {
    topic: 'Woher die Bilder kommen',
    searching: 'Sucht auf diesem Rechner, was zeichnen kann …',
    asking: 'Fragt dort nach …',
    nothingFound: 'Auf diesem Rechner läuft an der üblichen Adresse nichts, was zeichnen kann.',
    question: 'Wer zeichnet die Bilder?',
    found: { comfyui: 'ComfyUI', sdwebui: 'Stable Diffusion WebUI', openai: 'OpenAI-kompatibler Server' },
    at: (name, url) => `${name} unter ${url}`,
    comfyui: 'ComfyUI, woanders',
    sdwebui: 'Stable Diffusion WebUI oder stable-diffusion.cpp, woanders',
    hosted: 'Ein Anbieter, mit deinem Schlüssel',
    hostedHint: 'kostet Geld',
    horde: 'Freiwillige der AI Horde',
    theHorde: 'Freiwilligen der AI Horde',
    hordeHint: 'kostenlos; Minuten Wartezeit, und Fremde sehen Prompts und Bilder',
    service: 'Ein Bilderdienst, den du schon hast',
    theService: 'dem Bilderdienst',
    sketch: 'Noch niemand: Skizzen, nach Regeln gemalt',
    sketchHint: 'kostenlos, keine KI; jederzeit zu ändern',
    address: 'Die Adresse:',
    notAnAddress: 'Eine Adresse beginnt mit http:// oder https://, zum Beispiel http://127.0.0.1:8188.',
    provider: 'Welcher Anbieter?',
    model: 'Welches Modell?',
    noModel: 'Schreib den Namen eines Modells.',
    key: 'Der Schlüssel (er wird nicht angezeigt):',
    compatible: 'ein Server, der wie OpenAI spricht',
    serverKey: 'Sein Schlüssel (er wird nicht angezeigt; nur Enter, wenn er keinen will):',
    noKey: 'Füg den Schlüssel ein.',
    hordeKey:
      'Dein Schlüssel der AI Horde (er wird nicht angezeigt; 0000000000 gehört allen und kommt zuletzt dran):',
    serviceKey: 'Der Schlüssel, der die Bilder bezahlt (er wird nicht angezeigt; sk- und 48 Zeichen):',
    isSet: (what) => `Die Bilder kommen von ${what}.`,
    chooseAnew: (command) => `Um noch einmal zu wählen, wer zeichnet: ${command}`,
    areSketches: 'Die Bilder sind vorerst Skizzen, nach Regeln gemalt.',
    noAnswer: (url, why) =>
      `Unter ${url} antwortet nichts, was zeichnet (${why}). Starte es, oder nenn eine andere Adresse.`,
    somethingElse: {
      comfyui: (url) => `${url} antwortet, aber nicht wie ein ComfyUI. Nenn eine andere Adresse.`,
      sdwebui: (url) =>
        `${url} antwortet, aber nicht wie eine WebUI. Starte sie mit --api, oder nenn eine andere Adresse.`,
      openai: (url) => `${url} antwortet, aber nicht wie OpenAI. Nenn eine andere Adresse.`,
    },
    needsPassword: {
      comfyui: (url) =>
        `${url} verlangt einen Namen und ein Passwort, und Darkroom fragt ein ComfyUI ohne sie. Lass es diesem Rechner ohne sie antworten, oder nenn eine andere Adresse.`,
      sdwebui: (url) =>
        `${url} verlangt einen anderen Namen und ein anderes Passwort: als http://NAME:PASSWORT@host in SDWEBUI_URL, oder wähl es hier noch einmal.`,
    },
    inAddress: {
      comfyui: 'Lass Namen und Passwort weg: Darkroom fragt ein ComfyUI ohne sie.',
      sdwebui:
        'Lass Namen und Passwort weg: Danach wird gefragt, wenn sie verlangt werden, und sie werden nicht angezeigt.',
      hosted:
        'Lass Namen und Passwort weg: Dieser Server nimmt einen Schlüssel. Nach ihm wird gleich gefragt, und er wird nicht angezeigt.',
      service:
        'Lass Namen und Passwort weg: Dieser Dienst nimmt einen Schlüssel. Nach ihm wird gleich gefragt, und er wird nicht angezeigt.',
    },
    oneAddress: 'Hier geht nur eine Adresse, ohne Komma.',
    wantsKey: 'Dieser Server will einen Schlüssel: Füg ihn ein.',
    refusedKey: 'Dieser Server nimmt den Schlüssel nicht an: Kopier ihn neu, oder mach dort einen neuen.',
    anotherKey: 'Einen anderen Schlüssel eingeben',
    anotherAddress: 'Eine andere Adresse eingeben',
    login: (url) => `Name und Passwort von ${url}, als NAME:PASSWORT (sie werden nicht angezeigt):`,
    badLogin: 'Schreib den Namen, einen Doppelpunkt und das Passwort.',
    mayDraw: 'Ein Probebild zeichnen? Es kostet, was ein Bild kostet.',
    drawing: 'Zeichnet ein Probebild …',
    drawn: (file, seconds, cost) => `Das Probebild ist ${file}. Es hat ${seconds} s gedauert${cost}.`,
    cost: (credits) => ` und ${creditsOf(credits)} gekostet`,
    notThereYet: (why) => `${why || 'Das Bild ist noch nicht da.'} Strg-C beendet das Warten.`,
    mayHaveCost: 'Vielleicht hat es trotzdem Credits gekostet.',
    isStopped: 'Du hast das Warten beendet.',
    notDrawn: (why) => `Es gibt kein Probebild: ${why}`,
    next: 'Und nun?',
    other: 'Noch einmal wählen',
    keep: 'Trotzdem dabei bleiben',
  },

  discord: {
    topic: 'Discord',
    about:
      'Der Bot braucht eine Anwendung von dir bei Discord: Leg sie mit „Neue Anwendung“ an, auf https://discord.com/developers/applications.\nÖffne dann ihre Seite Bot, drück auf „Token zurücksetzen“ und kopiere das Token.',
    token: 'Das Token des Bots (es wird nicht angezeigt):',
    isNoToken: (problem) => `Das ist ${inGerman(problem)}`,
    refused:
      'Discord nimmt dieses Token nicht an. Vielleicht wurde es zurückgesetzt: Drück auf der Seite Bot auf „Token zurücksetzen“ und kopiere das neue.',
    down: (why) => `Discord ist nicht zu erreichen: ${why}. Prüf das Netz und DISCORD_API_URL.`,
    elsewhere: (api) => inGerman(noDiscordAt(api)),
    refuses: (why) =>
      `Discord lehnt ab: ${why}. Prüf DISCORD_APPLICATION_ID und DISCORD_GUILD_ID, und ob der Bot auf diesem Server ist.`,
    limited: (minutes) =>
      `Discord nimmt davon ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'} lang nichts mehr an. Ruf das hier danach noch einmal auf.`,
    unregistered: (why) => `Discord hat die Befehle nicht geändert: ${why}`,
    uncertain: (why) =>
      `Ob Discord die Befehle geändert hat, ist nicht sicher: ${why} Ruf das hier dann noch einmal auf; zweimal schadet nicht.`,
    incomplete: (accepted, sent) =>
      `Discord hat ${accepted} von ${sent} Befehlen angenommen, also fehlen welche. Ruf das hier noch einmal auf.`,
    accepted: (names, guildId) =>
      `Discord hat ${guildId === undefined ? 'überall' : `auf dem Server ${guildId}`} ${names.length} ${names.length === 1 ? 'Befehl' : 'Befehle'} angenommen: ${names.join(', ')}`,
    removed: (guildId) =>
      guildId === undefined
        ? 'Die überall registrierten Befehle sind entfernt; die einzelner Server bleiben.'
        : `Die Befehle des Servers ${guildId} sind entfernt; die überall registrierten bleiben.`,
    knows: (name) => `Discord kennt das Token: Es gehört ${name}.`,
    needs: (permissions) =>
      `Er braucht keinen privilegierten Intent und diese Berechtigungen: ${permissions.join(', ')}. Er postet Bilder dort, wo man ihn darum bittet, und findet seine Nachrichten wieder.`,
    invite: (url) =>
      `Hol den Bot über diese Adresse auf deinen Server; mit Strg-C geht es ohne weiter:\n${url}`,
    waiting: 'Wartet, bis er auf einem Server ist …',
    isIn: (guild) => `Er ist auf „${guild}“.`,
    notIn: 'Er ist noch auf keinem Server. Du kannst ihn jederzeit über die Adresse oben hinzufügen.',
    askAgain: 'Mit diesem Token noch einmal versuchen',
    otherToken: 'Ein anderes Token eingeben',
    retry: 'Weiter warten',
    registering: 'Registriert die Befehle …',
    registered: (count) =>
      `${count} Befehle sind registriert. Discord zeigt sie innerhalb einer Minute; lade es sonst neu.`,
  },

  doctor: {
    names: {
      token: 'Token',
      application: 'Anwendung',
      commands: 'Befehle',
      clock: 'Uhr',
      service: 'Bilderdienst',
      key: 'Schlüssel',
      pictures: 'Bilder',
      engines: 'Zeichner',
      'service database': 'Datenbank des Dienstes',
      store: 'Datenbank',
      secret: 'Geheimnis',
      'file modes': 'Dateirechte',
      unit: 'Unit',
    },
    noToken: (setup) => `DISCORD_TOKEN ist nicht gesetzt. ${setup} fragt danach. ${inGerman(WHERE_TOKEN_IS)}`,
    withoutToken: 'ohne DISCORD_TOKEN nicht angesehen.',
    withoutService: 'nicht angesehen, solange der Dienst nicht antwortet.',
    known: (name) => `Discord kennt es als das von ${name}`,
    otherApplication: (set, real) =>
      `DISCORD_APPLICATION_ID ist ${set}, aber das Token gehört zu ${real}. Lass die Einstellung weg, oder kopiere das Token jener Anwendung.`,
    upToDate: (count) => `alle ${count} sind registriert und auf dem neuesten Stand`,
    outdated: (names, command) =>
      `${names.join(', ')}: nicht registriert oder von einer anderen Version. Abhilfe: ${command}.`,
    rightTime: 'geht wie die von Discord',
    noTime: 'Discord sagt nicht, wie spät es ist. Prüf DISCORD_API_URL.',
    wrongTime: (aheadSeconds) =>
      `dieser Rechner geht gegenüber Discord ${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'vor' : 'nach'}. Schalt NTP ein: timedatectl set-ntp true.`,
    includedService: 'der eingebaute, im Prozess des Bots',
    answers: 'antwortet',
    serviceDown: (kind) =>
      `keine brauchbare Antwort (${ANSWERS[kind]}). Prüf IMAGE_API_URL, und ob der Dienst läuft.`,
    redirected: (to) =>
      `er leitet weiter nach ${to}, und kein Schlüssel wird mitgeschickt. Setz IMAGE_API_URL auf die Adresse, die der Dienst dort hat.`,
    noKey: 'kein IMAGE_API_KEY: Mitglieder und Server verknüpfen eigene Schlüssel',
    includedKey: 'wird vom eingebauten Dienst geprüft, bei seinem ersten Bild',
    acceptedKey: 'der Dienst nimmt IMAGE_API_KEY an',
    refusedKey: 'der Dienst nimmt IMAGE_API_KEY nicht an. Kopier den Schlüssel neu, oder mach einen neuen.',
    sharp: 'lassen sich auf diesem Rechner lesen',
    noSharp: (why) =>
      `keins lässt sich auf diesem Rechner lesen, und so würde jedes bezahlt und keins gezeigt: ${why}`,
    sketches: 'die Bilder werden skizziert',
    notYetMade: 'wird beim ersten Start angelegt',
    closedFolder: (folder) =>
      `${folder} ist nicht beschreibbar. Gib den Ordner dem Benutzer, unter dem der Bot läuft: chown.`,
    outdatedDatabase: 'wird beim nächsten Start auf den Stand dieser Version gebracht',
    readyDatabase: 'ist samt den Bildern beschreibbar und öffnet sich mit dem Geheimnis',
    writableStore: 'ist beschreibbar',
    givenSecret: (secret) => `${secret}, womit der erste Start versiegelt`,
    lostSecret: (file) =>
      `weder SECRET_KEY noch ${file} ist da. Stell das Geheimnis zurück, das die Datenbank versiegelt hat; ohne es sind verknüpfte Schlüssel verloren.`,
    rightSecret: 'öffnet, was versiegelt ist',
    closedFiles: (file, folder) => `${file} und ${folder} gehören ihrem Besitzer allein`,
    unknownModes: (file, folder) =>
      `unter Windows sagen sie nichts, und wurden nicht geprüft: ${file} und ${folder} gehören in deinen Benutzerordner, der anderen Benutzern verschlossen ist`,
    openFiles: (files, command) =>
      `andere Benutzer dieses Rechners können ${files.join(', ')} lesen. Abhilfe: ${command}.`,
    sameUnit: 'die Unit, die systemd hat, ist die dieser Version',
    oldUnit: (file, name, { different, renewal }) =>
      `${file} ist nicht die dieser Version, und zwar in: ${different.join(', ')}. Eigene Einstellungen gehören in eine eigene Datei: sudo systemctl edit ${name}. Erneuere die Unit: ${renewal}, und sobald sie eingesetzt ist: sudo systemctl daemon-reload && sudo systemctl restart ${name}.`,
  },

  payer: {
    topic: 'Wer bezahlt',
    question: 'Jedes Bild kostet Credits des eingebauten Dienstes. Wer bezahlt?',
    everybody: 'Der Bot, für alle',
    everybodyHint: 'mit eigenem Konto; höchstens 500 Bilder am Tag, in .env zu ändern',
    members: 'Jedes Mitglied, mit eigenem Schlüssel',
    membersHint: (command) => `du legst für jedes ein Konto an: ${command}`,
    making: 'Legt sein Konto an …',
    made: (account, credits) =>
      `Das Konto ${account} des eingebauten Dienstes hat ${creditsOf(credits)}, und sein Schlüssel bezahlt (IMAGE_API_KEY).`,
    notMade: (why) => `Das Konto lässt sich nicht anlegen. ${why}`,
    isSet: 'IMAGE_API_KEY bezahlt für alle.',
  },

  secretMade:
    'Ein Geheimnis, das Schlüssel und Token auf der Platte versiegelt, ist angelegt (SECRET_KEY). Heb eine Kopie auf: Ohne sie sind sie nicht mehr zu lesen.',

  trying: {
    question: 'Gleich ausprobieren? Der Bot startet, und du schreibst /imagine auf deinem Server.',
    starting: 'Startet den Bot …',
    begun: 'Der Bot ist auf Discord: Schreib dort /imagine ein roter Fuchs. Mit Strg-C geht es ohne weiter.',
    waiting: 'Wartet auf das Bild …',
    stopping: 'Hält den Bot an …',
    came: 'Das Bild ist im Kanal.',
    noPicture: 'Der Bot hat geantwortet, aber ohne Bild: Warum, steht in seiner Antwort auf Discord.',
    notYet: 'In zehn Minuten kam kein Bild. Ist /imagine zu sehen? Lade Discord neu.',
    failed: (why) => `Der Bot startet nicht: ${why}`,
    portTaken: (port) => `Port ${port} ist vergeben, vielleicht an ein Darkroom, das schon läuft.`,
    port: 'Ein anderer Port für seinen Bilderdienst:',
    notAPort: (last) => `Ein Port ist eine Zahl von 0 bis ${last}; 0 nimmt einen freien.`,
  },

  run: {
    topic: 'Starten',
    question: 'Wie soll der Bot laufen?',
    npm: 'Hier, in einem Terminal',
    systemd: 'Als Dienst dieses Rechners (systemd)',
    docker: 'In Containern (Docker Compose)',
    otherUnit: (file, name) =>
      `${file} gehört nicht dem Bot in diesem Ordner und bleibt, wie sie ist: Die Unit dieses Bots heißt ${name}.`,
    unit: (path, installed) =>
      `Sieh dir ${path} an und setz sie dann ein:\nsudo install -m 0644 ${path} ${installed}`,
    by: (command) => `Starten: ${command}`,
    otherAccounts:
      'IMAGE_API_KEY ist der Schlüssel eines Kontos auf diesem Rechner; der Dienst im Container hat eigene Konten.',
    listening:
      'Was auf diesem Rechner selbst läuft, muss auch für Container erreichbar sein und nicht nur auf 127.0.0.1: ComfyUI mit --listen 0.0.0.0, eine WebUI mit --listen. Lass niemand anderen an seinen Port.',
    account: (command) =>
      `Danach ein Konto anlegen und sein Login-Token in das Formular von /apikey generate eingeben: ${command}`,
    looking: 'Sieht nach, ob alles stimmt …',
    notWell: (doctor) => `Behebe, was oben markiert ist, und sieh dann noch einmal nach: ${doctor}.`,
  },
};

import type { Words } from './en.ts';

export const de: Words = {
  yes: 'Ja',
  no: 'Nein',
  begin: (path) =>
    `Darkroom wird eingerichtet. Deine Antworten stehen danach in ${path}. Strg-C hält an; was bis dahin beantwortet ist, bleibt.`,
  stopped: 'Angehalten. Ein neuer Aufruf macht dort weiter.',
  replace: (name, before, after) => `${name} ist ${before}. Durch ${after} ersetzen?`,
  aSecret: 'ein anderes Geheimnis',
  nothing: 'nichts',
  kept: (names) => `Aufgeschrieben: ${names.join(', ')}.`,
  backup: (path) => `Die Einstellungen von vorher stehen in ${path}.`,
  missing: 'Es gibt kein Terminal zum Fragen, und diese Antworten fehlen:',
  missingPictures:
    'woher die Bilder kommen: --comfyui-url, --hosted-model, --image-api-url oder --sketch; SDWEBUI_URL oder AI_HORDE_KEY in der Umgebung',
  missingToken: 'das Token des Bots: DISCORD_TOKEN in der Umgebung',

  pictures: {
    topic: 'Woher die Bilder kommen',
    searching: 'Sucht auf diesem Rechner, was zeichnen kann …',
    question: 'Wer zeichnet die Bilder?',
    found: { comfyui: 'ComfyUI', webui: 'Stable Diffusion WebUI', openai: 'OpenAI-kompatibler Server' },
    at: (name, url) => `${name} unter ${url}`,
    comfyui: 'ComfyUI, woanders',
    webui: 'Stable Diffusion WebUI oder stable-diffusion.cpp, woanders',
    hosted: 'Ein Anbieter, mit deinem Schlüssel',
    hostedHint: 'kostet Geld',
    horde: 'Freiwillige der AI Horde',
    theHorde: 'Freiwilligen der AI Horde',
    hordeHint: 'kostenlos; Minuten Wartezeit, und Fremde sehen Prompts und Bilder',
    service: 'Ein Bilddienst, den du schon hast',
    theService: 'dem Bilddienst',
    sketch: 'Noch niemand: Skizzen, nach Regeln gemalt',
    sketchHint: 'kostenlos, keine KI; jederzeit zu ändern',
    address: 'Die Adresse:',
    notAnAddress: 'Eine Adresse beginnt mit http:// oder https://, zum Beispiel http://127.0.0.1:8188.',
    provider: 'Welcher Anbieter?',
    model: 'Welches Modell?',
    noModel: 'Schreib den Namen eines Modells.',
    key: 'Der Schlüssel (er wird nicht angezeigt):',
    noKey: 'Füg den Schlüssel ein.',
    hordeKey:
      'Dein Schlüssel der AI Horde (er wird nicht angezeigt; 0000000000 gehört allen und kommt zuletzt dran):',
    serviceKey: 'Der Schlüssel, der die Bilder bezahlt (er wird nicht angezeigt; sk- und 48 Zeichen):',
    badServiceKey: 'Ein Schlüssel ist sk- und danach 48 Zeichen von 0 bis 9 und a bis f.',
    isSet: (what) => `Die Bilder kommen von ${what}.`,
    areSketches: 'Die Bilder sind vorerst Skizzen, nach Regeln gemalt.',
    noAnswer: (url, why) =>
      `Unter ${url} antwortet nichts, was zeichnet (${why}). Starte es, oder nenn eine andere Adresse.`,
    needsPassword: (url) => `${url} verlangt Namen und Passwort: http://NAME:PASSWORT@host.`,
    mayDraw: 'Ein Probebild zeichnen? Es kostet, was ein Bild kostet.',
    drawing: 'Zeichnet ein Probebild …',
    drawn: (file, seconds, cost) => `Das Probebild ist ${file}. Es hat ${seconds} s gedauert${cost}.`,
    cost: (credits) => ` und ${credits} ${credits === '1' ? 'Credit' : 'Credits'} gekostet`,
    notDrawn: (why) => `Es gibt kein Probebild: ${why}`,
    next: 'Und nun?',
    other: 'Noch einmal wählen',
    keep: 'Trotzdem dabei bleiben',
  },

  discord: {
    topic: 'Discord',
    about:
      'Der Bot braucht eine Anwendung von dir bei Discord: Leg sie auf https://discord.com/developers/applications an.\nÖffne dort die Seite Bot, drück auf „Token zurücksetzen“ und kopiere das Token.',
    token: 'Das Token des Bots (es wird nicht angezeigt):',
    instead: {
      prefix: 'Lass das Wort „Bot“ vor dem Token weg.',
      applicationId:
        'Das ist die ID einer Anwendung. Das Token steht auf der Seite Bot: „Token zurücksetzen“.',
      publicKey:
        'Das ist der öffentliche Schlüssel einer Anwendung. Das Token steht auf der Seite Bot: „Token zurücksetzen“.',
      clientSecret:
        'Das sieht nach dem Client Secret aus. Das Token steht auf der Seite Bot: „Token zurücksetzen“.',
      quotes: 'Lass die Anführungszeichen weg.',
      other: 'Das ist kein Bot-Token. Es steht auf der Seite Bot deiner Anwendung: „Token zurücksetzen“.',
    },
    refused:
      'Discord nimmt dieses Token nicht an. Vielleicht wurde es zurückgesetzt: Drück auf der Seite Bot auf „Token zurücksetzen“ und kopiere das neue.',
    away: (why) => `Discord ist nicht zu erreichen: ${why}. Prüf das Netz und ruf das hier noch einmal auf.`,
    knows: (name) => `Discord kennt das Token: Es gehört ${name}.`,
    needs: (permissions) =>
      `Er braucht keinen privilegierten Intent und diese Rechte: ${permissions.join(', ')}. Er postet Bilder dort, wo man ihn darum bittet, und findet seine Nachrichten wieder.`,
    invite: (url) => `Hol den Bot über diese Adresse auf deinen Server:\n${url}`,
    waiting: 'Wartet, bis er auf einem Server ist …',
    isIn: (guild) => `Er ist auf „${guild}“.`,
    notIn: 'Er ist noch auf keinem Server. Du kannst ihn jederzeit über die Adresse oben hinzufügen.',
    askAgain: 'Mit diesem Token noch einmal versuchen',
    otherToken: 'Ein anderes Token eingeben',
    retry: 'Weiter warten',
    skip: 'Ohne das weitermachen',
    registering: 'Meldet die Befehle an …',
    registered: (count) =>
      `${count} Befehle sind angemeldet. Discord zeigt sie innerhalb einer Minute; lade es sonst neu.`,
  },

  payer: {
    topic: 'Wer bezahlt',
    question: 'Jedes Bild kostet Credits des eingebauten Dienstes. Wer bezahlt?',
    everybody: 'Der Bot, für alle',
    everybodyHint: 'mit eigenem Konto; höchstens 500 Bilder am Tag, in .env zu ändern',
    members: 'Jedes Mitglied, mit eigenem Schlüssel',
    membersHint: 'du legst für jedes ein Konto an: darkroom service account add NAME',
    made: (account, credits) =>
      `Das Konto ${account} des eingebauten Dienstes hat ${credits} Credits, und sein Schlüssel bezahlt (IMAGE_API_KEY).`,
    isSet: 'IMAGE_API_KEY bezahlt für alle.',
  },

  secretMade:
    'Ein Geheimnis, das Schlüssel und Token auf der Platte versiegelt, ist angelegt (SECRET_KEY). Heb eine Kopie auf: Ohne sie sind sie nicht mehr zu lesen.',

  trying: {
    question: 'Gleich ausprobieren? Der Bot startet, und du schreibst /imagine auf deinem Server.',
    waiting: 'Der Bot ist auf Discord: Schreib dort /imagine ein roter Fuchs …',
    came: 'Das Bild ist im Kanal.',
    notYet:
      'In zehn Minuten kam kein Bild. Ist /imagine zu sehen? Lade Discord neu und starte den Bot mit dem Befehl unten.',
    failed: (why) => `Der Bot startet nicht: ${why}`,
  },

  run: {
    topic: 'Starten',
    question: 'Wie soll der Bot laufen?',
    npm: 'Hier, in einem Terminal',
    systemd: 'Als Dienst dieses Rechners (systemd)',
    docker: 'In Containern (Docker Compose)',
    unit: (path) =>
      `Sieh dir ${path} an und setz sie dann ein:\nsudo install -m 0644 ${path} /etc/systemd/system/darkroom.service`,
    by: (command) => `Starten: ${command}`,
    account: (command) =>
      `Danach ein Konto anlegen und seinen Schlüssel in Discord mit /apikey verbinden: ${command}`,
    notWell: 'Behebe, was oben markiert ist, und sieh dann noch einmal nach: npm run doctor.',
  },
};

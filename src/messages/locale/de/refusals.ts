import type { Texts } from '../en.ts';
import { either, list, number } from './formats.ts';

/** As Discord's settings name them. */
export const permissions: Texts['permissions'] = {
  ViewChannel: 'Kanal ansehen',
  SendMessages: 'Nachrichten senden',
  AttachFiles: 'Dateien anhängen',
  EmbedLinks: 'Links einbetten',
  ReadMessageHistory: 'Nachrichtenverlauf anzeigen',
  SendMessagesInThreads: 'Nachrichten in Threads senden',
  Connect: 'Verbinden',
};

export const failure: Texts['failure'] = {
  heading: (prompt) => `**${prompt}** hat nicht geklappt`,
  someFailed: (failed, all, explained) =>
    `${failed} von ${all} Bildern ${failed === 1 ? 'hat' : 'haben'} nicht geklappt${explained ? ':' : '.'}`,
  tooFewCredits: (required, balance) =>
    `Zu wenig Credits: Ein Bild kostet **${number(required)}**, du hast **${number(balance)}**.`,
  references: (references) => `${references.length === 1 ? 'Kennung' : 'Kennungen'} ${references.join(', ')}`,
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
    timeout: 'Der Bilderdienst hat zu lange nicht geantwortet. Versuche es in ein paar Minuten noch einmal.',
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
    withheld: 'Der Bilderdienst hat dieses Bild abgebrochen und gibt es nicht heraus.',
    'timed-out': 'Der Bilderdienst wurde nicht rechtzeitig fertig; ich warte nicht mehr auf dieses Bild.',
    'given-up':
      'Der Bilderdienst wurde nicht rechtzeitig fertig. Ich habe ihn aufhören lassen; es hat nichts gekostet.',
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
      'Zwei Stunden lang kam es nicht an die Reihe: Zu viel anderes wartete, oder der Bilderdienst nahm es nicht an. Es hat nichts gekostet.',
    'input-gone':
      'Das Bild, von dem es ausgeht, ist abgelaufen oder nicht mehr da. Es hat nichts gekostet: Geh noch einmal davon aus.',
    'input-unreadable':
      'Der Bilderdienst kann dieses Bild nicht lesen. Es hat nichts gekostet: Nimm eine ganze PNG-, JPEG- oder WebP-Datei.',
    'input-too-large':
      'Dieses Bild hat zu viele Bytes oder Pixel. Es hat nichts gekostet: Nimm eines mit höchstens 10 MiB und 24 Megapixeln.',
    'result-too-large':
      'Das würde größer, als Bilder hier sein dürfen. Es hat nichts gekostet: Nimm ein kleineres Bild.',
    unsupported: 'Der Bilderdienst kann das mit diesem Bild nicht machen. Es hat nichts gekostet.',
    restarted:
      'Dieser Bot wurde neu gestartet oder war weg, bevor es gesendet wurde; es hat nichts gekostet.',
    internal:
      'Bei uns ist etwas schiefgegangen. Versuche es noch einmal; bleibt es so, nenne dem Betreiber dieses Bots die Kennung.',
  },
};

export const rules: Texts['rules'] = {
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
    'In altersbeschränkten Kanälen gehen eigene Bilder nur, wenn der Kanal dafür in `/settings panel` unter **Eigene Bilder: Kanäle** ausgewählt ist.',
  ownPictureChannels: (channels) => `Eigene Bilder gehen nur in ${channels.join(', ')}.`,
  ownPictureRoles: (roles) => `Für eigene Bilder brauchst du hier eine dieser Rollen: ${roles.join(', ')}.`,
  largestSize: (size, largest) =>
    `Bilder dürfen hier nicht mehr Pixel haben als ${largest}, und dieses hätte ${size}. Wähle eine kleinere \`size\`.`,
  mostSteps: (steps, most) =>
    `\`steps\` darf hier höchstens ${most} sein, und hier wären es ${steps}. Nimm weniger.`,
  workflow: (workflow, allowed) =>
    `Dieser Server erlaubt den Workflow **${workflow}** nicht. Nimm ${either.format(allowed)}.`,
  blockedWord: (word) => `Dieser Server erlaubt **${word}** nicht. Versuche es mit anderen Worten.`,
};

export const limits: Texts['limits'] = {
  openRequests: (limit) =>
    limit === 1
      ? 'Bei dir läuft schon ein Auftrag, und mehr als einer auf einmal geht nicht. Warte auf ihn, oder brich ihn in `/jobs` ab.'
      : `Bei dir laufen schon ${limit} Aufträge, und mehr gehen nicht auf einmal. Warte auf einen, oder brich einen in \`/jobs\` ab.`,
  reached: (limited, per, limit, ends) => {
    const most = `${number(limit)} ${per === 'credit' ? (limit === 1 ? 'Credit' : 'Credits') : limit === 1 ? 'Bild' : 'Bildern'}`;
    const whose = {
      member: `Damit kämst du über dein Limit von ${most}.`,
      guild: `Damit käme dieser Server über sein Limit von ${most}.`,
      share: `Damit kämst du über dein Limit von ${most} mit dem Schlüssel dieses Servers.`,
      key: `Damit käme der gemeinsame Schlüssel über sein Budget von ${most}.`,
    }[limited];
    const own =
      limited === 'share' || limited === 'key' ? ' Mit einem eigenen Schlüssel bezahlst du selbst.' : '';
    return `${whose} Zurückgesetzt wird es ${ends}.${own}`;
  },
};

export const refusal: Texts['refusal'] = {
  needsModerateMembers: 'Dafür brauchst du die Berechtigung **Mitglieder im Timeout**.',
  integerRange: (field, min, max) => `\`${field}\` muss eine ganze Zahl von ${min} bis ${max} sein.`,
  numberRange: (field, min, max) => `\`${field}\` muss eine Zahl von ${min} bis ${max} sein.`,
  size: (presets, min, max) =>
    `\`size\` kann ein fertiges Format (${presets.join(', ')}), ein Seitenverhältnis wie \`3:2\` oder eine Größe in Pixeln wie \`1024x768\` sein, jede Seite von ${min} bis ${max}.`,
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
  interrupted:
    'Ich wurde gerade unterbrochen. Es wurde nichts gesendet. Versuche es in ein paar Sekunden noch einmal.',
  unreadableKey: 'Dein verknüpfter Schlüssel ist hier nicht mehr lesbar. Verknüpfe ihn noch einmal.',
  unreadableServerKey:
    'Der Schlüssel dieses Servers ist hier nicht mehr lesbar. Wer den Server verwaltet, muss ihn mit `/apikey server link` noch einmal verknüpfen.',
  secretInText:
    'Darin steht ein API-Schlüssel oder ein Login-Token. Es wurde nichts gesendet oder gespeichert, aber andere können es gesehen haben: Widerrufe einen Schlüssel mit `/apikey revoke`, wenn es dein verknüpfter ist, sonst beim Bilderdienst, und lass dir dort ein anderes Login-Token geben. Tippe beides nur in die Formulare von `/apikey`.',
  keyForToken:
    'Das ist ein Schlüssel und kein Login-Token. Es wurde nichts gesendet. Einen Schlüssel verknüpft `/apikey link`.',
  tooManyAttempts: (until) => `Zu viele Versuche. Versuche es ${until} noch einmal.`,
  notOfServer: 'Diese Rolle gehört nicht zu diesem Server.',
  unseen: (channel) =>
    `Ich sehe ${channel} nicht. Erlaube mir dort **${permissions.ViewChannel}** und **${permissions.SendMessages}** und wähle ihn noch einmal, oder wähle einen anderen. Es wurde nichts geändert.`,
  botNotInServer:
    'Ich bin kein Mitglied dieses Servers, deshalb könnte sein Schlüssel hier nicht zahlen. Füge mich zuerst dem Server hinzu.',
  nothingKeptHere:
    'Ich bin kein Mitglied dieses Servers, deshalb könnte ich seine Einstellungen nicht behalten. Füge mich zuerst dem Server hinzu.',
  noVisibleKey: (mention) =>
    `${mention} hat keinen Schlüssel verknüpft, oder zeigt dir dessen Credits nicht.`,
  memberKeyRejected: (mention) => `Der Bilderdienst nimmt den Schlüssel von ${mention} nicht mehr an.`,
  missingPermissions: (missing) =>
    `Ich brauche hier ${list.format(missing.map((name) => `**${permissions[name]}**`))}. Wer diesen Kanal verwaltet, kann das erlauben.`,
  mayNotWrite:
    'Du darfst in diesem Kanal nicht schreiben, deshalb zeige ich hier für dich kein Bild, das alle sehen. Ein privates geht weiterhin.',
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
    'Dieser Button oder dieses Formular ist aus einer älteren Version. Nimm den Befehl noch einmal.',
};

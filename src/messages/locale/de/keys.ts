import type { Texts } from '../en.ts';
import { boldCredits, list, number } from './formats.ts';

const of = (username: string | undefined): string => (username === undefined ? '' : ` von **${username}**`);

export const balance: Texts['balance'] = {
  show: 'Guthaben zeigen',
  own: (credits) => `Du hast ${boldCredits(credits)}.`,
  ofGuild: (credits, username) =>
    `Das Konto${username === undefined ? '' : ` **${username}**`} dieses Servers hat ${boldCredits(credits)}.`,
  guildPays: 'Der Schlüssel dieses Servers zahlt für deine Bilder.',
  operatorPays: 'Der Betreiber dieses Bots zahlt für deine Bilder.',
  paidWith: (key, username) => `Hier zahlt der Schlüssel \`${key}\`${of(username)} für deine Bilder.`,
  allowance: (pictures, until) =>
    `Du kannst hier noch **${pictures}** ${pictures === 1 ? 'Bild' : 'Bilder'} anfordern; zurückgesetzt wird das ${until}.`,
  today: (own, all, credits) =>
    `Bilder heute auf diesem Server: **${own}** von diesem Mitglied, ${all} insgesamt. Gemeinsame Schlüssel zahlten ${boldCredits(credits)}.`,
  lastPictures: 'Was deine letzten Bilder gekostet haben:',
  cost: (credits, prompt) => `- **${number(credits)}** · ${prompt}`,
  ofMember: (mention, credits) => `${mention} hat ${boldCredits(credits)}.`,
};

export const firstKey: Texts['firstKey'] = {
  needed: 'Für Bilder brauchst du einen API-Schlüssel: Er bezahlt sie mit deinen Credits beim Bilderdienst.',
  goesOn: 'Danach wird dein Bild gleich gemacht.',
};

export const apiKey: Texts['apiKey'] = {
  create: 'Schlüssel anlegen',
  link: 'Schlüssel verknüpfen',
  linkForServer: 'Schlüssel für den Server verknüpfen',
  linkForm: {
    title: 'Schlüssel verknüpfen',
    label: 'Ein Schlüssel des Bilderdienstes',
    description: 'Nur dieser Bot liest ihn; er wird verschlüsselt gespeichert.',
    placeholder: 'sk-…',
  },
  generateForm: {
    title: 'Schlüssel anlegen',
    label: 'Dein Login-Token des Bilderdienstes',
    description: 'Damit wird einmal ein Schlüssel angelegt; es wird nicht gespeichert.',
  },
  revokeForm: {
    title: 'Schlüssel widerrufen',
    label: 'Dein Login-Token des Bilderdienstes',
    description: 'Damit wird einmal der Schlüssel widerrufen; es wird nicht gespeichert.',
  },
  consent: {
    label: 'Darf die Verwaltung deine Credits sehen?',
    description: 'Den Schlüssel sehen sie nie. Wer nachsah, zeigt /apikey show; dort änderst du es auch.',
    yes: 'Ja, wer hier „Server verwalten“ darf',
    no: 'Nein, nur ich sehe sie',
  },
  linked: (key, username) =>
    `Der Schlüssel \`${key}\`${of(username)} ist verknüpft und zahlt für deine Bilder.`,
  replaced: (owner, key, username) => {
    const told = `Er ersetzt \`${key}\`${of(username)}: Der ist hier gelöscht, **bleibt beim Bilderdienst aber gültig**, bis ihn dort jemand widerruft.`;
    return owner === 'guild'
      ? told
      : `${told} \`/apikey revoke\` kann alle Schlüssel eines Kontos widerrufen.`;
  },
  shown: (key, username, since) => `Der Schlüssel \`${key}\`${of(username)} ist seit ${since} verknüpft.`,
  visibleTo: (here, elsewhere) => {
    const servers =
      elsewhere === 1
        ? `auf einem ${here ? 'anderen ' : ''}Server, auf dem du es erlaubt hast,`
        : `auf ${elsewhere} ${here ? 'anderen ' : ''}Servern, auf denen du es erlaubt hast,`;
    const where = [...(here ? ['hier'] : []), ...(elsewhere > 0 ? [servers] : [])];
    return where.length === 0
      ? 'Niemand sonst kann seine Credits sehen.'
      : `Außer dir kann nur, wer ${list.format(where)} „Server verwalten“ darf, seine Credits sehen, nie den Schlüssel.`;
  },
  reveal: 'Der Verwaltung hier meine Credits zeigen',
  hide: 'Meine Credits vor der Verwaltung verbergen',
  lookedAt: (by, moment) => `${by} hat ${moment} nachgesehen.`,
  rejectedSince: (moment, command) =>
    `Der Bilderdienst nimmt ihn nicht mehr an; das fiel ${moment} auf. Verknüpfe einen anderen mit ${command}.`,
  linkCommand: { member: '`/apikey link`', guild: '`/apikey server link`' },
  notStored: 'Der Schlüssel wurde nicht gespeichert.',
  readOnTheWay:
    'Vorsicht: Dieser Bot erreicht den Bilderdienst unverschlüsselt, Schlüssel sind unterwegs lesbar. Ändern kann das, wer den Bot betreibt.',
  linkedForServer: (key, username) =>
    `Der Schlüssel \`${key}\`${of(username)} ist verknüpft. Er zahlt auf diesem Server für alle, die keinen haben; \`/apikey server settings\` setzt Limits.`,
  shownForServer: (key, username, since) =>
    `Der Schlüssel \`${key}\`${of(username)} ist seit ${since} für diesen Server verknüpft.`,
  terms: {
    logged: {
      keyRole: 'Serverschlüssel: Rolle',
      keyMemberDay: 'Serverschlüssel: Bilder je Mitglied und Tag',
      keyWarningChannel: 'Serverschlüssel: Kanal für Warnungen',
      keyWarningBelow: 'Serverschlüssel: Credits, unter denen gewarnt wird',
    },
    who: (role) => (role === undefined ? 'Alle hier dürfen ihn nutzen.' : `Nur ${role} darf ihn nutzen.`),
    perMember: (pictures) =>
      pictures === undefined
        ? 'Für Mitglieder gibt es kein Limit.'
        : `Ein Mitglied darf damit ${pictures} ${pictures === 1 ? 'Bild' : 'Bilder'} am Tag machen.`,
    perServer: (pictures) =>
      pictures === undefined
        ? 'Für den Server gibt es kein Limit.'
        : `Alle zusammen dürfen damit ${pictures} ${pictures === 1 ? 'Bild' : 'Bilder'} am Tag machen.`,
    warning: (warning) =>
      warning === undefined
        ? 'Niemand wird gewarnt, wenn die Credits knapp werden.'
        : `In ${warning.channel} wird einmal gewarnt, wenn weniger als ${number(warning.below)} ${warning.below === 1 ? 'Credit übrig ist' : 'Credits übrig sind'}.`,
  },
  lowCredits: (credits, below) =>
    `Der Schlüssel dieses Servers hat noch ${boldCredits(credits)}, weniger als ${number(below)}. Lade ihn auf, oder verknüpfe einen anderen mit \`/apikey server link\`. Ich sage das nur einmal.`,
  warningNeedsBoth: 'Zum Warnen brauche ich `channel` und `credits`.',
  none: 'Du hast keinen Schlüssel verknüpft. `/apikey link` verknüpft einen; `/apikey generate` legt einen mit deinem Login-Token an.',
  noneForServer: 'Dieser Server hat keinen Schlüssel verknüpft. `/apikey server link` verknüpft einen.',
  confirmRevoke: (key, username) =>
    `Den Schlüssel \`${key}\`${of(username)} widerrufen, oder alle Schlüssel dieses Kontos? Was widerrufen ist, gilt nirgends mehr, sofort und für immer. Der Schlüssel wird hier entfernt.`,
  lostByRevoking: (pictures) =>
    pictures === 1
      ? 'Beim Widerrufen geht **1** Bild verloren, das gerade entsteht; vielleicht kostet es trotzdem Credits.'
      : `Beim Widerrufen gehen **${pictures}** Bilder verloren, die gerade entstehen; vielleicht kosten sie trotzdem Credits.`,
  revoke: 'Diesen Schlüssel widerrufen',
  revokeAll: 'Alle widerrufen',
  unchanged: 'Es wurde nichts geändert.',
  linkedMeanwhile:
    'Es wurde nichts geändert: Seitdem kann ein anderer Schlüssel verknüpft worden sein. Dies ist der, der jetzt verknüpft ist.',
  revoked: (key) => `Der Schlüssel \`${key}\` ist widerrufen und hier entfernt.`,
  revokedAll: 'Alle Schlüssel des Kontos sind widerrufen, und deiner ist hier entfernt.',
  notRevoked: (key) =>
    `Der Bilderdienst hat Ja gesagt, nimmt den Schlüssel \`${key}\` aber weiter an: Widerrufe ihn beim Bilderdienst selbst. Hier bleibt er verknüpft, bis du ihn entfernst.`,
  revokeWithToken: 'Der Bilderdienst will dafür dein Login-Token.',
  enterToken: 'Login-Token eingeben',
  unlink: 'Entfernen',
  confirmUnlink: {
    member: (key, username) =>
      `Den Schlüssel \`${key}\`${of(username)} hier entfernen? Hier wird er gelöscht, **beim Bilderdienst bleibt er gültig**: Wer ihn hat, kann ihn weiter benutzen. Widerrufen beendet auch das.`,
    guild: (key, username) =>
      `Den Schlüssel \`${key}\`${of(username)} dieses Servers entfernen? Hier wird er gelöscht, **beim Bilderdienst bleibt er gültig**, bis ihn dort jemand widerruft. Mitglieder ohne eigenen Schlüssel können dann keine Bilder mehr machen, außer der Betreiber dieses Bots bezahlt.`,
  },
  unlinked: (owner) =>
    `${owner === 'guild' ? 'Der Schlüssel dieses Servers' : 'Dein Schlüssel'} ist hier entfernt und gelöscht. Was gerade entsteht, wird noch mit ihm bezahlt, und Sicherungen dieses Bots enthalten ihn, bis sie weggeworfen werden.`,
};

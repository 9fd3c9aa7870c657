import type { Texts } from '../en.ts';

export const moderate: Texts['moderate'] = {
  blocked: (mention, until) =>
    until === undefined
      ? `${mention} kann auf diesem Server keine Bilder mehr anfordern. \`/moderate unblock\` ändert das.`
      : `${mention} kann auf diesem Server keine Bilder mehr anfordern. Das endet ${until}.`,
  unblocked: (mention) => `${mention} kann wieder Bilder anfordern.`,
  notBlocked: (mention) => `${mention} ist nicht gesperrt.`,
  stopped: (jobs) =>
    jobs === 0
      ? 'Auf diesem Server läuft gerade nichts.'
      : `${jobs === 1 ? 'Ein Auftrag wurde' : `${jobs} Aufträge wurden`} abgebrochen. Was der Bilderdienst schon fertig hat, wird noch gezeigt.`,
  nextReport: 'Nächste Meldung',
  noReports: (channel) =>
    channel === undefined
      ? 'Kein gemeldetes Bild wartet auf dich.'
      : `Kein gemeldetes Bild wartet auf dich. Neue Meldungen kommen in ${channel}.`,
};

export const report: Texts['report'] = {
  report: 'Melden',
  form: {
    title: 'Dieses Bild melden',
    label: 'Was stimmt damit nicht?',
    description: 'Die Moderatoren dieses Servers sehen es, mit deinem Namen.',
  },
  noReason: 'Sag in ein paar Worten, was mit dem Bild nicht stimmt, und melde es dann noch einmal.',
  gone: 'Dieses Bild lässt sich hier nicht melden: Es ist zu alt oder stammt von woanders. Sag es einem Moderator direkt.',
  forgotten: 'Über dieses Bild weiß ich nichts mehr. Steht es noch da, lösch es selbst in Discord.',
  filed: 'Danke. Die Moderatoren dieses Servers sehen jetzt deine Meldung.',
  known: 'Dieses Bild hast du schon gemeldet.',
  full: 'Du hast in dieser Stunde viele Bilder gemeldet. Sag es einem Moderator direkt, oder warte bis zur nächsten Stunde.',
  refused:
    'Ich konnte deine Meldung nicht in den Kanal für Meldungen schreiben. Sag es einem Moderator direkt.',
  brought: (sha256) =>
    `Es ging von einem eigenen Bild aus${sha256 === undefined ? '' : ` (SHA-256 \`${sha256}\`)`}.`,
  broughtAlt: 'Woraus es gemacht wurde',
  heading: (reporter, member, link) => `${reporter} meldet ein Bild von ${member}: ${link}`,
  reason: (reason) => `Was damit nicht stimmt: ${reason}`,
  prompt: (prompt, asked) => `Entstanden ${asked} aus: ${prompt}`,
  delete: 'Bild löschen',
  block: 'Mitglied einen Tag sperren',
  dismiss: 'Verwerfen',
  deleted: (actor, member) => `${actor} hat das Bild von ${member} gelöscht.`,
  deletedBefore: (member) => `Das Bild von ${member} war schon gelöscht.`,
  blocked: (actor, member, ends) => `${actor} hat ${member} gesperrt; das endet ${ends}.`,
  blockedBefore: (member) => `${member} ist schon für länger als einen Tag gesperrt.`,
  stillThere: (link) => `Das Bild ist noch da: ${link}`,
  decidedBefore: (link) =>
    `Die Meldung von ${link} ist nicht mehr offen: Ein Moderator hat darüber entschieden, oder sie ist zu alt.`,
  reportedSince: 'Inzwischen haben es noch andere gemeldet. Lies auch das, und entscheide dann.',
  dismissed: (actor, link) => `${actor} hat die Meldung von ${link} verworfen.`,
};

export const audit: Texts['audit'] = {
  bot: 'Darkroom',
  'key-linked': (actor, owner) =>
    owner === 'guild'
      ? `${actor} hat einen Schlüssel für diesen Server verknüpft`
      : `${actor} hat einen Schlüssel verknüpft`,
  'key-unlinked': (actor, owner) =>
    owner === 'guild'
      ? `${actor} hat den Schlüssel dieses Servers entfernt`
      : `${actor} hat den eigenen Schlüssel entfernt`,
  'key-revoked': (actor, owner) =>
    owner === 'guild'
      ? `${actor} hat den Schlüssel dieses Servers widerrufen`
      : `${actor} hat den eigenen Schlüssel widerrufen`,
  'setting-changed': (actor, setting, from, to) =>
    `${actor} hat **${setting}** geändert, von ${from ?? 'nichts'} zu ${to ?? 'nichts'}`,
  'credits-viewed': (actor, member) => `${actor} hat die Credits von ${member} angesehen`,
  'picture-deleted': (actor, member) => `${actor} hat ein Bild von ${member} gelöscht`,
  'member-blocked': (actor, member, until) =>
    `${actor} hat ${member} ${until === undefined ? 'auf Dauer' : `bis ${until}`} gesperrt`,
  'member-unblocked': (actor, member) => `${actor} hat ${member} entsperrt`,
  'request-cancelled': (actor, member) => `${actor} hat einen Auftrag von ${member} abgebrochen`,
  'all-stopped': (actor, jobs) =>
    `${actor} hat alles abgebrochen, was hier lief (${jobs} ${jobs === 1 ? 'Auftrag' : 'Aufträge'})`,
  'graph-saved': (actor, graph) => `${actor} hat den Graphen **${graph}** gespeichert`,
  'graph-removed': (actor, graph) => `${actor} hat den Graphen **${graph}** entfernt`,
  'picture-reported': (actor, member, sha256) =>
    `${actor} hat ein Bild von ${member} gemeldet${sha256 === undefined ? '' : `, gemacht aus einer Datei mit der SHA-256 ${sha256}`}`,
  'report-dismissed': (actor, member) => `${actor} hat die Meldung eines Bildes von ${member} verworfen`,
};

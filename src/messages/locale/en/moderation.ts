import type { KeyOwner } from '../../../credentials/key-owner.ts';

export const moderate = {
  blocked: (mention: string, until: string | undefined) =>
    until === undefined
      ? `${mention} can no longer ask for pictures in this server. \`/moderate unblock\` changes that.`
      : `${mention} can no longer ask for pictures in this server. That ends ${until}.`,
  unblocked: (mention: string) => `${mention} can ask for pictures again.`,
  notBlocked: (mention: string) => `${mention} is not blocked.`,
  stopped: (jobs: number) =>
    jobs === 0
      ? 'Nothing is under way in this server.'
      : `Cancelled ${jobs === 1 ? 'one request' : `${jobs} requests`}. What the image service has finished already is still shown.`,
  nextReport: 'Next report',
  noReports: (channel: string | undefined) =>
    channel === undefined
      ? 'No reported picture is waiting for you.'
      : `No reported picture is waiting for you. New reports go to ${channel}.`,
};

/** Pictures that members show to the moderators of their server. */
export const report = {
  report: 'Report',
  form: {
    title: 'Report this picture',
    label: 'What is wrong with it?',
    description: 'The moderators of this server see it, with your name.',
  },
  noReason: 'Say in a few words what is wrong with the picture, then report it again.',
  gone: 'This picture cannot be reported here: it is too old, or from elsewhere. Tell a moderator directly.',
  forgotten:
    'I know nothing about this picture any more. Where it still stands, delete it in Discord yourself.',
  filed: 'Thank you. The moderators of this server can see your report now.',
  known: 'You have reported this picture already.',
  full: 'You have reported many pictures in this hour. Tell a moderator directly, or wait for the next hour.',
  refused: 'I could not post your report in the channel for reports. Tell a moderator directly.',
  heading: (reporter: string, member: string, link: string) =>
    `${reporter} reports a picture by ${member}: ${link}`,
  reason: (reason: string) => `What is wrong with it: ${reason}`,
  prompt: (prompt: string, asked: string) => `Made ${asked} from: ${prompt}`,
  brought: (sha256: string | undefined) =>
    `It began with a picture of the member’s own${sha256 === undefined ? '' : ` (SHA-256 \`${sha256}\`)`}.`,
  broughtAlt: 'What it was made from',
  delete: 'Delete picture',
  block: 'Block member for a day',
  dismiss: 'Dismiss',
  deleted: (actor: string, member: string) => `${actor} deleted the picture by ${member}.`,
  deletedBefore: (member: string) => `The picture by ${member} had been deleted already.`,
  blocked: (actor: string, member: string, ends: string) => `${actor} blocked ${member}; that ends ${ends}.`,
  blockedBefore: (member: string) => `${member} is blocked already, for longer than a day.`,
  stillThere: (link: string) => `The picture is still there: ${link}`,
  decidedBefore: (link: string) =>
    `The report of ${link} is no longer open: a moderator has decided on it, or it is too old.`,
  reportedSince: 'Others have reported it since. Read that too, then decide.',
  dismissed: (actor: string, link: string) => `${actor} dismissed the report of ${link}.`,
};

/** Lines of a server's log: who did what, and whom it concerns. */
export const audit = {
  bot: 'Darkroom',
  'key-linked': (actor: string, owner: KeyOwner['kind']) =>
    owner === 'guild' ? `${actor} linked a key for this server` : `${actor} linked a key`,
  'key-unlinked': (actor: string, owner: KeyOwner['kind']) =>
    owner === 'guild' ? `${actor} unlinked the key of this server` : `${actor} unlinked their key`,
  'key-revoked': (actor: string, owner: KeyOwner['kind']) =>
    owner === 'guild' ? `${actor} revoked the key of this server` : `${actor} revoked their key`,
  'setting-changed': (actor: string, setting: string, from: string | undefined, to: string | undefined) =>
    `${actor} changed **${setting}** from ${from ?? 'nothing'} to ${to ?? 'nothing'}`,
  'credits-viewed': (actor: string, member: string) => `${actor} looked at the credits of ${member}`,
  'picture-deleted': (actor: string, member: string) => `${actor} deleted a picture by ${member}`,
  'member-blocked': (actor: string, member: string, until: string | undefined) =>
    `${actor} blocked ${member} ${until === undefined ? 'for good' : `until ${until}`}`,
  'member-unblocked': (actor: string, member: string) => `${actor} unblocked ${member}`,
  'request-cancelled': (actor: string, member: string) => `${actor} cancelled a request by ${member}`,
  'all-stopped': (actor: string, jobs: number) =>
    `${actor} cancelled everything that ran here (${jobs} ${jobs === 1 ? 'request' : 'requests'})`,
  'graph-saved': (actor: string, graph: string) => `${actor} saved the graph **${graph}**`,
  'graph-removed': (actor: string, graph: string) => `${actor} removed the graph **${graph}**`,
  /** `sha256`: of the picture of their own that it was made from. */
  'picture-reported': (actor: string, member: string, sha256: string | undefined) =>
    `${actor} reported a picture by ${member}${sha256 === undefined ? '' : `, made from a file with the SHA-256 ${sha256}`}`,
  'report-dismissed': (actor: string, member: string) =>
    `${actor} dismissed a report of a picture by ${member}`,
};

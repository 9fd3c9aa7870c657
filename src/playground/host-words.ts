/** What the playground itself says on its page, apart from the bot and from the page. */
const en = {
  notice: (setup: string) =>
    `It is Darkroom’s playground on your own machine: the bot is real, its Discord is not. For a real server: ${setup}.`,
  about: {
    member: 'ready for /imagine',
    moderator: 'looks after both servers',
    newcomer: 'starts without a key',
  },
  /** Whole lines to try in an empty channel. */
  examples: [
    '/imagine prompt:a red fox in the snow, northern lights --ar 3:2',
    '/imagine prompt:a {lighthouse, sailing ship} at sunset, oil painting',
    '/imagine prompt:a castle in the fog --w anime --n 4',
    '/help',
  ],
  account: {
    title: 'Image service account',
    credits: (credits: number) =>
      `**${credits.toLocaleString('en')}** ${credits === 1 ? 'credit' : 'credits'}`,
    key: 'Key',
    keyHint: 'What `/apikey link` asks for.',
    noKey: '*none yet*',
    noKeyHint: 'Run `/apikey generate` and paste the login token.',
    token: 'Login token',
    tokenHint: 'What `/apikey generate` asks for.',
    note: 'Made by this playground; of no use anywhere else.',
  },
};

const de: typeof en = {
  notice: (setup) =>
    `Es ist Darkrooms Playground auf deinem eigenen Rechner: Der Bot ist echt, sein Discord nicht. Für einen echten Server: ${setup}.`,
  about: {
    member: 'bereit für /imagine',
    moderator: 'betreut beide Server',
    newcomer: 'beginnt ohne Schlüssel',
  },
  examples: [
    '/imagine prompt:ein roter Fuchs im Schnee, Nordlichter --ar 3:2',
    '/imagine prompt:ein {Leuchtturm, Segelschiff} bei Sonnenuntergang, Ölgemälde',
    '/imagine prompt:ein Schloss im Nebel --w anime --n 4',
    '/help',
  ],
  account: {
    title: 'Konto beim Bilderdienst',
    credits: (credits) => `**${credits.toLocaleString('de')}** ${credits === 1 ? 'Credit' : 'Credits'}`,
    key: 'Schlüssel',
    keyHint: 'Danach fragt `/apikey link`.',
    noKey: '*noch keiner*',
    noKeyHint: 'Nimm `/apikey generate` und füge das Login-Token ein.',
    token: 'Login-Token',
    tokenHint: 'Danach fragt `/apikey generate`.',
    note: 'Von diesem Playground angelegt; anderswo nutzlos.',
  },
};

/** In the language of a user, e.g. `de`; English where there is none. */
export const hostWords = (locale: string): typeof en => (locale === 'de' ? de : en);

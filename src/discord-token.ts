export const WHERE_TOKEN_IS =
  'On https://discord.com/developers/applications open your application, go to the page Bot and press Reset Token.';

/** What somebody may have copied instead of a token, or with it. */
export type CopiedInstead = 'prefix' | 'applicationId' | 'publicKey' | 'clientSecret' | 'quotes' | 'other';

const FORMS: readonly (readonly [RegExp, CopiedInstead])[] = [
  [/^Bot\s/i, 'prefix'],
  [/^\d{17,20}$/, 'applicationId'],
  [/^[0-9a-f]{64}$/i, 'publicKey'],
  [/^[\w-]{32}$/, 'clientSecret'],
  [/^["'].*["']$/, 'quotes'],
];

const MENDS: Readonly<Record<CopiedInstead, string>> = {
  prefix: ': leave out the word "Bot" before the token',
  applicationId: ': this is the id of an application, not its token',
  publicKey: ': this is the public key of an application, not its token',
  clientSecret: ': this looks like the client secret (page OAuth2), not like the token',
  quotes: ': leave out the quotation marks',
  other: '',
};

/** The application that a token names: its id in Base64 is what a bot token begins with. */
export function applicationOf(token: string): string | undefined {
  const [, first = ''] = /^([\w+/=-]+)\.[\w-]+\.[\w-]+$/.exec(token) ?? [];
  const id = Buffer.from(first, 'base64').toString();
  return /^\d{17,20}$/.test(id) ? id : undefined;
}

/** What a text is instead of a bot token. Undefined where it may be one; only Discord knows that. */
export function copiedInstead(token: string): CopiedInstead | undefined {
  if (applicationOf(token) !== undefined) return undefined;
  const [, instead = 'other'] = FORMS.find(([form]) => form.test(token)) ?? [];
  return instead;
}

/** What is wrong with that, and where a token is found. */
export const mendOf = (instead: CopiedInstead): string =>
  `not a bot token${MENDS[instead]}. ${WHERE_TOKEN_IS}`;

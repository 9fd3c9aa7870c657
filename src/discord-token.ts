export const WHERE_TOKEN_IS =
  'On https://discord.com/developers/applications open your application, go to the page Bot and press Reset Token.';

/** What somebody may have copied instead of a token, or with it, and what is said of it. */
const COPIED: readonly (readonly [RegExp, string])[] = [
  [/^Bot\s/i, ': leave out the word "Bot" before the token'],
  [/^\d{17,20}$/, ': this is the id of an application, not its token'],
  [/^[0-9a-f]{64}$/i, ': this is the public key of an application, not its token'],
  [/^[\w-]{32}$/, ': this looks like the client secret (page OAuth2), not like the token'],
  [/^["'].*["']$/, ': leave out the quotation marks'],
];

/** The application that a token names: its id in Base64 is what a bot token begins with. */
export function applicationOf(token: string): string | undefined {
  const [, first = ''] = /^([\w+/=-]+)\.[\w-]+\.[\w-]+$/.exec(token) ?? [];
  const id = Buffer.from(first, 'base64').toString();
  return /^\d{17,20}$/.test(id) ? id : undefined;
}

/**
 * What is wrong with a text as a bot token, and where one is found. Undefined where it may be one; only Discord knows
 * that.
 */
export function tokenProblem(text: string): string | undefined {
  if (applicationOf(text) !== undefined) return undefined;
  const [, instead = ''] = COPIED.find(([form]) => form.test(text)) ?? [];
  return `not a bot token${instead}. ${WHERE_TOKEN_IS}`;
}

/** What keeps a provider from drawing until its operator does something. */
export type Trouble = 'address' | 'server' | 'key' | 'model' | 'access' | 'credit';

/** What is said of trouble: to whoever asks for a picture, the model's name after it, and to the operator. */
export const TROUBLES: Readonly<Record<Trouble, { says: string; mend: string }>> = {
  address: { says: 'does not answer at the moment', mend: 'Check HOSTED_BASE_URL and the network' },
  server: { says: 'answers, but not as OpenAI does', mend: 'Check HOSTED_BASE_URL' },
  key: { says: 'does not accept the key of this service', mend: 'Check HOSTED_API_KEY' },
  model: { says: 'does not have the model', mend: 'Check HOSTED_MODEL' },
  access: {
    says: 'does not draw for this account with the model',
    mend: 'Verify the account there, or choose another model',
  },
  credit: { says: 'does not draw on the credit of this service any more', mend: 'Top it up there' },
};

/** Words by which providers say that nobody pays. */
const WITHOUT_CREDIT =
  /insufficient_quota|bill(?:ing|ed)|exhausted balance|insufficient (balance|credit|funds)/i;
/** By which Google, to which a wrong key is an invalid argument, names it. */
const WRONG_KEY = /API_KEY_INVALID/;

/** By which OpenAI names a model of which an account that has not proved who it is gets no pictures. */
const UNVERIFIED = /must be verified/i;
/**
 * By which Google names a limit that is over in a minute, unless it names that of the day as well
 * (google-gemini/gemini-cli#8437). Of a model that nobody may use unpaid the limit is 0.
 */
const OF_A_MINUTE = /^(?!.*PerDay).*PerMinute/s;
const NONE_AT_ALL = /limit: 0\b/;

/** What an answer without a picture tells of trouble. */
export function troubleIn(status: number, text: string): Trouble | undefined {
  if (status === 400 && WRONG_KEY.test(text)) return 'key';
  if (status === 403 && UNVERIFIED.test(text)) return 'access';
  if (status === 403 && /model_not_found/.test(text)) return 'model';
  if (status === 429 && OF_A_MINUTE.test(text) && !NONE_AT_ALL.test(text)) return undefined;
  if (status === 402 || ([400, 403, 429].includes(status) && WITHOUT_CREDIT.test(text))) return 'credit';
  if (status === 401 || status === 403) return 'key';
  return status === 404 ? 'model' : undefined;
}

/**
 * Whether a provider refuses the key with which it was asked for something that costs nothing. OpenAI also refuses such
 * a question to keys that may draw, and names the scopes that they lack.
 */
export const refusesKey = (status: number, answer: string): boolean =>
  troubleIn(status, answer) === 'key' && !/missing scopes/i.test(answer);

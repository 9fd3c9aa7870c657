/** A code is one word, however it is spelled, and quotes nothing. */
const KEY_CODE =
  /unauthori[sz]ed|forbidden|authenticat|(invalid|missing|unknown|expired|revoked|wrong).{0,20}(key|token)(?![a-z])|(key|token)([^a-z].{0,19})?(invalid|missing|unknown|expired|revoked|required|not.?found)/i;

const WRONG = 'invalid|missing|unknown|expired|revoked|wrong';
const NAMED_KEY = '\\b(?:api|access|auth(?:entication|orization)?|login|bearer|secret)[ _-]?(?:key|token)\\b';

/** A sentence may name a key of a graph, or tokens of a prompt. Where it does not say which key, it says little else. */
const KEY_MESSAGE = new RegExp(
  [
    'unauthori[sz]ed|authenticat',
    '^(?:403 |access (?:is )?)?forbidden\\W*$',
    `\\b(?:${WRONG})\\b[^":]{0,20}${NAMED_KEY}`,
    `${NAMED_KEY}[^":]{0,20}\\b(?:${WRONG}|required|not found)\\b`,
    `^(?:error: )?(?:(?:${WRONG}) or )?(?:${WRONG}) (?:key|token)(?: provided| given)?(?:[.!,;]|$)`,
    `^(?:error: )?(?:(?:the|your|this) )?(?:key|token)(?: is| was| has| has been)? (?:${WRONG}|required|not found)\\b`,
  ].join('|'),
  'i',
);

const QUOTED = /"[^"]*"|“[^“”]*”|(?<!\w)'[^']*'(?!\w)/g;

/**
 * Whether a service says by these words, its code or its message, that it does not accept the key. What a message
 * quotes may be a prompt.
 */
export function isAboutKey(words: string): boolean {
  if (/\s/.test(words)) return KEY_MESSAGE.test(words.replaceAll(QUOTED, '""'));
  return KEY_CODE.test(words.replaceAll(/([a-z])([A-Z])/g, '$1 $2'));
}

const RIGHTS = /permission|privilege|(?<![a-z])scopes?(?![a-z])|access.{0,3}denied|not.?authori[sz]ed/i;

/** Whether they say what the key, or its account, may not do. */
export const isAboutRights = (words: string): boolean =>
  isAboutKey(words) || RIGHTS.test(words.replaceAll(QUOTED, '""'));

const STOPPED =
  'expired|revoked|disabled|deactivated|inactive|suspended|banned|blocked|(?:not|no longer).?active';
const WRONG = `${STOPPED}|invalid|incorrect|bad|missing|unknown|wrong|(?:not|no longer).?valid`;

/** A code is one word, however it is spelled, and quotes nothing. */
const KEY_CODE = new RegExp(
  [
    'authori[sz]|authenticat',
    `(?:${WRONG}).{0,20}(?:key|token)(?![a-z])`,
    `(?:key|token)(?:[^a-z].{0,19})?(?:${WRONG}|required|not.?found)`,
    `(?:account|user|organi[sz]ation)[^a-z]?(?:${STOPPED}|not.?found)`,
  ].join('|'),
  'i',
);

const NAMED_KEY =
  '\\b(?:(?:api|access|auth(?:entication|orization)?|login|bearer|secret)[ _-]?(?:key|token)|authori[sz]ation)\\b';
const IS = '(?: is| was| has| has been)?(?: currently| temporarily| permanently)?';

/** A sentence may name a key of a graph, or tokens of a prompt. Where it does not say which key, it says little else. */
const KEY_MESSAGE = new RegExp(
  [
    'unauthori[sz]ed|authenticat|\\bauthori[sz]ation (?:failed|denied|error)',
    `\\b(?:${WRONG})\\b[^":]{0,20}${NAMED_KEY}`,
    `${NAMED_KEY}[^":]{0,20}\\b(?:${WRONG}|required|not found)\\b`,
    `^(?:error: )?(?:(?:${WRONG}) or )?(?:${WRONG}) (?:key|token)(?: provided| given)?(?:[.!,;]|$)`,
    `^(?:error: )?(?:(?:the|your|this) )?(?:key|token)${IS} (?:${WRONG}|required|not found)\\b`,
    `^(?:error: )?(?:(?:the|your|this) )?(?:account|user(?: account)?|organi[sz]ation)${IS} (?:${STOPPED}|not found)\\b`,
  ].join('|'),
  'i',
);

const DENIED = '(?:access|permission)[ _-]?(?:is )?denied';

/** That says no more than the status 403 does. */
const STATUS_NAME = new RegExp(
  `^(?:(?:err(?:or)?|http)[ :_-]*)?(?:403[ :_-]*)?(?:(?:access[ _-]?)?(?:is )?forbidden|${DENIED})(?:[ _-]?(?:error|exception))?\\W*$`,
  'i',
);

export const isStatusName = (words: string): boolean => STATUS_NAME.test(words);

const QUOTED = /"[^"]*"|“[^“”]*”|(?<!\w)'[^']*'(?!\w)/g;

/**
 * Whether a service says by these words, its code or its message, that it does not accept the key, or the account that
 * it belongs to. What a message quotes may be a prompt.
 */
export function isAboutKey(words: string): boolean {
  if (isStatusName(words)) return true;
  if (/\s/.test(words)) return KEY_MESSAGE.test(words.replaceAll(QUOTED, '""'));
  return KEY_CODE.test(words.replaceAll(/([a-z])([A-Z])/g, '$1 $2'));
}

const RIGHTS = new RegExp(
  `permission|privilege|(?<![a-z])scopes?(?![a-z])|${DENIED}|not.?authori[sz]ed`,
  'i',
);

/** Whether they say what the key, or its account, may not do. */
export const isAboutRights = (words: string): boolean =>
  isAboutKey(words) || RIGHTS.test(words.replaceAll(QUOTED, '""'));

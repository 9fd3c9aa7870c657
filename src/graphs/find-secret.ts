import type { Graph } from '@darkroom/image-api';
import { valuesIn } from './graph-values.ts';

/** Where something stands that looks like a secret. A name of the place that looks like one itself is left out. */
export interface SecretLocation {
  /** What the node is called: its title, or its class. */
  node?: string;
  input?: string;
}

/**
 * What looks like a secret wherever it stands. A stranger chooses the text: no pattern may look at the same
 * characters from every place before them, or in more than one way.
 */
const SECRET_TEXTS: readonly RegExp[] = [
  // Keys that say what they are: of OpenAI and of image services, Hugging Face, Replicate, GitHub, Google, Slack,
  // Amazon.
  /\b(?:sk|lt|pk|rk)[-_](?:\w+[-_])?[a-z0-9]{16}/i,
  /\b(?:hf|r8|ghp|gho|ghs|ghu|github_pat|xox[abprs]|glpat|comfyui|civitai)[-_][\w-]{16}/i,
  /\bAIza[\w-]{30}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  // A JSON Web Token: the end of its header, and the beginning of what it claims.
  /[\w-]{11}\.eyJ[\w-]{8}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  // A header: words have no digits.
  /\b(?:bearer|basic)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{12,}/i,
  // A name and a password, or a key, in an address.
  /\w:\/\/(?!:*@)[^\s/?#@]+@/,
  /[?&](?:api_?key|access_?token|token|secret|password|sig|signature)=[^&\s]+/i,
  /discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]+/i,
];

/** What an input for a secret is called. `max_tokens` and `token_normalization` are none. */
const SECRET_NAME =
  /(?:^|[_\-. ])(?:api[_-]?key|apikey|token|secret|password|passwd|passphrase|authorization|credentials?)$/i;
/** `apiKey`, `authToken`: the same in another case. */
const SECRET_NAME_CAMEL = /[a-z](?:ApiKey|Key|Token|Secret|Password)$/;

const isSecretName = (name: string): boolean => SECRET_NAME.test(name) || SECRET_NAME_CAMEL.test(name);

export const looksSecret = (text: string): boolean => SECRET_TEXTS.some((pattern) => pattern.test(text));

/** Whether something is filled in here, or nothing stands here. */
const isEmpty = (text: string): boolean => /^(?:\s*|%\w+%|none|null)$/i.test(text);

/** The first thing in a graph that looks like a secret; undefined where nothing does. Never says what it is. */
export function findSecret(nodes: Graph): SecretLocation | undefined {
  for (const [id, { class_type, inputs, _meta }] of Object.entries(nodes)) {
    const names = [id, class_type, _meta?.title ?? '', ...Object.keys(inputs)];
    if (names.some(looksSecret)) return {};
  }
  for (const { id, input, key, value } of valuesIn(nodes)) {
    if (looksSecret(key)) return {};
    if (typeof value !== 'string') continue;
    if (looksSecret(value) || ((isSecretName(key) || isSecretName(input)) && !isEmpty(value))) {
      const node = nodes[id];
      return { input, ...(node && { node: node._meta?.title || node.class_type }) };
    }
  }
  return undefined;
}

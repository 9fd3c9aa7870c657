import { parseEnv } from 'node:util';

/** The file of settings, in the folder that everything else lies in as well. It may hold the token: mode 0600. */
export const SETTINGS_FILE = '.env';

/** What its text sets. Node would take the mark that editors on Windows begin it with for a part of a name. */
export const settingsIn = (text: string): NodeJS.Dict<string> => parseEnv(text.replace(/^\uFEFF/, ''));

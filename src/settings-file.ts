/** The file of settings, in the folder that everything else lies in as well. It may hold the token: mode 0600. */
export const SETTINGS_FILE = '.env';

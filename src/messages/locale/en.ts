import * as graph from './en/graph.ts';
import * as help from './en/help.ts';
import * as history from './en/history.ts';
import * as imagine from './en/imagine.ts';
import * as keys from './en/keys.ts';
import * as moderation from './en/moderation.ts';
import * as pictures from './en/pictures.ts';
import * as refusals from './en/refusals.ts';
import * as settings from './en/settings.ts';

/** Every word that a person reads from the bot, by feature. A catalogue of another language has the same shape. */
export const en = {
  /** How numbers are written. */
  locale: 'en',
  ...graph,
  ...help,
  ...history,
  ...imagine,
  ...keys,
  ...moderation,
  ...pictures,
  ...refusals,
  ...settings,

  /**
   * What commands and their options are for, by their path (`apikey server link`, `imagine prompt`). Other languages
   * than English have it here; English stands in the payloads themselves.
   */
  commands: {} as Readonly<Record<string, string>>,
};

export type Texts = typeof en;

import { win32 } from 'node:path';

/** A model that a drawing needs, and the server's folder for it. */
export interface RequiredModel {
  folder: string;
  /** Nothing where any will do. */
  name: string;
  /** Only this very name will do, because it stands in a caller's graph; otherwise a file name may begin with it. */
  exact?: boolean;
  /** Any other will do where no server has it. */
  orAny?: boolean;
}

/** A model that a server does not have, and those that it has in the same folder. */
export interface MissingModel {
  missing: RequiredModel;
  available: readonly string[];
}

/** How many models are listed in place of a missing one. */
const MAX_MODELS = 20;

/** Finds a model in a server's list: the very name, or else the first whose file name begins with it. */
export function findModel(available: readonly string[], { name, exact }: RequiredModel): string | undefined {
  if (available.includes(name)) return name;
  if (exact) return undefined;
  return available.toSorted().find((path) => win32.basename(path).startsWith(name));
}

/** The same models where no server has them: undefined where no other will do. */
export const othersFor = (required: readonly RequiredModel[]): RequiredModel[] | undefined =>
  required.some(({ orAny }) => orAny)
    ? required.map(({ orAny, ...model }) => (orAny ? { ...model, name: '' } : model))
    : undefined;

/** That no server has a model, and which ones they have, in a sentence. */
export function explainMissingModel({ missing, available }: MissingModel): string {
  const shown = available.slice(0, MAX_MODELS).join(', ');
  const more = available.length > MAX_MODELS ? `, and ${available.length - MAX_MODELS} more` : '';
  return `There is no model ${missing.name && `${missing.name} `}in ${missing.folder}; the servers have ${shown ? `${shown}${more}` : 'none at all'}.`;
}

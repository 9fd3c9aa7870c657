import type { Application, State } from './state.ts';

/** The application whose bot logs in with this token. */
export const applicationByToken = ({ applications }: State, token: string): Application | undefined =>
  [...applications.values()].find((known) => known.token === token);

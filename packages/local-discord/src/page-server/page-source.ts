import type { Context } from '../context.ts';
import type { Bot, HostWords, Panel } from './protocol.ts';

/** The same in every language, or what it is in that of a user, e.g. `en-US`. */
type Localized<T> = T | ((locale: string) => T);

/** What the page shows beside the chat. Nothing is required: by default it shows the world as it is. */
export interface PageOptions {
  /** Title of the browser tab; 'Local Discord' unless given. */
  title?: string;
  /** Follows 'This is not Discord.' at the top of the page. */
  notice?: Localized<string>;
  /** Whom the visitor can be, first the one whom they start as; every user of the world unless given. */
  users?: readonly { id: string; about?: Localized<string> }[];
  /** Name of a command to try first; the first one of the channel unless given. */
  suggestedCommand?: string;
  /** Whole lines to try in an empty channel, e.g. `/ping text:hello`: a click puts one into the composer. */
  examples?: Localized<readonly string[]>;
  /** The panel beside the chat of this user, read again after messages; none unless given. */
  panel?(userId: string, locale: string): Promise<Panel | null>;
}

const localized = <T extends string | readonly string[]>(value: Localized<T>, locale: string): T =>
  typeof value === 'function' ? value(locale) : value;

export type PageSource = ReturnType<typeof createPageSource>;

/** What a page shows that does not come from the user client. */
export function createPageSource(
  { now, users, applications }: Pick<Context['state'], 'now' | 'users' | 'applications'>,
  isOnline: (applicationId: string) => boolean,
  options: PageOptions,
) {
  const { title = 'Local Discord', suggestedCommand = null, notice, examples = [] } = options;
  const everybody = (): NonNullable<PageOptions['users']> => [...users.values()].filter(({ bot }) => !bot);
  return {
    now,
    title,
    suggestedCommand,
    words: (locale: string): HostWords => ({
      notice: notice === undefined ? null : localized(notice, locale),
      examples: localized(examples, locale),
      users: (options.users ?? everybody()).flatMap(({ id, about }) => {
        const user = users.get(id);
        return user ? [{ id, name: user.displayName, about: localized(about ?? user.username, locale) }] : [];
      }),
    }),
    bots: (): Bot[] => [...applications.values()].map(({ id, name }) => ({ id, name, online: isOnline(id) })),
    panel: async (userId: string, locale: string) => (await options.panel?.(userId, locale)) ?? null,
  };
}

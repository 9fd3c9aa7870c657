import type { Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import type { Store } from '../storage/store.ts';
import { type KeyOwner, keyOwner, type Payer } from './key-owner.ts';
import { type LinkedKey, linkedKey, type ServerTerms, sealedKeys } from './linked-key.ts';

type OpenKey = LinkedKey & { apiKey: string };

/** A key that pays, and for whom that is. */
export interface Credential {
  apiKey: string;
  payer: Payer;
  /** Of a server's key. */
  terms?: ServerTerms | undefined;
}

/** A member who asks for something to be paid, and from where. */
type Paying = {
  member: { id: string };
  guildId: string | null;
  roles: readonly string[];
  /** Whether the server has the app. Asked only where another than the member would pay. */
  serverHasApp(): Promise<boolean>;
};

/** Where the operator's key pays. */
export interface OperatorScope {
  /** The servers; all that have the app unless given. */
  guilds?: readonly string[] | undefined;
  /** Whether it does in direct messages, too, and where only its caller has the app. */
  outside?: boolean | undefined;
}

/** A key is linked that cannot be used: only its owner can help, by linking it again. */
export class UnusableKeyError extends Error {
  override readonly name = 'UnusableKeyError';
  readonly owner: KeyOwner;
  /** `unreadable`: its seal cannot be opened. `rejected`: the service does not accept it. */
  readonly why: 'unreadable' | 'rejected';

  constructor(owner: KeyOwner, why: 'unreadable' | 'rejected', options?: ErrorOptions) {
    super(`the linked key of ${owner.kind} ${owner.id} is ${why}`, options);
    this.owner = owner;
    this.why = why;
  }
}

/** Keys that members and servers have linked, sealed at rest, and who pays for a request. */
export type Credentials = ReturnType<typeof createCredentials>;

/** How often linking is tried while others link or unlink a key of the same owner. */
const MOST_LINK_ATTEMPTS = 10;

/** Of an account's name this much is kept. */
const USERNAME_CHARACTERS = 100;

export function createCredentials({
  store,
  vault,
  clock,
  log,
  operatorKey,
  operatorScope = {},
}: {
  store: Store;
  vault: Vault;
  clock: Clock;
  log: Log;
  operatorKey: string | undefined;
  operatorScope?: OperatorScope | undefined;
}) {
  const keys = store.collection(sealedKeys.collection, linkedKey);
  const idOf = ({ kind, id }: KeyOwner) => `${kind}:${id}`;
  const GUILDS = idOf({ kind: 'guild', id: '' });

  function unseal(owner: KeyOwner, linked: LinkedKey): string {
    const id = idOf(owner);
    try {
      return vault.open(linked.sealed, sealedKeys.contextOf(id));
    } catch (cause) {
      log.error({ err: cause, owner: id }, 'a linked key cannot be opened; its owner has to link it again');
      throw new UnusableKeyError(owner, 'unreadable', { cause });
    }
  }

  async function use(owner: KeyOwner, linked: LinkedKey): Promise<OpenKey> {
    const apiKey = unseal(owner, linked);
    if (vault.isStale(linked.sealed)) {
      const sealed = vault.seal(apiKey, sealedKeys.contextOf(idOf(owner)));
      await keys.update(idOf(owner), (now) =>
        now.sealed === linked.sealed ? { ...now, sealed } : undefined,
      );
    }
    return { ...linked, apiKey };
  }

  async function operatorPays({ guildId, serverHasApp }: Paying): Promise<boolean> {
    const isHere = guildId !== null && (await serverHasApp());
    if (!isHere) return operatorScope.outside === true;
    return operatorScope.guilds?.includes(guildId) ?? true;
  }

  const admits = ({ terms }: LinkedKey, { roles }: Paying): boolean =>
    terms?.roleId === undefined || roles.includes(terms.roleId);

  return {
    /**
     * The member's key, else the server's, else the operator's. The last two pay only where the server has the app.
     * Rejects with `UnusableKeyError`: nobody else pays in place of a key that its owner has to link
     * again. `evenRejected`: with one that the service did not accept when it was used last, too.
     */
    async resolve(
      caller: Paying,
      { evenRejected = false }: { evenRejected?: boolean } = {},
    ): Promise<Credential | undefined> {
      const { member, guildId } = caller;
      const own: KeyOwner = { kind: 'member', id: member.id };
      const shared: KeyOwner | undefined = guildId === null ? undefined : { kind: 'guild', id: guildId };
      // Read at once: a member waits for the first answer.
      const [ownKey, sharedKey] = await Promise.all([keys.get(idOf(own)), shared && keys.get(idOf(shared))]);
      const pay = async (payer: KeyOwner, linked: LinkedKey): Promise<Credential> => {
        if (linked.rejectedAt !== undefined && !evenRejected) throw new UnusableKeyError(payer, 'rejected');
        const { apiKey, terms } = await use(payer, linked);
        return { apiKey, payer, ...(terms && { terms }) };
      };
      if (ownKey) return pay(own, ownKey);
      if (shared && sharedKey && admits(sharedKey, caller) && (await caller.serverHasApp())) {
        return pay(shared, sharedKey);
      }
      if (operatorKey === undefined || !(await operatorPays(caller))) return undefined;
      return { apiKey: operatorKey, payer: { kind: 'operator' } };
    },

    /** `visibleIn`: as in `LinkedKey`. A server keeps its terms. */
    async link(
      owner: KeyOwner,
      {
        apiKey,
        username,
        visibleIn,
      }: { apiKey: string; username: string | undefined; visibleIn: readonly string[] },
    ): Promise<LinkedKey> {
      const id = idOf(owner);
      const added: LinkedKey = {
        sealed: vault.seal(apiKey, sealedKeys.contextOf(id)),
        tail: apiKey.slice(-4),
        username: username?.slice(0, USERNAME_CHARACTERS),
        linkedAt: clock.now(),
        visibleIn: [...visibleIn],
        warnings: 0,
      };
      for (let attempt = 0; attempt < MOST_LINK_ATTEMPTS; attempt += 1) {
        const replaced = await keys.update(id, ({ terms }) => ({ ...added, terms }));
        const linked = replaced ?? ((await store.insert([keys.row(id, added)])) ? added : undefined);
        if (!linked) continue;
        // Of the key that it replaces nothing stays.
        await store.wipeDeleted();
        return linked;
      }
      throw new Error(`no key could be linked for ${id}: others link and unlink one all the time`);
    },

    /** What may be shown of a linked key. */
    describe: (owner: KeyOwner): Promise<LinkedKey | undefined> => keys.get(idOf(owner)),

    /** For calls on its owner's behalf. Rejects with `UnusableKeyError` where its seal cannot be opened. */
    async open(owner: KeyOwner): Promise<OpenKey | undefined> {
      const linked = await keys.get(idOf(owner));
      return linked && use(owner, linked);
    },

    /** With which key somebody pays now, if with any. Rejects as `open` does. */
    async keyOf(payer: Payer): Promise<string | undefined> {
      if (payer.kind === 'operator') return operatorKey;
      const linked = await keys.get(idOf(payer));
      return linked && (await use(payer, linked)).apiKey;
    },

    /**
     * Adds the account's name to a key that was linked without it; undefined where that is not the linked one any more.
     */
    setUsername: (owner: KeyOwner, { sealed }: LinkedKey, username: string): Promise<LinkedKey | undefined> =>
      keys.update(idOf(owner), (now) =>
        now.sealed === sealed ? { ...now, username: username.slice(0, USERNAME_CHARACTERS) } : undefined,
      ),

    /**
     * Lets a server's moderators see the credits of the member's key that was linked at `linkedAt`, or no longer those
     * of whichever is linked; undefined where there is no such key.
     */
    setVisible: (
      memberId: string,
      guildId: string,
      visible: { linkedAt: number } | false,
    ): Promise<LinkedKey | undefined> =>
      keys.update(idOf({ kind: 'member', id: memberId }), (now) =>
        visible && now.linkedAt !== visible.linkedAt
          ? undefined
          : {
              ...now,
              visibleIn: [...now.visibleIn.filter((id) => id !== guildId), ...(visible ? [guildId] : [])],
            },
      ),

    /** Changes the terms of a server's key; what is not named stays. Undefined where none is linked. */
    setTerms: (guildId: string, terms: Partial<ServerTerms>): Promise<LinkedKey | undefined> =>
      keys.update(idOf({ kind: 'guild', id: guildId }), (now) => ({
        ...now,
        terms: { ...now.terms, ...terms },
      })),

    /**
     * Notes of which credits a server was warned, or that there are enough again; not where another key is linked than
     * the one of that moment.
     */
    async setWarned(guildId: string, linkedAt: number, below: number | undefined): Promise<void> {
      const isNews = (now: LinkedKey) => now.linkedAt === linkedAt && now.warnedBelow !== below;
      await keys.update(idOf({ kind: 'guild', id: guildId }), (now) =>
        isNews(now)
          ? { ...now, warnedBelow: below, warnings: now.warnings + (below === undefined ? 0 : 1) }
          : undefined,
      );
    },

    /** The service has accepted or rejected `apiKey`: noted where it is still the linked one. Never rejects. */
    async noteUse(payer: Payer, apiKey: string, result: 'accepted' | 'rejected'): Promise<void> {
      const owner = keyOwner.safeParse(payer).data;
      if (!owner) return;
      const rejectedAt = result === 'rejected' ? clock.now() : undefined;
      const isNews = (now: LinkedKey) =>
        (now.rejectedAt === undefined) !== (rejectedAt === undefined) && unseal(owner, now) === apiKey;
      await keys
        .update(idOf(owner), (now) => (isNews(now) ? { ...now, rejectedAt } : undefined))
        .catch((error: unknown) =>
          log.warn({ err: error, owner: idOf(owner) }, 'what became of a key could not be noted'),
        );
    },

    /** Erases it, at once; says whether there was one. `only`: where it is the one that was linked then. */
    async unlink(owner: KeyOwner, only?: { linkedAt: number }): Promise<boolean> {
      const isIt = (now: LinkedKey) => only === undefined || now.linkedAt === only.linkedAt;
      const erased = await keys.update(idOf(owner), (now) => (isIt(now) ? null : undefined));
      await store.wipeDeleted();
      return erased === null;
    },

    async guildIds(): Promise<string[]> {
      const ids = await keys.ids({ prefix: GUILDS });
      return ids.map((id) => id.slice(GUILDS.length));
    },
  };
}

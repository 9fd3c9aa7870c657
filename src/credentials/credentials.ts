import type { Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { z } from 'zod';
import type { SealedField } from '../storage/sealed-field.ts';
import type { Store } from '../storage/store.ts';
import type { KeyOwner, Payer } from './key-owner.ts';

/** A linked key, opened. */
export interface OpenKey extends LinkedKey {
  apiKey: string;
}

/** A key that pays, and for whom that is. */
export interface Credential {
  apiKey: string;
  payer: Payer;
}

export const sealedKeys = {
  collection: 'keys',
  field: 'sealed',
  contextOf: (id) => id,
} as const satisfies SealedField;

const linkedKey = z.object({
  sealed: z.string(),
  /** The last four characters, for people to recognise it. */
  tail: z.string().length(4),
  /** The account's name at the service, when it was linked. */
  username: z.string().optional(),
  linkedAt: z.number(),
  /** Whether moderators may see the credits of this key. */
  visibleToModerators: z.boolean(),
});
export type LinkedKey = z.infer<typeof linkedKey>;

/** A key is linked, and its seal cannot be opened: only its owner can help, by linking it again. */
export class UnreadableKeyError extends Error {
  override readonly name = 'UnreadableKeyError';
  readonly owner: KeyOwner;

  constructor(owner: KeyOwner, options?: ErrorOptions) {
    super(`the linked key of ${owner.kind} ${owner.id} cannot be opened`, options);
    this.owner = owner;
  }
}

/** Keys that members and servers have linked, sealed at rest, and who pays for a request. */
export interface Credentials {
  /**
   * The member's key, else the server's, else the operator's. Rejects with `UnreadableKeyError` as `open` does: an
   * unreadable key does not fall back to another payer.
   */
  resolve(caller: { member: { id: string }; guildId: string | null }): Promise<Credential | undefined>;
  link(
    owner: KeyOwner,
    key: { apiKey: string; username: string | undefined; visibleToModerators: boolean },
  ): Promise<LinkedKey>;
  /** Adds the account's name to a key that was linked without it, where that is still the linked one. */
  setUsername(owner: KeyOwner, linked: LinkedKey, username: string): Promise<void>;
  /** What may be shown of a linked key. */
  describe(owner: KeyOwner): Promise<LinkedKey | undefined>;
  /** For calls on its owner's behalf. Rejects with `UnreadableKeyError` where its seal cannot be opened. */
  open(owner: KeyOwner): Promise<OpenKey | undefined>;
  /** Says whether there was one. */
  unlink(owner: KeyOwner): Promise<boolean>;
}

export function createCredentials({
  store,
  vault,
  clock,
  log,
  operatorKey,
}: {
  store: Store;
  vault: Vault;
  clock: Clock;
  log: Log;
  operatorKey: string | undefined;
}): Credentials {
  const keys = store.collection(sealedKeys.collection, linkedKey);
  const idOf = ({ kind, id }: KeyOwner) => `${kind}:${id}`;

  async function open(owner: KeyOwner): Promise<OpenKey | undefined> {
    const linked = await keys.get(idOf(owner));
    return linked && unseal(owner, linked);
  }

  async function unseal(owner: KeyOwner, linked: LinkedKey): Promise<OpenKey> {
    const id = idOf(owner);
    let apiKey: string;
    try {
      apiKey = vault.open(linked.sealed, id);
    } catch (cause) {
      log.error({ err: cause, owner: id }, 'a linked key cannot be opened; its owner has to link it again');
      throw new UnreadableKeyError(owner, { cause });
    }
    if (vault.isStale(linked.sealed)) await keys.set(id, { ...linked, sealed: vault.seal(apiKey, id) });
    return { ...linked, apiKey };
  }

  return {
    open,

    async resolve({ member, guildId }) {
      const owners: KeyOwner[] = [{ kind: 'member', id: member.id }];
      if (guildId !== null) owners.push({ kind: 'guild', id: guildId });
      // Read at once: a member waits for the first answer.
      const found = await Promise.all(
        owners.map(async (payer) => ({ payer, linked: await keys.get(idOf(payer)) })),
      );
      for (const { payer, linked } of found) {
        if (linked) return { apiKey: (await unseal(payer, linked)).apiKey, payer };
      }
      return operatorKey === undefined ? undefined : { apiKey: operatorKey, payer: { kind: 'operator' } };
    },

    async link(owner, { apiKey, ...shown }) {
      const id = idOf(owner);
      const linked = {
        ...shown,
        sealed: vault.seal(apiKey, id),
        tail: apiKey.slice(-4),
        linkedAt: clock.now(),
      };
      await keys.set(id, linked);
      // Of the key that it replaces nothing stays.
      await store.wipeDeleted();
      return linked;
    },

    async setUsername(owner, { sealed }, username) {
      const linked = await keys.get(idOf(owner));
      if (linked?.sealed === sealed) await keys.set(idOf(owner), { ...linked, username });
    },

    describe: (owner) => keys.get(idOf(owner)),

    async unlink(owner) {
      const id = idOf(owner);
      const linked = await keys.get(id);
      await keys.delete(id);
      await store.wipeDeleted();
      return linked !== undefined;
    },
  };
}

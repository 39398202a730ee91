/** Creates, changes, rotates and revokes API keys, each with its audit entries: for pages, the management API and the command line. */
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { AccountStore, DirectoryChangeStore, Key, KeyChanges } from '../store/store.ts';
import { makeKey, type NewKey } from './api-keys.ts';
import { changeDirectory } from './change-directory.ts';
import type { Directory } from './directory.ts';
import { changeEntries, creationEntry, describeKey } from './key-audit.ts';
import { checkKeyName, isSameKeyName } from './key-names.ts';
import { endOverlap, rotate, undoRotation } from './key-rotation.ts';

export interface KeyAdminOptions {
  readonly store: Pick<AccountStore, 'ifDirectoryIs'>;
  readonly directory: Pick<Directory, 'refresh' | 'keysOf'>;
  readonly makeId: MakeId;
  /** Whether valid keys of a mode may have the same name, as on the command line, whose calls scripts repeat. Default: no. */
  readonly namesMayRepeat?: boolean;
}

type NewKeySettings = Omit<NewKey, 'id' | 'secret'>;
type Changes = Omit<KeyChanges, 'revokedAt'>;

/** `secret`: to be shown once; it is stored nowhere. */
export interface KeyWithSecret {
  readonly key: Key;
  readonly secret: string;
}

/** Key as the caller knows it. */
type KnownKey = Pick<Key, 'id' | 'accountId'>;
/** Decides on the current key whether it may change: nothing is saved if the key changes after it has looked. @throws to refuse */
export type CheckKey = (current: Key) => void | Promise<void>;

/** Keys are read from the directory. A change of a key that does not exist does nothing. */
export interface KeyAdmin {
  /** @throws Problem `conflict` if the account has a valid key of its mode with its name */
  create(settings: NewKeySettings, audit: MakeAuditEntry): Promise<KeyWithSecret>;
  /**
   * Writes what `changes` names. A name, thresholds, the enforced share, expiry and ranges are an entry each.
   * @throws Problem `conflict` if another valid key of its mode has the new name; what `check` throws
   */
  change(key: KnownKey, changes: Changes, audit: MakeAuditEntry, check?: CheckKey): Promise<void>;
  /** A revoked key stays as it is. @param now milliseconds since the epoch. @throws what `check` throws */
  revoke(key: KnownKey, now: number, audit: MakeAuditEntry, check?: CheckKey): Promise<void>;
  /**
   * Replaces its secret. The old one is valid for `overlapMs` more, at most `MAX_OVERLAP_MS`. @returns the new one
   * @throws Problem `conflict` where it is revoked, or has two valid secrets already; what `check` throws
   */
  rotate(key: KnownKey, rotation: Rotation, audit: MakeAuditEntry, check?: CheckKey): Promise<string>;
  /** Refuses its old secret from now on. @throws Problem `conflict` where that is not valid any more; what `check` throws */
  endOverlap(key: KnownKey, now: number, audit: MakeAuditEntry, check?: CheckKey): Promise<void>;
  /** Takes a rotation back while the old secret is valid, in the same way. */
  undoRotation(key: KnownKey, now: number, audit: MakeAuditEntry, check?: CheckKey): Promise<void>;
}

export interface Rotation {
  readonly overlapMs: number;
  readonly now: number;
}

export function createKeyAdmin(options: KeyAdminOptions): KeyAdmin {
  const { directory, makeId, namesMayRepeat = false } = options;
  const currentOf = ({ accountId, id }: KnownKey) => directory.keysOf(accountId).find((key) => key.id === id);
  /** `undefined` where there is no such key. */
  function decide<T>(
    key: KnownKey,
    check: CheckKey | undefined,
    change: (store: DirectoryChangeStore, current: Key) => Promise<T>,
  ): Promise<T | undefined> {
    return changeDirectory(options, async (store) => {
      const current = currentOf(key);
      if (current === undefined) return undefined;
      await check?.(current);
      return change(store, current);
    });
  }
  return {
    async create(settings, audit) {
      const made = makeKey({ ...settings, id: makeId('key', settings.now) });
      await changeDirectory(options, async (store) => {
        if (!namesMayRepeat) checkKeyName(directory.keysOf(made.key.accountId), made.key);
        await store.saveKey(made.key, creationEntry(made.key, audit));
      });
      return made;
    },
    async change(key, changes, audit, check) {
      await decide(key, check, async (store, before) => {
        const { name = before.name } = changes;
        if (!namesMayRepeat && !isSameKeyName(name, before.name))
          checkKeyName(directory.keysOf(key.accountId), { ...before, name });
        await store.changeKey(key.id, changes, ...changeEntries(before, changes, audit));
      });
    },
    async revoke(key, now, audit, check) {
      await decide(key, check, async (store, before) => {
        if (before.revokedAt !== null) return;
        const entry = audit('key.revoke', describeKey(before), `${before.prefix}…`);
        await store.changeKey(key.id, { revokedAt: now }, entry);
      });
    },
    async rotate(key, rotation, audit, check) {
      const secret = await decide(key, check, (store, before) => rotate(store, before, rotation, audit));
      if (secret === undefined) throw new Problem('not_found');
      return secret;
    },
    async endOverlap(key, now, audit, check) {
      await decide(key, check, (store, before) => endOverlap(store, before, now, audit));
    },
    async undoRotation(key, now, audit, check) {
      await decide(key, check, (store, before) => undoRotation(store, before, now, audit));
    },
  };
}

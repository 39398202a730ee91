/** Creates, changes and revokes API keys, each with its audit entries: for pages, the management API and the command line. */
import type { MakeId } from '../contract/identifiers.ts';
import type { AuditEntry, MakeAuditEntry } from '../store/audit-store.ts';
import type { AccountStore, Key, KeyChanges } from '../store/store.ts';
import { makeKey, type NewKey } from './api-keys.ts';
import { describeThresholds } from './audit-log.ts';
import { changeDirectory } from './change-directory.ts';
import type { Directory } from './directory.ts';
import { checkKeyName, isSameKeyName } from './key-names.ts';

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
   * Writes what `changes` names. A name, thresholds, and shadow mode that begins or ends are an entry each.
   * @throws Problem `conflict` if another valid key of its mode has the new name; what `check` throws
   */
  change(key: KnownKey, changes: Changes, audit: MakeAuditEntry, check?: CheckKey): Promise<void>;
  /** A revoked key stays as it is. @param now milliseconds since the epoch. @throws what `check` throws */
  revoke(key: KnownKey, now: number, audit: MakeAuditEntry, check?: CheckKey): Promise<void>;
}

export function createKeyAdmin(options: KeyAdminOptions): KeyAdmin {
  const { directory, makeId, namesMayRepeat = false } = options;
  const currentOf = ({ accountId, id }: KnownKey) => directory.keysOf(accountId).find((key) => key.id === id);
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
      await changeDirectory(options, async (store) => {
        const before = currentOf(key);
        if (before === undefined) return;
        await check?.(before);
        const { name = before.name } = changes;
        if (!namesMayRepeat && !isSameKeyName(name, before.name))
          checkKeyName(directory.keysOf(key.accountId), { ...before, name });
        await store.changeKey(key.id, changes, ...changeEntries(before, changes, audit));
      });
    },
    async revoke(key, now, audit, check) {
      await changeDirectory(options, async (store) => {
        const before = currentOf(key);
        if (before === undefined || before.revokedAt !== null) return;
        await check?.(before);
        const entry = audit('key.revoke', describeKey(before), `${before.prefix}…`);
        await store.changeKey(key.id, { revokedAt: now }, entry);
      });
    },
  };
}

function creationEntry(key: Key, audit: MakeAuditEntry): AuditEntry {
  const { prefix, thresholds, shadow } = key;
  const detail = `${prefix}…, ${describeThresholds('key', thresholds)}${shadow ? ', shadow mode' : ''}`;
  return audit('key.create', describeKey(key), detail);
}

function changeEntries(before: Key, changes: Changes, audit: MakeAuditEntry): AuditEntry[] {
  const { name = before.name, thresholds, shadow = before.shadow } = changes;
  const entries: AuditEntry[] = [];
  if (changes.name !== undefined) entries.push(audit('key.rename', `key ${name}`, `was ${before.name}`));
  if (shadow !== before.shadow) {
    const [action, detail] = describeShadow(shadow);
    entries.push(audit(action, describeKey({ ...before, name }), detail));
  }
  if (thresholds !== undefined)
    entries.push(audit('thresholds.set', `key ${name}`, describeThresholds('key', thresholds)));
  return entries;
}

/** `sandbox key staging`: keys for tests are called so on every page. */
function describeKey({ mode, name }: Pick<Key, 'mode' | 'name'>): string {
  return `${mode === 'test' ? 'sandbox' : mode} key ${name}`;
}

/** The action and the detail of an entry about a key that begins or ends shadow mode. */
function describeShadow(shadow: boolean): readonly [action: string, detail: string] {
  return shadow ? ['key.shadow', 'every answer is allow'] : ['key.enforce', 'answers are the verdicts'];
}

/** Creates, changes and revokes API keys, each with its audit entries: for pages, the management API and the command line. */
import type { MakeId } from '../contract/identifiers.ts';
import type { AuditEntry, MakeAuditEntry } from '../store/audit-store.ts';
import type { AccountStore, Key, KeyChanges } from '../store/store.ts';
import { makeKey, type NewKey } from './api-keys.ts';
import { describeThresholds } from './audit-log.ts';

export interface KeyAdminOptions {
  readonly store: Pick<AccountStore, 'saveKey' | 'saveKeyOnce' | 'changeKey'>;
  readonly makeId: MakeId;
}

type NewKeySettings = Omit<NewKey, 'id' | 'secret'>;
type Changes = Omit<KeyChanges, 'revokedAt'>;

/** `secret`: to be shown once; it is stored nowhere. */
export interface KeyWithSecret {
  readonly key: Key;
  readonly secret: string;
}

/** Keys are read from the directory, or from the store's `changesSince`. */
export interface KeyAdmin {
  create(settings: NewKeySettings, audit: MakeAuditEntry): Promise<KeyWithSecret>;
  /** Creates a key as `create` does; `undefined` if the account has a valid key of its mode with its name. */
  createOnce(settings: NewKeySettings, audit: MakeAuditEntry): Promise<KeyWithSecret | undefined>;
  /** Writes what `changes` names. A name, thresholds, and shadow mode that begins or ends are an entry each. */
  change(before: Key, changes: Changes, audit: MakeAuditEntry): Promise<void>;
  /** A revoked key stays as it is. @param now milliseconds since the epoch */
  revoke(key: Key, now: number, audit: MakeAuditEntry): Promise<void>;
}

export function createKeyAdmin({ store, makeId }: KeyAdminOptions): KeyAdmin {
  const make = (settings: NewKeySettings) => makeKey({ ...settings, id: makeId('key', settings.now) });
  return {
    async create(settings, audit) {
      const made = make(settings);
      await store.saveKey(made.key, creationEntry(made.key, audit));
      return made;
    },
    async createOnce(settings, audit) {
      const made = make(settings);
      return (await store.saveKeyOnce(made.key, creationEntry(made.key, audit))) ? made : undefined;
    },
    async change(before, changes, audit) {
      await store.changeKey(before.id, changes, ...changeEntries(before, changes, audit));
    },
    async revoke(key, now, audit) {
      if (key.revokedAt !== null) return;
      const entry = audit('key.revoke', describeKey(key), `${key.prefix}…`);
      await store.changeKey(key.id, { revokedAt: now }, entry);
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

/** The port for erasing the stored data of a person: counts stay. */
import type { HashedPerson } from '../model/hashed-person.ts';
import type { StoredText } from '../model/text-cache.ts';
import type { AuditEntry } from './audit-store.ts';
import type { StoredAssessment } from './stored-assessment.ts';

/** The row that takes the place of an erased assessment. */
export interface AnonymousAssessment {
  readonly erasedId: string;
  /** Counts like the original: account, key, mode, instant, verdict, score and reasons are the same. Its id has the same time. */
  readonly replacement: StoredAssessment;
}

/** `undefined`: the entry stays as it is. */
export type RedactAuditEntry = (
  entry: AuditEntry,
) => Pick<AuditEntry, 'target' | 'detail' | 'subject'> | undefined;

export interface CachedTextChange {
  readonly name: string;
  /** `null`: it goes. */
  readonly stored: StoredText | null;
}

export interface NotedErasure {
  readonly person: HashedPerson;
  /** The person who asked for it, as the audit log names them; `null` once it is ended, or where only a list of erasures names it. */
  readonly by: string | null;
  /** Time at which it was ended, milliseconds since the epoch; `null`: not yet. */
  readonly appliedAt: number | null;
}

export interface ErasureStore {
  /**
   * Puts anonymous assessments in the places of others, some at a time, then in the index: credits and counts stay. Feedback loses its
   * note, challenges their return address, idempotency keys go. In the embedded store no other process may use the data
   * folder, because the index in its memory would keep what is erased.
   */
  anonymizeAssessments(erased: readonly AnonymousAssessment[]): Promise<void>;
  /**
   * Replaces texts of an account's entries where `redact` gives others: beside the history of list entries, the only
   * change that entries of the audit log ever see.
   * @returns how many entries changed
   */
  redactAudit(accountId: string, redact: RedactAuditEntry): Promise<number>;
  /** Replaces cached texts, or removes those without a text, in one transaction; all nodes read them again. */
  replaceCachedTexts(changes: readonly CachedTextChange[]): Promise<void>;
  /**
   * Overwrites, in the embedded store, what files keep in free places. Takes a while; others are served.
   * @param stopping ends it early
   */
  overwriteFreed(stopping?: () => boolean): Promise<void>;
  /**
   * Writes the file of the embedded store again, so that it keeps nothing that was erased in any place. Nothing can be
   * stored meanwhile. Needs as much free space as the file has.
   */
  rewriteAll(): Promise<void>;
  /** Forgets the whole index of the history, in the embedded store; it is made again from what is stored. */
  rebuildIndex(): Promise<void>;
  /** Notes an erasure, once, before anything is erased. @param by who asked for it, for the audit log; `null`: a list of erasures */
  noteErasure(person: HashedPerson, by: string | null): Promise<void>;
  /** Nothing of it is left to do. @param at milliseconds since the epoch */
  endErasure(person: HashedPerson, at: number): Promise<void>;
  erasures(): Promise<readonly NotedErasure[]>;
}

/** Versions of what a page shows: a change comes with the version that it was decided on, and is refused if something of it changed meanwhile. */
import { createHash } from 'node:crypto';
import { type MeanwhileChange, Problem } from '../contract/problem.ts';
import type { AuditEntry, AuditStore } from '../store/audit-store.ts';
import { toInstant } from './dashboard-history.ts';
import { unusable } from './dashboard-values.ts';

/** Something that a change is decided on. */
export interface Fact {
  /** Letters only. */
  readonly name: string;
  /** Value that JSON can hold. */
  readonly value: unknown;
  /** Says what an entry of the audit log did to it: `set challenge 33, block 58`; `undefined`: nothing. */
  describe(entry: AuditEntry): string | undefined;
}

export interface StateVersionOptions {
  readonly store: Pick<AuditStore, 'auditEntries'>;
  /** Account whose audit log has the changes; `null`: the log of the installation has them. */
  readonly accountId: string | null;
}

/** Entries of the audit log among which the change is looked for, newest first. */
const MAX_ENTRIES = 200;
const HASH_LENGTH = 12;

/** Version of several facts. It says nothing of their values; the same values have the same version. */
export function versionOf(facts: readonly Fact[]): string {
  return facts.map((fact) => `${fact.name}-${hashOf(fact)}`).join('.');
}

/**
 * @param version what the caller has read; `undefined`: the caller changes whatever there is
 * @param facts current ones; those that the version does not name do not matter
 * @throws Problem `changed_meanwhile` with who changed what; `invalid_value` if the version names none of them
 */
export async function requireVersion(
  version: string | undefined,
  facts: readonly Fact[],
  options: StateVersionOptions,
): Promise<void> {
  if (version === undefined || version === '') return;
  const sent = new Map(version.split('.').map((part) => part.split('-', 2) as [string, string]));
  const known = facts.filter(({ name }) => sent.has(name));
  if (known.length === 0)
    throw unusable('version', 'The version belongs to something else.', 'Send the `version` that you read.');
  const changed = known.filter((fact) => sent.get(fact.name) !== hashOf(fact));
  if (changed.length === 0) return;
  throw changedMeanwhile(await findChanges(changed, options));
}

function hashOf({ value }: Fact): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, HASH_LENGTH);
}

/** The newest change of each fact, newest first. */
async function findChanges(
  facts: readonly Fact[],
  { store, accountId }: StateVersionOptions,
): Promise<MeanwhileChange[]> {
  const { entries } = await store.auditEntries(accountId, null, MAX_ENTRIES);
  const looked = new Set(facts);
  return entries.flatMap((entry) => {
    const fact = [...looked].find((each) => each.describe(entry) !== undefined);
    if (fact === undefined) return [];
    looked.delete(fact);
    return { by: entry.by, at: toInstant(entry.at), what: fact.describe(entry) as string };
  });
}

function changedMeanwhile(meanwhile: readonly MeanwhileChange[]): Problem {
  const sentences = meanwhile.map(({ by, what }) => `${by} ${what}.`);
  return new Problem('changed_meanwhile', undefined, {
    message: sentences.length === 0 ? 'Somebody else changed this meanwhile.' : sentences.join(' '),
    meanwhile,
  });
}

/** Finds the entries of an account's lists that a new entry contradicts, and says which of the two decides. */
import { type Block, maskWords, parseBlock } from '../address/block.ts';
import { parseIp } from '../address/ip.ts';
import { isHashedKind, type ListEntry } from '../model/list-entry.ts';

/** A new entry, as it is stored. */
export interface ListDraft extends Pick<ListEntry, 'action' | 'kind' | 'value' | 'shown'> {
  /** Hashes of an address or a mailbox under every key in use. */
  readonly hashes?: readonly string[];
  /** Hashes of the mailbox of an address under every key in use. */
  readonly mailboxHashes?: readonly string[];
}

export interface ListConflict {
  /** An entry that does the opposite, and matches some of the same signups. */
  readonly entry: ListEntry;
  /** The one that decides these signups. */
  readonly winner: 'new' | 'existing';
}

/** The other entry matches the same signups, all of them and more, or a part of them. */
type Relation = 'same' | 'wider' | 'narrower';

/**
 * Entries of the account that have not expired and do the opposite, for the same value or for a wider or narrower one. For the
 * same value the entry that allows wins, otherwise the narrower one.
 *
 * @param now milliseconds since the epoch
 */
export function conflictsOf(draft: ListDraft, others: readonly ListEntry[], now: number): ListConflict[] {
  return others.flatMap((entry) => {
    if (!isOpposite(draft, entry) || (entry.expiresAt !== null && entry.expiresAt <= now)) return [];
    const relation = relationOf(draft, entry);
    if (relation === undefined) return [];
    return [{ entry, winner: isNewWinner(draft, relation) ? ('new' as const) : ('existing' as const) }];
  });
}

/** Whether one allows what the other denies. */
export function isOpposite(a: Pick<ListEntry, 'action'>, b: Pick<ListEntry, 'action'>): boolean {
  return (a.action === 'allow' && b.action === 'deny') || (a.action === 'deny' && b.action === 'allow');
}

function isNewWinner({ action }: ListDraft, relation: Relation): boolean {
  return relation === 'same' ? action === 'allow' : relation === 'wider';
}

function relationOf(draft: ListDraft, other: ListEntry): Relation | undefined {
  const { kind, value, hashes = [], mailboxHashes = [] } = draft;
  if (kind === other.kind && (value === other.value || hashes.includes(other.value))) return 'same';
  if (other.kind === 'mailbox' && mailboxHashes.includes(other.value)) return 'wider';
  return relationOfDomains(draft, other) ?? relationOfBlocks(draft, other);
}

function relationOfDomains(draft: ListDraft, other: ListEntry): Relation | undefined {
  const [own, others] = [domainOf(draft), domainOf(other)];
  if (own === undefined || others === undefined) return undefined;
  if (other.kind === 'domain' && (own.endsWith(`.${others}`) || (isHashedKind(draft.kind) && own === others)))
    return 'wider';
  const isWithin = others.endsWith(`.${own}`) || (isHashedKind(other.kind) && own === others);
  return draft.kind === 'domain' && isWithin ? 'narrower' : undefined;
}

/** The domain of an address is never masked. */
function domainOf({ kind, value, shown }: ListDraft): string | undefined {
  if (kind === 'domain') return value;
  return isHashedKind(kind) ? shown.slice(shown.lastIndexOf('@') + 1) : undefined;
}

function relationOfBlocks(draft: ListDraft, other: ListEntry): Relation | undefined {
  const [own, others] = [blockOf(draft), blockOf(other)];
  if (own === undefined || others === undefined) return undefined;
  if (others.bits < own.bits && isWithinBlock(own, others)) return 'wider';
  return own.bits < others.bits && isWithinBlock(others, own) ? 'narrower' : undefined;
}

function blockOf({ kind, value }: Pick<ListEntry, 'kind' | 'value'>): Block | undefined {
  if (kind === 'cidr') return parseBlock(value);
  const ip = kind === 'ip' ? parseIp(value) : undefined;
  return ip && { base: ip, bits: 32 * ip.words.length };
}

function isWithinBlock({ base }: Block, wider: Block): boolean {
  if (base.version !== wider.base.version) return false;
  const masked = maskWords(base.words, wider.bits);
  return masked.every((word, at) => word === (wider.base.words[at] as number) >>> 0);
}

/** Decides which mailboxes of a list are farms: with more addresses (tags, dots, other names of one provider) than one person has. */
import type { ScanRow } from './scan-row.ts';

/** Addresses from which on they are more than a person's tags. */
const MIN_ADDRESSES = 6;
/** The same name with dots at different places: people keep to one or two. */
const MIN_DOTTED = 3;

export interface ScanFarm {
  /** Distinct addresses, without the mailbox's own. */
  readonly spellings: number;
  /** Rows in order of time; an address may be in several. Its owner is not among them: strangers may have written the rest. */
  readonly rows: readonly ScanRow[];
}

export interface ScanMailboxes {
  /** The largest first. */
  readonly farms: readonly ScanFarm[];
  /** Mailboxes with several addresses that are no farms, and their users. */
  readonly few: { readonly mailboxes: number; readonly users: number };
}

/** @param rows in order of time */
export function findFarms(rows: readonly ScanRow[]): ScanMailboxes {
  const spelled = new Set(rows.flatMap(({ member }) => (member.isCanonical ? [] : [member.mailbox])));
  const byMailbox = new Map<string, ScanRow[]>();
  for (const row of rows) {
    const { mailbox } = row.member;
    if (!spelled.has(mailbox)) continue;
    const known = byMailbox.get(mailbox);
    if (known === undefined) byMailbox.set(mailbox, [row]);
    else known.push(row);
  }
  const farms: ScanFarm[] = [];
  const few = { mailboxes: 0, users: 0 };
  for (const members of byMailbox.values()) {
    const others = members.filter(({ member }) => !member.isCanonical);
    const addresses = addressesOf(members);
    const dotted = addressesOf(others.filter(({ isTagged }) => !isTagged));
    if (addresses >= MIN_ADDRESSES || dotted >= MIN_DOTTED)
      farms.push({ spellings: addressesOf(others), rows: others });
    else if (addresses > 1) {
      few.mailboxes += 1;
      few.users += members.length;
    }
  }
  return { farms: farms.sort((a, b) => b.spellings - a.spellings), few };
}

function addressesOf(rows: readonly ScanRow[]): number {
  return new Set(rows.map(({ member }) => member.addressHash)).size;
}

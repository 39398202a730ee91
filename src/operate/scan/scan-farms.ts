/** Decides which mailboxes of a list have many spellings: tags, dots and other names of one provider. */
import type { ScanRow } from './scan-row.ts';

/** One person has two; the third is more than a habit. */
const MIN_SPELLINGS = 3;

export interface ScanFarm {
  /** Distinct addresses. */
  readonly spellings: number;
  /** Rows in order of time; an address may be in several. */
  readonly rows: readonly ScanRow[];
}

/** Farms, the largest first. @param rows in order of time */
export function findFarms(rows: readonly ScanRow[]): ScanFarm[] {
  const spelled = new Set(rows.flatMap(({ member }) => (member.isCanonical ? [] : [member.mailbox])));
  const byMailbox = new Map<string, ScanRow[]>();
  for (const row of rows) {
    const { mailbox } = row.member;
    if (!spelled.has(mailbox)) continue;
    const known = byMailbox.get(mailbox);
    if (known === undefined) byMailbox.set(mailbox, [row]);
    else known.push(row);
  }
  return [...byMailbox.values()]
    .map((members) => ({
      spellings: new Set(members.map(({ member }) => member.addressHash)).size,
      rows: members,
    }))
    .filter(({ spellings }) => spellings >= MIN_SPELLINGS)
    .sort((a, b) => b.spellings - a.spellings);
}

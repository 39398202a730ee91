/** Facts about one user of a list, before the list is looked at as a whole. */
import type { MxStatus } from '../../model/evidence.ts';
import type { toMember } from '../../waves/to-member.ts';

export interface ScanRow {
  /** Number of its line in the file. */
  readonly line: number;
  readonly email: string;
  /** `j***@example.com`. */
  readonly masked: string;
  /** Milliseconds since the epoch; `null` without a time. */
  readonly at: number | null;
  readonly isDisposable: boolean;
  /** Why the domain takes no mail; empty where it does, or where that is not known. */
  readonly dead: Exclude<MxStatus, 'valid' | 'unknown'> | '';
  readonly isRole: boolean;
  /** Whether it differs from its mailbox by more than dots. */
  readonly isTagged: boolean;
  /** The provider that was probably meant; empty where nothing else was. */
  readonly providerMeant: string;
  readonly member: ReturnType<typeof toMember>;
}

/** Rows in order of time, each with the time under which it is counted. */
export function inOrderOfTime(rows: readonly ScanRow[], now: number): ScanRow[] {
  const first = rows.find(({ at }) => at !== null)?.at ?? now;
  let last = first;
  const timed = rows.map((row) => {
    // A row without a time is as old as its neighbour in the file.
    last = row.at ?? last;
    return row.member.at === last ? row : { ...row, member: { ...row.member, at: last } };
  });
  return timed.sort((a, b) => a.member.at - b.member.at || a.line - b.line);
}

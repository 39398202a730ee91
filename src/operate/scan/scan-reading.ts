/** Reads a list of users: each row is looked up on its own, or counted as one that cannot be used. */
import { type AddressHashes, maskEmail } from '../../address/fingerprint.ts';
import { mailboxOf } from '../../address/mailbox.ts';
import { Problem } from '../../contract/problem.ts';
import type { Gather, Subject } from '../../evidence/gather.ts';
import { deniesMail } from '../../evidence/sources/dns-mail-answer.ts';
import type { Evidence } from '../../model/evidence.ts';
import { velocityAlone } from '../../signup/past-signup.ts';
import { readSignupAttempt, toSubject } from '../../signup/prepare-signup.ts';
import { toMember } from '../../waves/to-member.ts';
import type { SignupRecord, UnreadableLine } from '../signup-file/signup-parser.ts';
import { BAD_TIME, parsePastTime } from '../signup-file/signup-time.ts';
import { createUnusedRows, type UnusedRows } from '../signup-file/unused-rows.ts';
import type { ScanRow } from './scan-row.ts';

/** Rows whose domains are asked for side by side. */
const MAX_OPEN = 64;
/** Rows that fit into memory: each takes about two kilobytes. */
const MAX_ROWS = 1_000_000;
export const SCANNED_ACCOUNT = 'scan';

export interface ScanReadingOptions {
  readonly gather: Gather;
  readonly hashes: AddressHashes;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface ScanReading {
  /** @throws when there are too many rows for the memory */
  add(batch: readonly (SignupRecord | UnreadableLine)[]): Promise<void>;
  /** Waits for the rows whose domains are still asked for. */
  finish(): Promise<void>;
  readonly read: number;
  /** Rows in the order of the file. */
  rows(): ScanRow[];
  unused(): readonly UnusedRows[];
}

export function createScanReading({ gather, hashes, clock }: ScanReadingOptions): ScanReading {
  const unused = createUnusedRows();
  const found: ScanRow[] = [];
  const open: Promise<void>[] = [];
  let read = 0;

  /** Problem of the row; otherwise its look-up, which may have ended. */
  function look(record: SignupRecord): Promise<void> | undefined {
    const at = record.time === '' ? null : parsePastTime(record.time, clock());
    if (at === undefined) return void unused.add(BAD_TIME, record.line, record.time);
    const subject = subjectOf(record, at);
    if (typeof subject === 'string') return void unused.add(subject, record.line, null);
    const evidence = gather(subject, velocityAlone(subject));
    const keep = (gathered: Evidence) => void found.push(toRow(record, at, subject, gathered));
    return evidence instanceof Promise ? evidence.then(keep) : keep(evidence);
  }

  function subjectOf({ email, ip }: SignupRecord, at: number | null): Subject | string {
    try {
      const attempt = readSignupAttempt({ email, ...(ip !== '' && { ip }) });
      return toSubject(attempt, { id: String(read), account: SCANNED_ACCOUNT, at: at ?? 0 }, hashes);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return error.message.replace(/\.$/, '');
    }
  }

  return {
    async add(batch) {
      for (const record of batch) {
        read += 1;
        if (read > MAX_ROWS) throw new Error(TOO_MANY);
        if ('problem' in record) {
          unused.add(record.problem, record.line, null);
          continue;
        }
        const looking = look(record);
        if (looking !== undefined && open.push(looking) >= MAX_OPEN) await open.shift();
      }
    },
    async finish() {
      await Promise.all(open.splice(0));
    },
    get read() {
      return read;
    },
    rows: () => found.sort((a, b) => a.line - b.line),
    unused: unused.list,
  };
}

const TOO_MANY = `the list has more than ${MAX_ROWS.toLocaleString('en-US')} rows: split it by time, and scan each part`;

function toRow({ line }: SignupRecord, at: number | null, subject: Subject, evidence: Evidence): ScanRow {
  const { disposable, mx, role, providerMeant } = evidence.email;
  return {
    line,
    email: subject.email.address,
    masked: maskEmail(subject.email),
    at,
    isDisposable: disposable,
    dead: deniesMail(mx) ? (mx.status as ScanRow['dead']) : '',
    isRole: role,
    isTagged: withoutDots(subject.email.local) !== withoutDots(mailboxOf(subject.email).split('@')[0] ?? ''),
    providerMeant,
    member: toMember(subject, evidence.email, evidence.ip),
  };
}

function withoutDots(local: string): string {
  return local.replace(/[._-]/g, '');
}

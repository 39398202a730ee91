/** Signups as the history counts them, for tests of what watches them: with the history's own grouping, without a database. */
import type { Verdict } from '../../src/contract/messages.ts';
import { countFound, createCountGroups } from '../../src/store/history-groups.ts';
import type { HistoryEntry, HistorySearch, HistoryStore } from '../../src/store/history-store.ts';

/** Absent members: those of everybody else's signups. */
export interface SignupInMemory {
  readonly at: number;
  readonly keyId?: string;
  readonly ip?: string;
  readonly asn?: number;
  readonly domain?: string;
  readonly mailbox?: string;
  readonly session?: string;
  readonly verdict?: Verdict;
}

const DAY_MS = 86_400_000;

export function keepInMemory(): {
  add(...signups: readonly SignupInMemory[]): void;
  readonly history: Pick<HistoryStore, 'countGroups' | 'dayCounts' | 'findAssessments'>;
} {
  const entries: HistoryEntry[] = [];
  const mailboxes = new Map<HistoryEntry, string>();
  const find = ({ from = 0, to = Number.POSITIVE_INFINITY, keyId, verdicts }: HistorySearch) =>
    entries.filter(
      (entry) =>
        entry.at >= from &&
        entry.at < to &&
        (keyId === undefined || entry.keyId === keyId) &&
        (verdicts === undefined || verdicts.includes(entry.verdict)),
    );
  return {
    add(...signups) {
      for (const signup of signups) {
        const entry = toEntry(signup, entries.length);
        entries.push(entry);
        mailboxes.set(entry, signup.mailbox ?? `mailbox ${entries.length}`);
      }
    },
    history: {
      countGroups: createCountGroups(async (_, search, by) => {
        const found = find(search).map((entry, seq) => {
          const hashes = { mailboxHash: mailboxes.get(entry) as string, addressHash: '' };
          return { entry, seq, network: entry.ip, ...hashes };
        });
        return { counts: countFound(found, by), rowsRead: found.length, next: null };
      }),
      async dayCounts(_, from, to) {
        const days = new Set(find({ from, to }).map(({ at }) => Math.floor(at / DAY_MS)));
        return [...days]
          .sort((a, b) => a - b)
          .map((day) => ({ day: new Date(day * DAY_MS).toISOString().slice(0, 10), live: 1, test: 0 }));
      },
      async findAssessments(_, search) {
        return { rows: find(search).slice(0, 1), next: null, partial: false };
      },
    },
  };
}

function toEntry(signup: SignupInMemory, number: number): HistoryEntry {
  const { at, keyId = 'key_web', domain = 'gmail.com', session = `s_${number}`, verdict = 'allow' } = signup;
  const place = {
    ip: signup.ip ?? `79.${number % 200}.${number % 250}.7`,
    asn: signup.asn ?? 64_500 + (number % 400),
  };
  const shown = {
    email: `j***@${domain}`,
    emailDomain: domain,
    countryCode: 'FR',
    keyName: '',
    feedback: null,
  };
  const judged = { mode: 'live', shadow: false, verdict, score: 0, reasons: [], facts: '' } as const;
  return { requestId: `req_${number}`, at, keyId, sessionId: session, ...place, ...shown, ...judged };
}

/** Replays past signups in their order: each is compared, or counted as a row that could not be used. */
import type { Verdict } from '../../contract/messages.ts';
import { Problem } from '../../contract/problem.ts';
import type { SignupRecord, UnreadableLine } from '../signup-file/signup-parser.ts';
import { MAX_LATE_MS } from '../signup-file/signup-source.ts';
import { BAD_TIME, parsePastTime } from '../signup-file/signup-time.ts';
import { createUnusedRows, type UnusedRows } from '../signup-file/unused-rows.ts';
import type { Agreement, JudgePastSignup, PastJudgement, PastSignup, WhyVerdict } from './mirror.ts';

/** The first signup of a group of disagreement. */
export interface MirrorExample {
  readonly line: number;
  readonly email: string;
  readonly score: number;
  readonly why: WhyVerdict;
}

/** A signup that both have judged. */
export interface JudgedRow {
  readonly record: SignupRecord;
  readonly theirs: Verdict;
  readonly judgement: PastJudgement;
}

export interface MirrorRunOptions {
  readonly judge: JudgePastSignup;
  readonly agreement: Agreement<MirrorExample>;
  readonly readVerdict: (text: string) => Verdict | { readonly problem: string };
  /** `arrival`: a signup without a time happens now. */
  readonly order: 'as it is' | 'sorted' | 'arrival';
  readonly showAddresses: boolean;
  readonly onJudged: (row: JudgedRow) => void;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface MirrorRun {
  replay(batch: readonly (SignupRecord | UnreadableLine)[]): Promise<void>;
  /** Waits for the signups that sources are still asked about. */
  finish(): Promise<void>;
  readonly read: number;
  /** Signups more than a minute older than a signup before them: they were counted at its time. */
  readonly late: number;
  /** Compared signups that have no time: no velocity is known of them. */
  readonly untimed: number;
  unused(): readonly UnusedRows[];
}

/** Signups whose sources are asked side by side. */
const MAX_OPEN = 64;

export function createMirrorRun(options: MirrorRunOptions): MirrorRun {
  const { readVerdict, order, clock } = options;
  const unused = createUnusedRows();
  const judgeRow = createJudgeRow(options);
  const open: Promise<void>[] = [];
  const count = { read: 0, late: 0, untimed: 0 };
  let newest = Number.NEGATIVE_INFINITY;

  /** `undefined` for a time that cannot be used. */
  function timeOf({ time }: SignupRecord): number | null | undefined {
    if (time === '') return order === 'arrival' ? clock() : null;
    return parsePastTime(time, clock());
  }

  /** Counters must not see a time that goes back: they would take it as a clock that was set back. */
  function forward(at: number | null): number | null {
    if (at === null) return null;
    if (at < newest - MAX_LATE_MS) count.late += 1;
    newest = Math.max(newest, at);
    return newest;
  }

  function start(record: SignupRecord): Promise<void> | undefined {
    const theirs = readVerdict(record.verdict);
    if (typeof theirs !== 'string') return void unused.add(theirs.problem, record.line, record.verdict);
    const at = timeOf(record);
    if (at === undefined) return void unused.add(BAD_TIME, record.line, record.time);
    if (at === null) count.untimed += 1;
    try {
      return judgeRow(record, theirs, forward(at));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return void unused.add(
        `the API would refuse it: ${error.message.replace(/\.$/, '')}`,
        record.line,
        null,
      );
    }
  }

  return {
    async replay(batch) {
      for (const record of batch) {
        count.read += 1;
        if ('problem' in record) {
          unused.add(record.problem, record.line, null);
          continue;
        }
        const judging = start(record);
        if (judging !== undefined && open.push(judging) >= MAX_OPEN) await open.shift();
      }
    },
    async finish() {
      await Promise.all(open.splice(0));
    },
    get read() {
      return count.read;
    },
    get late() {
      return count.late;
    },
    get untimed() {
      return count.untimed;
    },
    unused: unused.list,
  };
}

function createJudgeRow({ judge, agreement, showAddresses, onJudged }: MirrorRunOptions) {
  return (record: SignupRecord, theirs: Verdict, at: number | null): Promise<void> => {
    const signup: PastSignup = { email: record.email, ip: record.ip === '' ? null : record.ip, at };
    return judge(signup).then((judgement) => {
      const { verdict: ours, score, reasons, masked } = judgement;
      const compared = { theirs, ours, score, reasons };
      agreement.add(compared, () => ({
        line: record.line,
        email: showAddresses ? record.email : masked,
        score,
        why: judgement.why(showAddresses),
      }));
      onJudged({ record, theirs, judgement });
    });
  };
}

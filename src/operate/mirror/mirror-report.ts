/** The findings of a comparison, and its form for programs. */
import type { Thresholds, Weights } from '../../model/policy.ts';
import type { SignupColumns } from '../signup-file/signup-parser.ts';
import type { UnusedRows } from '../signup-file/unused-rows.ts';
import type { AgreementMatrix, DisagreementGroup } from './mirror.ts';
import type { MirrorExample } from './mirror-run.ts';

export interface MirrorReport {
  readonly rows: number;
  /** Columns of the export; `null` for a part that has none. */
  readonly columns: SignupColumns | null;
  readonly compared: number;
  readonly agreed: number;
  /** Signups by their verdict, then ours. */
  readonly matrix: AgreementMatrix;
  readonly groups: readonly DisagreementGroup<MirrorExample>[];
  readonly unused: readonly UnusedRows[];
  readonly late: number;
  readonly sorted: boolean;
  readonly untimed: number;
  readonly notChecked: readonly string[];
  readonly snapshot: string;
  /** `null`: the default policy without own lists. */
  readonly account: { readonly id: string; readonly name: string } | null;
  readonly policy: { readonly version: string; readonly thresholds: Thresholds };
  /** Weights that the comparison changed. */
  readonly weights: Weights;
  readonly seconds: number;
}

export function toReportJson(report: MirrorReport) {
  const { rows, compared, agreed, matrix, groups, unused, late, sorted, untimed, notChecked } = report;
  return {
    rows,
    columns: report.columns,
    compared,
    agreed,
    agreement: compared === 0 ? null : round(agreed / compared, 4),
    /** Theirs, then ours. */
    matrix,
    disagreements: groups.map(({ theirs, ours, reasons, count, first }) => ({
      theirs,
      ours,
      reasons,
      count,
      share: round(count / compared, 4),
      example: first,
    })),
    unused: unused.map(({ problem, count, first }) => ({ problem, count, first })),
    late,
    sorted,
    without_time: untimed,
    not_checked: notChecked,
    snapshot: report.snapshot,
    account_id: report.account?.id ?? null,
    policy: report.policy.version,
    thresholds: report.policy.thresholds,
    changed_weights: report.weights,
    seconds: round(report.seconds, 3),
    rows_per_second: Math.round(rateOf(report)),
  };
}

/** Rows in a second. */
export function rateOf({ rows, seconds }: MirrorReport): number {
  return rows / Math.max(seconds, 0.001);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** A comparison in words: the agreement matrix, what it means, and the largest groups of disagreement. */
import { VERDICTS, type Verdict } from '../../contract/messages.ts';
import { REASONS } from '../../contract/reasons.ts';
import { columnLines, count, percent, toUnusedLine } from '../signup-file/report-words.ts';
import type { AgreementMatrix, DisagreementGroup } from './mirror.ts';
import { type MirrorReport, rateOf } from './mirror-report.ts';
import type { MirrorExample } from './mirror-run.ts';

const NAME_WIDTH = 11;
const CELL_WIDTH = 18;
const DOES: Readonly<Record<Verdict, string>> = {
  allow: 'allows',
  challenge: 'challenges',
  block: 'blocks',
};
const DID: Readonly<Record<Verdict, string>> = {
  allow: 'allowed',
  challenge: 'challenged',
  block: 'blocked',
};

export function toReportLines(report: MirrorReport): string[] {
  const { compared, groups } = report;
  return [
    `Verdicts of ${count(compared)} signups: theirs in rows, Gatehouse’s in columns.`,
    '',
    ...matrixLines(report.matrix),
    '',
    ...meaningLines(report),
    '',
    ...(groups.length === 0 ? ['No disagreements.'] : groupLines(report)),
    '',
    ...remarkLines(report),
  ];
}

/** Totals for the line that changes while a stream is followed. */
export function toTotals({
  read,
  compared,
  agreed,
}: {
  read: number;
  compared: number;
  agreed: number;
}): string {
  return `${count(read)} rows, ${count(compared)} compared, agreement ${percent(agreed, compared)}`;
}

function matrixLines(matrix: AgreementMatrix): string[] {
  const total = sum(VERDICTS.map((verdict) => rowSum(matrix, verdict)));
  const row = (name: string, cells: readonly string[]) =>
    `${name.padEnd(NAME_WIDTH)}${cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')}`;
  const cell = (value: number) => `${count(value)} ${percent(value, total).padStart(6)}`;
  return [
    row('', [...VERDICTS, 'total']),
    ...VERDICTS.map((theirs) =>
      row(theirs, [...VERDICTS.map((ours) => cell(matrix[theirs][ours])), cell(rowSum(matrix, theirs))]),
    ),
    row('total', [
      ...VERDICTS.map((ours) => cell(sum(VERDICTS.map((theirs) => matrix[theirs][ours])))),
      cell(total),
    ]),
  ];
}

function meaningLines({ matrix, compared, agreed }: MirrorReport): string[] {
  const lines = [`The verdicts agree on ${percent(agreed, compared)} of the signups (${count(agreed)}).`];
  for (const theirs of [...VERDICTS].reverse()) {
    const all = rowSum(matrix, theirs);
    if (all === 0) continue;
    const parts = VERDICTS.map(
      (ours) => `${DOES[ours]} ${count(matrix[theirs][ours])} (${percent(matrix[theirs][ours], all)})`,
    );
    lines.push(`Of ${count(all)} that they ${DID[theirs]}, Gatehouse ${parts.join(', ')}.`);
  }
  return lines;
}

function groupLines({ groups, compared }: MirrorReport): string[] {
  return [
    'Largest groups of disagreement:',
    ...groups.flatMap(({ theirs, ours, reasons, count: signups, first }, at) => [
      '',
      `${String(at + 1).padStart(2)}. ${count(signups)} (${percent(signups, compared)}): they ${DID[theirs]}, Gatehouse ${DOES[ours]}: ${labelsOf(reasons)}`,
      `    Example: line ${first.line}, ${first.email}, score ${first.score}`,
      ...[...first.why.findings, ...first.why.changes.slice(0, 1)].map((sentence) => `      ${sentence}`),
    ]),
  ];
}

function labelsOf(reasons: DisagreementGroup<MirrorExample>['reasons']): string {
  return reasons.length === 0
    ? 'no reason against them'
    : reasons.map((code) => REASONS[code].label).join(' + ');
}

function remarkLines(report: MirrorReport): string[] {
  const { unused, late, sorted, untimed, notChecked, account, policy } = report;
  const { challenge, block } = policy.thresholds;
  const rules =
    account === null
      ? 'the defaults, without own lists (--account uses an account’s)'
      : `account ${account.id} (${account.name}) with its own lists`;
  return [
    ...columnLines(report.columns),
    ...unused.map(toUnusedLine),
    ...(sorted ? ['The rows were sorted by time.'] : []),
    ...(late === 0
      ? []
      : [
          `${count(late)} rows are more than a minute older than a row before them: they were counted at the time of that row.`,
        ]),
    ...(untimed === 0
      ? []
      : [`${count(untimed)} signups have no time: bursts among them were not detected.`]),
    `Not checked: ${notChecked.join(', ')}.`,
    `Rules: ${rules}; policy ${policy.version}, challenge from ${challenge}, block from ${block}; snapshot ${report.snapshot}.`,
    `${count(report.rows)} rows in ${report.seconds.toFixed(1)} s: ${count(Math.round(rateOf(report)))} rows/s. Nothing was stored or charged.`,
  ];
}

function rowSum(matrix: AgreementMatrix, theirs: Verdict): number {
  return sum(Object.values(matrix[theirs]));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

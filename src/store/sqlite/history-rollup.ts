/** Adds up the assessments of each half hour: verdicts, reasons with their weight, latencies. */
import { SLOT_MS } from '../history-store.ts';
import { latencyBucket } from '../history-traffic.ts';

/** `given` counts a reason in assessments that were challenged or blocked. */
export type RollupKind = 'verdict' | 'reason' | 'given' | 'latency';

/** The columns of an assessment that are added up. */
export interface RollupSource {
  readonly account_id: string;
  readonly mode: string;
  readonly at: number;
  readonly verdict: string;
  readonly reasons: string;
  /** A line of milliseconds and weights. Of older versions: the evidence up to its findings, which are the text's end; or all of it. */
  readonly findings: string;
  /** Text that begins with the milliseconds the assessment took. */
  readonly processed: string;
}

/** The columns `findings` and `processed`: SQLite cuts the long texts, because most of them is not needed. */
export const ROLLUP_TEXTS = `
    CASE WHEN reasons = '' THEN ''
      WHEN body = '' THEN substr(evidence, 1, instr(evidence, char(10)))
      WHEN instr(evidence, '],"evidence":') = 0 THEN evidence
      ELSE substr(evidence, 1, instr(evidence, '],"evidence":')) || '}' END AS findings,
    CASE WHEN body = '' THEN substr(evidence, 1, 9)
      ELSE substr(body, instr(body, '"processed_ms":') + 15, 9) END AS processed`;

export interface Rollup {
  readonly accountId: string;
  readonly mode: string;
  readonly kind: RollupKind;
  readonly slot: number;
  readonly name: string;
  count: number;
  weight: number;
}

interface Finding {
  readonly code: string;
  readonly weight: number;
}

export function rollUp(rows: readonly RollupSource[]): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const row of rows) {
    const slot = Math.floor(row.at / SLOT_MS);
    const add = (kind: RollupKind, name: string, weight: number) => {
      const id = `${row.account_id} ${row.mode} ${kind} ${slot} ${name}`;
      const rollup = rollups.get(id);
      if (rollup === undefined) {
        const { account_id: accountId, mode } = row;
        rollups.set(id, { accountId, mode, kind, slot, name, count: 1, weight });
        return;
      }
      rollup.count += 1;
      rollup.weight += weight;
    };
    add('verdict', row.verdict, 0);
    const milliseconds = Number.parseInt(row.processed, 10);
    if (milliseconds >= 0) add('latency', String(latencyBucket(milliseconds)), 0);
    if (row.reasons === '') continue;
    const weights = weightsOf(row);
    for (const [place, code] of row.reasons.split(' ').entries()) {
      add('reason', code, weights[place] ?? 0);
      if (row.verdict !== 'allow') add('given', code, 0);
    }
  }
  return [...rollups.values()];
}

/** In the order of the reasons. */
export function weightsOf({ reasons, findings }: Pick<RollupSource, 'reasons' | 'findings'>): number[] {
  if (reasons === '') return [];
  if (findings.endsWith('\n')) return findings.trimEnd().split(' ').slice(1).map(Number);
  const weights = weightsByCode(findings);
  return reasons.split(' ').map((code) => weights.get(code) ?? 0);
}

/** The weight of the findings of each code together, as independent evidence, 0 … 100. */
function weightsByCode(text: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { code, weight } of readFindings(text)) {
    const before = weights.get(code) ?? 0;
    weights.set(code, 100 - (100 - before) * (1 - weight / 100));
  }
  return weights;
}

function readFindings(text: string): readonly Finding[] {
  try {
    const { findings } = JSON.parse(text) as { findings?: readonly Finding[] };
    return findings ?? [];
  } catch {
    // An assessment of another version may have another form: it counts without a weight.
    return [];
  }
}

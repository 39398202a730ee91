/** Cuts what has no column of its own out of the texts of an assessment: its milliseconds and the weights of its reasons. */
export interface RollupSource {
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

interface Finding {
  readonly code: string;
  readonly weight: number;
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

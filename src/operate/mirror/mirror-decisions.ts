/** Writes what was decided of every signup to a CSV file, for programs: with the detectors and their weights, without sentences. */
import { openMirrorCsvFile } from './mirror-csv-file.ts';
import type { JudgedRow } from './mirror-run.ts';

const HEADER = ['line', 'time', 'email', 'ip', 'theirs', 'verdict', 'score', 'reasons', 'detectors'];

/** Writer of decisions; without a file, nothing is written. */
export function openDecisions(file: string | undefined, showAddresses: boolean) {
  const output = openMirrorCsvFile(file, HEADER);
  return {
    ...output,
    write({ record, theirs, judgement }: JudgedRow): void {
      if (file === undefined) return;
      const { verdict, score, reasons, findings, masked } = judgement;
      output.write([
        record.line,
        record.time,
        showAddresses ? record.email : masked,
        showAddresses ? record.ip : null,
        theirs,
        verdict,
        score,
        reasons,
        findings.map(({ detector, weight }) => `${detector}:${weight}`),
      ]);
    },
  };
}

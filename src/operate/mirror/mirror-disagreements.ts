/** Writes every disagreement to a CSV file, with masked addresses, unless the option says otherwise. */
import { openMirrorCsvFile } from './mirror-csv-file.ts';
import type { JudgedRow } from './mirror-run.ts';

const HEADER = ['line', 'time', 'email', 'ip', 'their_value', 'theirs', 'ours', 'score', 'reasons', 'why'];

/** Writer of disagreements; without a file, nothing is written. */
export function openDisagreements(file: string | undefined, showAddresses: boolean) {
  const output = openMirrorCsvFile(file, HEADER);
  return {
    ...output,
    write({ record, theirs, judgement }: JudgedRow): void {
      const { verdict, score, reasons, masked } = judgement;
      if (file === undefined || theirs === verdict) return;
      const { findings } = judgement.why(showAddresses);
      output.write([
        record.line,
        record.time,
        showAddresses ? record.email : masked,
        showAddresses ? record.ip : null,
        record.verdict,
        theirs,
        verdict,
        score,
        reasons,
        findings.join(' · '),
      ]);
    },
  };
}

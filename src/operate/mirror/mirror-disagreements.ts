/** Writes every disagreement to a CSV file of its owner, with masked addresses, unless the option says otherwise. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { toCsvRow } from '../../contract/csv-row.ts';
import type { Disagreement } from './mirror-run.ts';

const HEADER = ['line', 'time', 'email', 'ip', 'their_value', 'theirs', 'ours', 'score', 'reasons', 'why'];

/** Without a file, nothing is written. */
export function openDisagreements(file: string | undefined, showAddresses: boolean) {
  if (file === undefined) return { write: () => {}, drain: async () => {}, close: async () => {} };
  const output = createWriteStream(file, { mode: 0o600 });
  let failure: Error | undefined;
  output.on('error', (error) => {
    failure = new Error(`cannot write ${file}: ${error.message}`);
  });
  const fail = () => {
    if (failure !== undefined) throw failure;
  };
  output.write(toCsvRow(HEADER));
  return {
    write({ record, theirs, judgement }: Disagreement): void {
      const { verdict, score, reasons, masked } = judgement;
      const { findings } = judgement.why(showAddresses);
      output.write(
        toCsvRow([
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
        ]),
      );
    },
    /** Waits while the disk is slower than the replay. @throws when nothing can be written */
    async drain(): Promise<void> {
      fail();
      if (output.writableNeedDrain) await once(output, 'drain');
    },
    async close(): Promise<void> {
      if (failure === undefined) await new Promise<void>((done) => output.end(() => done()));
      fail();
    },
  };
}

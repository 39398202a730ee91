/** Writes the rows of a replay to a CSV file that only its owner may read, no faster than the disk takes them. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { toCsvRow } from '../../contract/csv-row.ts';

export interface MirrorCsvFile {
  write(cells: Parameters<typeof toCsvRow>[0]): void;
  /** Waits while the disk is slower than the replay. @throws when nothing can be written */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** File of rows; without a name, nothing is written. */
export function openMirrorCsvFile(file: string | undefined, header: readonly string[]): MirrorCsvFile {
  if (file === undefined) return { write: () => {}, drain: async () => {}, close: async () => {} };
  const output = createWriteStream(file, { mode: 0o600 });
  let failure: Error | undefined;
  output.on('error', (error) => {
    failure = new Error(`cannot write ${file}: ${error.message}`);
  });
  const fail = () => {
    if (failure !== undefined) throw failure;
  };
  output.write(toCsvRow(header));
  return {
    write: (cells) => void output.write(toCsvRow(cells)),
    async drain() {
      fail();
      if (output.writableNeedDrain) await once(output, 'drain');
    },
    async close() {
      if (failure === undefined) await new Promise<void>((done) => output.end(() => done()));
      fail();
    },
  };
}

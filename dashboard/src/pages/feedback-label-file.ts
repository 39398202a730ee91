/** Reads a CSV of labels: which column names the signup, which says what it was, and what that word means. */
import Papa from 'papaparse';
import type { BatchOutcome, FileLabel } from '../../../src/contract/dashboard-batches.ts';
import { grouped } from '../ui/format.ts';

export interface LabelFile {
  readonly labels: readonly FileLabel[];
  /** Rows that name no signup or have no label. */
  readonly empty: number;
  /** Labels that mean nothing here, with the number of their rows. */
  readonly unknown: ReadonlyMap<string, number>;
}

const SIGNUP_COLUMNS = ['request_id', 'email', 'address', 'mail', 'e-mail', 'signup'];
const LABEL_COLUMNS = ['label', 'outcome', 'feedback', 'fraud', 'is_fraud'];
const MEANINGS: Readonly<Record<BatchOutcome, string>> = {
  fraud: 'fraud fraudulent fake bot bad spam abuse banned 1 true yes false_negative confirmed_fraud',
  good: 'good customer real legit legitimate ham paid 0 false no false_positive',
};
const MAX_ROWS = 20_000;

/** @throws Error of one sentence for a reader, if it has no labels */
export function readLabelFile(text: string): LabelFile {
  const { data } = Papa.parse<string[]>(text.trim(), { skipEmptyLines: 'greedy' });
  const header = (data[0] ?? []).map((cell) => cell.trim().toLowerCase());
  const hasHeader = !header.some(isSignupName);
  const [signup, label] = hasHeader ? columnsOf(header) : [header.findIndex(isSignupName), header.length - 1];
  if (signup === label) throw new Error('Each row needs two columns: the signup and its label.');
  const rows = hasHeader ? data.slice(1) : data;
  if (rows.length > MAX_ROWS)
    throw new Error(`The file has ${grouped(rows.length)} rows. Send at most ${grouped(MAX_ROWS)} at once.`);
  const labels: FileLabel[] = [];
  const unknown = new Map<string, number>();
  let empty = 0;
  for (const row of rows) {
    const name = row[signup]?.trim() ?? '';
    const word = row[label]?.trim() ?? '';
    const outcome = outcomeOf(word);
    if (word === '' || !isSignupName(name)) empty += 1;
    else if (outcome === undefined) unknown.set(word, (unknown.get(word) ?? 0) + 1);
    else labels.push({ signup: name, outcome });
  }
  if (labels.length === 0)
    throw new Error(
      'No row has a label that is known here. Write fraud or good, beside a request id or an address.',
    );
  return { labels, empty, unknown };
}

/** @throws Error of one sentence, if a column is missing */
function columnsOf(header: readonly string[]): readonly [number, number] {
  const placeOf = (names: readonly string[]) =>
    names.map((name) => header.indexOf(name)).find((place) => place >= 0);
  const [signup, label] = [placeOf(SIGNUP_COLUMNS), placeOf(LABEL_COLUMNS)];
  if (signup === undefined)
    throw new Error('No column is named request_id or email. Add it to the first row.');
  if (label === undefined) throw new Error('No column is named label. Add it to the first row.');
  return [signup, label];
}

function isSignupName(text: string): boolean {
  return text.startsWith('req_') || text.includes('@');
}

function outcomeOf(word: string): BatchOutcome | undefined {
  const means = (outcome: BatchOutcome) => MEANINGS[outcome].split(' ').includes(word.toLowerCase());
  if (means('fraud')) return 'fraud';
  return means('good') ? 'good' : undefined;
}

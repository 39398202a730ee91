/** Chooses the records by which a run is known to be of a database. */
import type { RecordSource } from './record-source.ts';
import type { RunSample } from './run-format.ts';
import type { Segment } from './run-segment.ts';

const SAMPLES = 8;

/** In the order of their numbers, the newest among them. */
export function samplesOf(segment: Segment, source: Pick<RecordSource, 'read'>): RunSample[] {
  const numbers = segment.column('seq', { start: 0, end: segment.count });
  const step = Math.max(1, Math.floor(segment.count / SAMPLES));
  const chosen = new Set<number>();
  let newest = 0;
  for (let position = 0; position < numbers.length; position += 1) {
    const number = numbers[position] as number;
    newest = Math.max(newest, number);
    if (position % step === 0) chosen.add(number);
  }
  chosen.add(newest);
  return source
    .read([...chosen].map((number) => segment.firstSeq + number))
    .map(({ seq, requestId }) => ({ seq, requestId }))
    .sort((a, b) => a.seq - b.seq);
}

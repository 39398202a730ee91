/** Decides which rows the records of a batch become: few enough to be read for one of them, and with ids of a short time, so that an id says where it can be. */
import { firstIdAt, timeOfId } from '../request-time.ts';
import type { BatchTexts } from './batch-text.ts';

/** A row for the table, without its number. */
export interface BatchPart extends BatchTexts {
  readonly count: number;
  readonly firstId: string;
  readonly lastId: string;
}

/** The ids of a row span at most this. */
export const MAX_SPAN_MS = 10_000;
/** Max. records a row: to read one, its whole row is read. */
export const MAX_RECORDS = 32;

/** Parts in order. None of the records is erased. */
export function toParts(texts: BatchTexts): BatchPart[] {
  const ids = texts.ids.split(' ');
  const ends = endsOf(ids);
  if (ends.length === 1) return [{ ...texts, ...rangeOf(ids), count: ids.length }];
  const [header, ...attempts] = texts.attempts.split('\n') as [string, ...string[]];
  const details = texts.details.split('\n');
  return ends.map((end, part) => {
    const start = ends[part - 1] ?? 0;
    const of = ids.slice(start, end);
    return {
      ids: of.join(' '),
      attempts: [header, ...attempts.slice(start, end)].join('\n'),
      details: details.slice(start, end).join('\n'),
      ...rangeOf(of),
      count: of.length,
    };
  });
}

/** The records at these places, in order. */
export function pick(texts: BatchTexts, places: readonly number[]): BatchTexts {
  const ids = texts.ids.split(' ');
  const [header, ...attempts] = texts.attempts.split('\n');
  const details = texts.details.split('\n');
  return {
    ids: places.map((place) => ids[place]).join(' '),
    attempts: [header, ...places.map((place) => attempts[place])].join('\n'),
    details: places.map((place) => details[place]).join('\n'),
  };
}

/** Id after the last one of any row that can have this one. */
export function endOfRange(requestId: string): string {
  const at = timeOfId(requestId);
  // A row has no other beside an id without a time.
  return at === undefined ? `${requestId} ` : firstIdAt(at + MAX_SPAN_MS + 1);
}

/** First and last of the ids that are not erased; both empty where all are. */
export function rangeOf(ids: readonly string[]): { firstId: string; lastId: string } {
  let firstId = '';
  let lastId = '';
  for (const id of ids) {
    if (id === '') continue;
    if (firstId === '' || id < firstId) firstId = id;
    if (id > lastId) lastId = id;
  }
  return { firstId, lastId };
}

/** End of each row; as few rows as can be. */
function endsOf(ids: readonly string[]): number[] {
  if (ids.length <= MAX_RECORDS && isShort(rangeOf(ids))) return [ids.length];
  const ends: number[] = [];
  let start = 0;
  let [min, max] = ['', ''];
  for (const [place, id] of ids.entries()) {
    const firstId = place === start || id < min ? id : min;
    const lastId = place === start || id > max ? id : max;
    if (place > start && (place - start === MAX_RECORDS || !isShort({ firstId, lastId }))) {
      ends.push(place);
      start = place;
      [min, max] = [id, id];
    } else [min, max] = [firstId, lastId];
  }
  return [...ends, ids.length];
}

function isShort({ firstId, lastId }: { firstId: string; lastId: string }): boolean {
  if (firstId === lastId) return true;
  const [first, last] = [timeOfId(firstId), timeOfId(lastId)];
  return first !== undefined && last !== undefined && last - first <= MAX_SPAN_MS;
}

/** Reads of a stored batch what a run of the history keeps, and nothing else: the index reads every assessment once. */
import type { Verdict } from '../../contract/messages.ts';
import { type BatchRow, ofField, type RecordGroup, readGroups, VERDICTS, WHOLE } from './batch-text.ts';
import { addressOf, hashOf, type RunRecord, tookMsOf, type WideNumber } from './run-record.ts';

const TAB = 9;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;
const A = 97;
const Z = 122;

/** The records that are not erased, as `toRunRecord` makes them of those that `readBatch` reads. @param isWanted by their places; default: all */
export function readRunBatch(row: BatchRow, isWanted?: (place: number) => boolean): RunRecord[] {
  const { seq, ids } = row;
  const attempts = new Fields(row.attempts);
  const details = new Fields(row.details);
  const groups = readGroups(attempts.line());
  const records: RunRecord[] = [];
  for (let [place, from] = [0, 0]; from <= ids.length; place += 1) {
    const isErased = from === ids.length || ids.charCodeAt(from) === SPACE;
    if (isErased || isWanted?.(place) === false) {
      attempts.line();
      details.line();
    } else records.push(readRecord(seq + place, groups, attempts, details));
    const end = ids.indexOf(' ', from);
    from = end < 0 ? ids.length + 1 : end + 1;
  }
  return records;
}

/** One literal, as in `toRunRecord`, so that every record has the same shape. */
function readRecord(
  seq: number,
  groups: readonly RecordGroup[],
  attempts: Fields,
  details: Fields,
): RunRecord {
  const { accountId, keyId, mode } = groups[attempts.number()] as RecordGroup;
  const at = attempts.time();
  const network = attempts.field();
  const domain = ofField(attempts.field());
  const mailbox = attempts.mailbox();
  const verdict = details.field();
  const score = details.number();
  const { reasons, weights } = weightsOf(details.twoFields());
  details.skip();
  details.skip();
  const ip = details.field();
  const country = details.field();
  const asn = details.number();
  const session = details.field();
  const tookMs = tookMsOf(details.number());
  details.line();
  return {
    accountId,
    seq,
    at,
    verdict: VERDICTS[verdict.charCodeAt(0) - ZERO] as Verdict,
    mode,
    shadow: verdict.length > 1,
    score,
    keyId,
    country,
    domain,
    reasons,
    weights,
    asn,
    tookMs,
    mailbox,
    session: session === '' ? null : hashOf(ofField(session.slice(WHOLE.length))),
    ip: ip === '' ? null : addressOf(ip === WHOLE ? network : ip),
  };
}

/** A text of lines and fields, read from its start to its end. */
class Fields {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** What is left of the line. */
  line(): string {
    const from = this.#at;
    const end = this.#text.indexOf('\n', from);
    const to = end < 0 ? this.#text.length : end;
    this.#at = to + 1;
    return this.#text.slice(from, to);
  }

  field(): string {
    const from = this.#at;
    this.skip();
    return this.#text.slice(from, this.#at - 1);
  }

  /** Two fields with what divides them. */
  twoFields(): string {
    const from = this.#at;
    this.skip();
    this.skip();
    return this.#text.slice(from, this.#at - 1);
  }

  skip(): void {
    this.#at = this.#text.indexOf('\t', this.#at) + 1;
  }

  number(): number {
    const text = this.#text;
    let at = this.#at;
    let value = 0;
    let code = text.charCodeAt(at);
    for (; code >= ZERO && code <= NINE; code = text.charCodeAt(at)) {
      value = value * 10 + code - ZERO;
      at += 1;
    }
    // One that has a sign, say.
    if (code !== TAB) return Number(this.field());
    this.#at = at + 1;
    return value;
  }

  /** Milliseconds since the epoch, to the base of 36. */
  time(): number {
    const text = this.#text;
    let at = this.#at;
    let value = 0;
    for (; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= ZERO && code <= NINE) value = value * 36 + code - ZERO;
      else if (code >= A && code <= Z) value = value * 36 + code - A + 10;
      else break;
    }
    if (text.charCodeAt(at) !== TAB) return Number.parseInt(this.field(), 36);
    this.#at = at + 1;
    return value;
  }

  /** Of the last two fields of a line: the hash of an address, and that of its mailbox where it is another. */
  mailbox(): WideNumber {
    const text = this.#text;
    const address = this.#at;
    this.skip();
    const from = this.#at;
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    this.#at = to + 1;
    return from === to ? hashOf(text, address, from - 1) : hashOf(text, from, to);
  }
}

interface Weighed {
  readonly reasons: readonly string[];
  readonly weights: readonly number[];
}

/** By their texts: few differ, and many records share the lists. */
const weighed = new Map<string, Weighed>();
const MAX_WEIGHED = 1_024;

/** Reasons and their weights. @param fields with a tab between them */
function weightsOf(fields: string): Weighed {
  const known = weighed.get(fields);
  if (known !== undefined) return known;
  // A copy: a part of a text keeps all of it in memory, here that of the whole batch.
  const own = Buffer.from(fields).toString();
  const [reasons = '', weights = ''] = own.split('\t');
  const both = {
    reasons: reasons === '' ? [] : reasons.split(' '),
    weights: weights === '' ? [] : weights.split(' ').map(Number),
  };
  if (weighed.size >= MAX_WEIGHED) weighed.clear();
  weighed.set(own, both);
  return both;
}

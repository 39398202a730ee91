/** Puts assessments that go to the writer together into one message: their texts as they are stored, and numbers for their credits. */
import { isBrought, isNamed } from '../../model/velocity-facts.ts';
import { monthOf } from '../../platform/month.ts';
import { storeKey } from '../idempotency.ts';
import type { SqlValue } from '../sql-database.ts';
import type { AssessmentRecord } from '../store.ts';
import type { StoredAssessment } from '../stored-assessment.ts';
import { wasBlocked } from '../was-blocked.ts';
import { MAX_RECORDS, pick } from './batch-rows.ts';
import { type BatchTexts, type RecordGroup, writeAttempt, writeDetails, writeGroups } from './batch-text.ts';

/** The credits that a batch charges to an account in a month. */
export interface RecordCharge {
  readonly accountId: string;
  readonly month: string;
  /** Credits each of its records costs: 1 for a live one, 0 for a sandbox one. */
  readonly credits: 0 | 1;
  readonly cap: number | null;
}

/** Plain texts and lists: each object in it would cost the threads as much as a record. */
export interface RecordBatch extends BatchTexts {
  readonly charges: readonly RecordCharge[];
  /** Place of its charge, for each record. */
  readonly chargeOf: readonly number[];
  /** Idempotency keys: the place of the record, then the values of its key. */
  readonly keys: readonly (readonly [place: number, values: readonly SqlValue[]])[];
}

/** Makes batches, each of what fits into a row: the writer need not cut it into rows. */
export function toBatches(assessments: readonly AssessmentRecord[]): RecordBatch[] {
  const batches: RecordBatch[] = [];
  for (let from = 0; from < assessments.length; from += MAX_RECORDS)
    batches.push(toBatch(assessments.slice(from, from + MAX_RECORDS)));
  return batches;
}

/** A batch for each record of one. */
export function toSingleRecords(batch: RecordBatch): RecordBatch[] {
  return batch.chargeOf.map((charge, place) => {
    const keys = batch.keys.filter(([of]) => of === place).map(([, values]) => [0, values] as const);
    return { ...batch, ...pick(batch, [place]), chargeOf: [charge], keys };
  });
}

/** @param assessments at least one */
export function toBatch(assessments: readonly AssessmentRecord[]): RecordBatch {
  const charges = collect<RecordCharge>(isSameCharge);
  const chargeOf: number[] = [];
  const keys: [number, readonly SqlValue[]][] = [];
  for (const { accountId, mode, at, cap, claim } of assessments) {
    if (claim !== null) keys.push([chargeOf.length, storeKey(claim, null).values]);
    chargeOf.push(charges.place({ accountId, month: monthOf(at), credits: mode === 'live' ? 1 : 0, cap }));
  }
  const { ids, attempts, details } = toTexts(assessments);
  return { ids, attempts, details, charges: charges.all, chargeOf, keys };
}

/** @param assessments at least one */
export function toTexts(assessments: readonly StoredAssessment[]): BatchTexts {
  const groups = collect<RecordGroup>(isSameGroup);
  // The groups are known at the end, and come first.
  const [ids, attempts]: [string[], string[]] = [[], ['']];
  for (const assessment of assessments) {
    const { accountId, keyId, mode } = assessment;
    ids.push(assessment.requestId);
    const isLive = mode === 'live';
    const group = {
      accountId,
      keyId,
      mode,
      isBrought: isBrought(assessment),
      isBlocked: isLive && wasBlocked(assessment),
      isNamed: isLive && isNamed(assessment),
    };
    attempts.push(writeAttempt(groups.place(group), assessment));
  }
  attempts[0] = writeGroups(groups.all);
  return { ids: ids.join(' '), attempts: attempts.join('\n'), details: toDetails(assessments) };
}

/** Looks for facts with a line break in all lines together: each alone would be copied for it. */
function toDetails(assessments: readonly StoredAssessment[]): string {
  const linesWith = (isOneLine: boolean) =>
    assessments.map((assessment) => writeDetails(assessment, isOneLine)).join('\n');
  const details = linesWith(true);
  return countBreaks(details) === assessments.length - 1 ? details : linesWith(false);
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The distinct values of a batch, which are few; mostly the same value comes several times in a row. */
function collect<T>(isSame: (a: T, b: T) => boolean) {
  const all: T[] = [];
  let last = -1;
  return {
    all,
    place(value: T): number {
      if (last >= 0 && isSame(all[last] as T, value)) return last;
      last = all.findIndex((known) => isSame(known, value));
      if (last < 0) last = all.push(value) - 1;
      return last;
    },
  };
}

function isSameGroup(a: RecordGroup, b: RecordGroup): boolean {
  const isSameCaller = a.keyId === b.keyId && a.mode === b.mode && a.accountId === b.accountId;
  const isSameKind = a.isBrought === b.isBrought && a.isBlocked === b.isBlocked && a.isNamed === b.isNamed;
  return isSameCaller && isSameKind;
}

function isSameCharge(a: RecordCharge, b: RecordCharge): boolean {
  return a.accountId === b.accountId && a.month === b.month && a.credits === b.credits && a.cap === b.cap;
}

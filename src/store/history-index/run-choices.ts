/** Decides by columns which assessments of a segment have one of several values, and none of others. */
import type { FilterValues } from '../../contract/filter-values.ts';
import { chooses } from '../history-choices.ts';
import type { ChosenValues, DomainScope, HistoryChoices } from '../history-store.ts';
import type { ColumnName, DictionaryName, Segment } from './run-segment.ts';

export interface ColumnCondition {
  readonly column: ColumnName;
  readonly isMet: (value: number) => boolean;
}

/** Choices that the columns decide; all others are met by comparing records. */
export function isColumn(name: keyof ChosenValues): boolean {
  return ['asn', 'country', 'keyId', 'domain', 'reason', 'finding'].includes(name);
}

export function choiceConditionsOf(segment: Segment, choices: HistoryChoices): ColumnCondition[] {
  const { asn, country, keyId, domain, reason, finding } = choices;
  const conditions: ColumnCondition[] = [];
  const add = (column: ColumnCondition['column'], isMet: (value: number) => boolean) =>
    conditions.push({ column, isMet });
  if (asn !== undefined) add('asn', (value) => chooses(asn, (other) => other === value));
  if (country !== undefined) add('country', isNumberOf(segment, 'country', country));
  if (keyId !== undefined) add('key', isNumberOf(segment, 'key', keyId));
  if (domain !== undefined) add('domain', createIsChosenDomain(segment, domain));
  if (finding !== undefined) add('finding', isNumberOf(segment, 'finding', finding));
  if (reason !== undefined) {
    const bits = mapValues(reason, (code) => (code === null ? null : segment.numberOf('reason', code)));
    add('reasons', (mask) => chooses(bits, (bit) => hasBit(mask, bit)));
  }
  return conditions;
}

/** @param bit `null`: the absence of any, `undefined`: none that the segment has */
function hasBit(mask: number, bit: number | null | undefined): boolean {
  if (bit === null) return mask === 0;
  return bit !== undefined && ((mask >>> bit) & 1) === 1;
}

function isNumberOf(segment: Segment, dictionary: DictionaryName, choice: FilterValues<string>) {
  const numbers = mapValues(choice, (text) => segment.numberOf(dictionary, text));
  return (value: number) => chooses(numbers, (number) => number === value);
}

function createIsChosenDomain({ textOf }: Segment, choice: FilterValues<DomainScope>) {
  const known = new Map<number, boolean>();
  return (number: number) => {
    const isKnown = known.get(number);
    if (isKnown !== undefined) return isKnown;
    const text = textOf('domain', number);
    const isChosen = chooses(
      choice,
      ({ domain, below }) => text === domain || (below && text.endsWith(`.${domain}`)),
    );
    known.set(number, isChosen);
    return isChosen;
  };
}

function mapValues<A, B>({ any, not }: FilterValues<A>, map: (value: A) => B): FilterValues<B> {
  return { any: any.map(map), not: not.map(map) };
}

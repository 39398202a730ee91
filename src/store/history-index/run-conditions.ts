/** Decides which assessments of a segment a search may find, by their columns alone. */
import { namesOf } from '../history-choices.ts';
import type { AddressBlock, RelatedSearch } from '../history-search.ts';
import { type ColumnCondition, choiceConditionsOf, isColumn } from './run-choices.ts';
import { addressOf, hashOf, type WideNumber } from './run-record.ts';
import {
  type ColumnName,
  isShadow,
  modeOf,
  type PostingKind,
  type Segment,
  verdictOf,
} from './run-segment.ts';

/** Values, from the first to the last, under which assessments are posted. */
export interface PostedValues {
  readonly kind: PostingKind;
  readonly first: WideNumber;
  readonly last: WideNumber;
}

const FLAGS = 16;

/** Conditions that whatever the search finds meets; without `needsRecords` nothing else does. Times are no part of it. `null`: it finds nothing. */
export function conditionsOf(segment: Segment, search: RelatedSearch): ColumnCondition[] | null {
  const conditions: ColumnCondition[] = [];
  let isPossible = true;
  const add = (column: ColumnName, isMet: (value: number) => boolean) => conditions.push({ column, isMet });
  const addEqual = (column: ColumnName, value: number | undefined) => {
    if (value === undefined) isPossible = false;
    else add(column, (other) => other === value);
  };
  const { scoreMin, scoreMax, below } = search;
  const { verdicts, mode, shadow, letIn } = search;
  if ([verdicts, mode, shadow, letIn].some((value) => value !== undefined)) {
    const met = flagsMet(search);
    add('flags', (flags) => met[flags] === true);
  }
  if (scoreMin !== undefined) add('score', (score) => score >= scoreMin);
  if (scoreMax !== undefined) add('score', (score) => score <= scoreMax);
  if (search.domain !== undefined) addEqual('domain', segment.numberOf('domain', search.domain));
  if (search.country !== undefined) addEqual('country', segment.numberOf('country', search.country));
  if (search.keyId !== undefined) addEqual('key', segment.numberOf('key', search.keyId));
  if (search.asn !== undefined) addEqual('asn', search.asn);
  if (search.finding !== undefined) addEqual('finding', segment.numberOf('finding', search.finding));
  if (search.reason !== undefined) {
    const number = segment.numberOf('reason', search.reason);
    if (number === undefined) return null;
    add('reasons', (mask) => ((mask >>> number) & 1) === 1);
  }
  if (below !== undefined) add('domain', createIsBelow(segment, `.${below}`));
  conditions.push(...choiceConditionsOf(segment, search.where ?? {}));
  return isPossible ? conditions : null;
}

/** Whether columns do not decide everything that a search asks for. */
export function needsRecords(search: RelatedSearch): boolean {
  const { ip, feedback, sessionId, requestId, mailbox, address, network, where = {} } = search;
  const values = [ip, feedback, sessionId, requestId, mailbox, address, network];
  return values.some((value) => value !== undefined) || namesOf(where).some((name) => !isColumn(name));
}

/** The lists of each, together, have all that the search finds. */
export function postedValuesOf(segment: Segment, search: RelatedSearch): PostedValues[][] {
  const { ip, network, where = {} } = search;
  const domain = search.domain === undefined ? undefined : segment.numberOf('domain', search.domain);
  const found: PostedValues[][] = [];
  const add = <Value>(
    values: readonly (Value | null | undefined)[],
    post: (value: Value) => PostedValues,
  ) => {
    const isPosted = (value: Value | null | undefined) => value !== null && value !== undefined;
    if (values.length > 0 && values.every(isPosted)) found.push((values as readonly Value[]).map(post));
  };
  const posted = (kind: PostingKind) => (value: WideNumber) => ({ kind, first: value, last: value });
  const hashed = (kind: PostingKind) => (text: string) => posted(kind)(hashOf(text));
  const counted = (kind: PostingKind) => (number: number) => posted(kind)([number, 0]);
  add([search.sessionId], hashed('session'));
  add(where.sessionId?.any ?? [], hashed('session'));
  add([search.mailbox], hashed('mailbox'));
  add(where.mailbox?.any ?? [], hashed('mailbox'));
  if (network !== undefined) add([{ first: network, last: network }], toPostedBlock);
  add([ip], toPostedBlock);
  add(where.ip?.any ?? [], toPostedBlock);
  add([search.asn], counted('asn'));
  add(where.asn?.any ?? [], counted('asn'));
  add([domain], counted('domain'));
  return found;
}

function toPostedBlock({ first, last }: AddressBlock): PostedValues {
  const { family, value } = addressOf(withoutLength(first));
  return { kind: family === 4 ? 'ip4' : 'ip6', first: value, last: addressOf(withoutLength(last)).value };
}

/** A network may be written as `2001:db8::/64`. */
function withoutLength(network: string): string {
  return network.replace(/\/\d+$/, '');
}

function flagsMet({ verdicts, mode, shadow, letIn }: RelatedSearch): boolean[] {
  return Array.from({ length: FLAGS }, (_, flags) => {
    const isOfVerdict = verdicts === undefined || verdicts.includes(verdictOf(flags));
    const isOfMode = mode === undefined || modeOf(flags) === mode;
    const isOfAnswer = letIn === undefined || (isShadow(flags) || verdictOf(flags) === 'allow') === letIn;
    return isOfVerdict && isOfMode && isOfAnswer && (shadow === undefined || isShadow(flags) === shadow);
  });
}

function createIsBelow({ textOf }: Segment, ending: string): (domain: number) => boolean {
  const known = new Map<number, boolean>();
  return (domain) => {
    const isBelow = known.get(domain) ?? textOf('domain', domain).endsWith(ending);
    known.set(domain, isBelow);
    return isBelow;
  };
}

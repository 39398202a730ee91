/** Decides which assessments of a segment a search may find, by their columns alone. */
import type { RelatedSearch } from '../history-search.ts';
import { addressOf, hashOf, type WideNumber } from './run-record.ts';
import {
  type ColumnName,
  isShadow,
  modeOf,
  type PostingKind,
  type Segment,
  verdictOf,
} from './run-segment.ts';

export interface ColumnCondition {
  readonly column: ColumnName;
  readonly isMet: (value: number) => boolean;
}

/** Values under which the assessments of a search are posted. */
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
  if (search.verdicts !== undefined || search.mode !== undefined || search.shadow !== undefined) {
    const met = flagsMet(search);
    add('flags', (flags) => met[flags] === true);
  }
  if (scoreMin !== undefined) add('score', (score) => score >= scoreMin);
  if (scoreMax !== undefined) add('score', (score) => score <= scoreMax);
  if (search.domain !== undefined) addEqual('domain', segment.numberOf('domain', search.domain));
  if (search.country !== undefined) addEqual('country', segment.numberOf('country', search.country));
  if (search.keyId !== undefined) addEqual('key', segment.numberOf('key', search.keyId));
  if (search.asn !== undefined) addEqual('asn', search.asn);
  if (search.reason !== undefined) {
    const number = segment.numberOf('reason', search.reason);
    if (number === undefined) return null;
    add('reasons', (mask) => ((mask >>> number) & 1) === 1);
  }
  if (below !== undefined) add('domain', createIsBelow(segment, `.${below}`));
  return isPossible ? conditions : null;
}

/** Whether columns do not decide everything that a search asks for. */
export function needsRecords(search: RelatedSearch): boolean {
  const { ip, feedback, sessionId, requestId, mailbox, address, network } = search;
  return [ip, feedback, sessionId, requestId, mailbox, address, network].some((value) => value !== undefined);
}

/** Each of them has all that the search finds. */
export function postedValuesOf(segment: Segment, search: RelatedSearch): PostedValues[] {
  const found: PostedValues[] = [];
  const add = (kind: PostingKind, first: WideNumber, last = first) => found.push({ kind, first, last });
  const { ip } = search;
  if (search.sessionId !== undefined) add('session', hashOf(search.sessionId));
  if (search.mailbox !== undefined) add('mailbox', hashOf(search.mailbox));
  if (search.network !== undefined) addBlock({ first: search.network, last: search.network });
  if (ip !== undefined) addBlock(ip);
  if (search.asn !== undefined) add('asn', [search.asn, 0]);
  const domain = search.domain === undefined ? undefined : segment.numberOf('domain', search.domain);
  if (domain !== undefined) add('domain', [domain, 0]);
  return found;

  function addBlock({ first, last }: { first: string; last: string }): void {
    const { family, value } = addressOf(withoutLength(first));
    add(family === 4 ? 'ip4' : 'ip6', value, addressOf(withoutLength(last)).value);
  }
}

/** A network may be written as `2001:db8::/64`. */
function withoutLength(network: string): string {
  return network.replace(/\/\d+$/, '');
}

function flagsMet({ verdicts, mode, shadow }: RelatedSearch): boolean[] {
  return Array.from({ length: FLAGS }, (_, flags) => {
    const isOfVerdict = verdicts === undefined || verdicts.includes(verdictOf(flags));
    const isOfMode = mode === undefined || modeOf(flags) === mode;
    return isOfVerdict && isOfMode && (shadow === undefined || isShadow(flags) === shadow);
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

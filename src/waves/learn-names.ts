/** Decides whether nearly all people of a domain or a range have names that a program made, or share what few organisations do. */
import { type GroupKey, joinKeys, keyOfText } from './group-key.ts';
import { NO_GROUP, USUAL, WEEK } from './group-table.ts';
import type { Counted, Learning } from './learning.ts';
import { formOf, hasFixedDigits, lettersOf, type Mark, mannerOf } from './marks.ts';
import { decadesAbove, likelihoodOf } from './odds.ts';
import type { Scope } from './scopes.ts';

const MIN_MEMBERS = 4;
/** A decayed count is a little below its number of members. */
const DECAYED = 0.5;
/** Sum of likelihoods from which on the names of a domain or range are generated. */
const MIN_SUM = 13;
const SUM_OF_USUAL = 3;
/** Members of a new domain from which on a shared form or stem is more than chance. */
const MIN_SHAPE_MEMBERS = 4.5;
const SHAPE_SHARE = 0.8;
const NETWORK_SHARE = 0.75;
/** Members whose networks are known. */
const MIN_PLACED = 2.5;
/** Share of domains whose people have names of one form. */
const USUAL_SHAPE = 0.01;
const MIN_NEW_DOMAINS = 2.5;
const MIN_SUB_DOMAINS = 5.5;
const SUB_DOMAIN_SHARE = 0.7;
/** Share of people who have a sub-domain that nobody else has. */
const USUAL_SUB_DOMAINS = 0.03;
const SUB_DOMAINS = keyOfText('sub_domains');
const WITHOUT_RANGE = keyOfText('without range');

/** Whether nearly all people of a domain that nothing speaks for have generated names, sub-domains of their own, or one form of names. */
export function learnDomain(learning: Learning, scope: Scope, counted: Counted, place: number): void {
  const { member, account, at } = counted;
  const groups = learning.groups;
  const likelihood = likelihoodOf(member.name);
  const sum = groups.addToSum(place, likelihood);
  if (likelihood > 0) groups.mark(place);
  const shape = countShape(learning, scope, counted);
  const subDomains = countSubDomain(learning, scope, counted);
  const withoutRange = joinKeys(scope.key, WITHOUT_RANGE);
  if (member.range === null) learning.count(withoutRange, counted, '');
  if (learning.isOpen(counted, scope.key)) return;
  const count = groups.count(place, WEEK, at);
  const usual = Math.max(0, groups.count(place, USUAL, at) - count);
  const isGenerated = count >= MIN_MEMBERS - 1.5 && sum >= MIN_SUM + SUM_OF_USUAL * Math.log1p(usual);
  const isRotating =
    subDomains !== NO_GROUP &&
    groups.count(subDomains, WEEK, at) >= MIN_SUB_DOMAINS &&
    groups.count(subDomains, WEEK, at) > SUB_DOMAIN_SHARE * count;
  const isShaped =
    usual < 3 &&
    shape !== null &&
    isOfOneShape(
      learning,
      { shape: shape.place, domain: place, withoutRange: joinKeys(account, withoutRange) },
      at,
    );
  if (!isGenerated && !isRotating && !isShaped) return;
  const shared = isGenerated
    ? ({ kind: 'generated', text: '' } as const)
    : isRotating
      ? ({ kind: 'sub_domains', text: '' } as const)
      : (shape as NonNullable<typeof shape>).shared;
  const key = joinKeys(account, scope.key);
  const marked = joinKeys(
    account,
    joinKeys(scope.key, isRotating || shape === null ? SUB_DOMAINS : shape.mark),
  );
  const decadesAt = (now: number) =>
    isGenerated
      ? groups.sumOf(key) / Math.LN10
      : decadesAbove(
          groups.countOf(marked, WEEK, now),
          groups.countOf(key, WEEK, now),
          isRotating ? USUAL_SUB_DOMAINS : USUAL_SHAPE,
        );
  learning.open(counted, {
    scope,
    mark: null,
    shared,
    families: isGenerated ? ['names', 'domain'] : ['domain'],
    ...learning.factsOf(
      place,
      at,
      ...(isRotating ? [subDomains] : []),
      ...(shape === null ? [] : [shape.place]),
    ),
    usual: isRotating ? USUAL_SUB_DOMAINS : isGenerated ? 0 : USUAL_SHAPE,
    decadesAt,
    isUsualAt: () => false,
  });
}

/** Counts the member among those of its domain with the same stem before a number, or else as many digits. */
function countShape(learning: Learning, scope: Scope, counted: Counted) {
  const { name } = counted.member;
  const count = (mark: GroupKey) => learning.count(joinKeys(scope.key, mark), counted, '');
  if (name.stem !== 0 && name.stemLetters >= 3) {
    const mark = keyOfText(`stem ${name.stem}`);
    const place = count(mark);
    if (learning.groups.count(place, WEEK, counted.at) >= MIN_SHAPE_MEMBERS)
      return { place, mark, shared: { kind: 'stem', text: '' } as const };
  }
  if (!hasFixedDigits(name)) return null;
  const form = formOf(name.mask);
  const mark = keyOfText(`form ${form}`);
  const place = count(mark);
  // Initials and a number are an organisation's way to name people.
  return lettersOf(name.mask) < 5 ? null : { place, mark, shared: { kind: 'form', text: form } as const };
}

function isOfOneShape(
  learning: Learning,
  {
    shape,
    domain,
    withoutRange,
  }: { readonly shape: number; readonly domain: number; readonly withoutRange: GroupKey },
  at: number,
): boolean {
  const groups = learning.groups;
  const all = groups.count(domain, WEEK, at);
  const count = groups.count(shape, WEEK, at);
  if (count < MIN_SHAPE_MEMBERS || count < SHAPE_SHARE * all) return false;
  // Members of an organisation share networks, too. Networks that strangers share say nothing.
  const placed = all - groups.countOf(withoutRange, WEEK, at);
  return placed >= MIN_PLACED && groups.distinct(domain) >= NETWORK_SHARE * placed;
}

/** Counts distinct sub-domains. Returns their place. */
function countSubDomain(learning: Learning, scope: Scope, { member, account, at }: Counted): number {
  if (member.domain === scope.text) return NO_GROUP;
  const groups = learning.groups;
  const place = groups.open(joinKeys(account, joinKeys(scope.key, SUB_DOMAINS)), account.low, at);
  const before = groups.distinct(place);
  groups.see(place, keyOfText(member.domain));
  if (groups.distinct(place) > before) groups.add(place, at);
  return place;
}

/** Whether the names that one range of addresses brings are generated. */
export function learnRange(learning: Learning, scope: Scope, counted: Counted, place: number): void {
  const { member, account, at } = counted;
  const groups = learning.groups;
  const likelihood = likelihoodOf(member.name);
  const sum = groups.addToSum(place, likelihood);
  if (likelihood > 0) groups.mark(place);
  const count = groups.count(place, WEEK, at);
  if (count < MIN_MEMBERS - DECAYED || learning.isOpen(counted, scope.key)) return;
  const usual = Math.max(0, groups.count(place, USUAL, at) - count);
  if (sum < MIN_SUM + SUM_OF_USUAL * Math.log1p(usual)) return;
  learning.open(counted, {
    scope,
    mark: null,
    shared: { kind: 'generated', text: '' },
    families: ['names', 'network'],
    ...learning.factsOf(place, at),
    usual: 0,
    decadesAt: () => groups.sumOf(joinKeys(account, scope.key)) / Math.LN10,
    isUsualAt: () => false,
  });
}

/** Whether the names at new domains that share a mail host, or an unusual manner to name them, are generated. */
export function learnNewDomains(
  learning: Learning,
  scope: Scope,
  counted: Counted,
  marks: readonly Mark[],
): void {
  const { member, account, at } = counted;
  const { groups } = learning;
  const manner = scope.kind === 'fresh_domains' ? mannerOf(member.registrable) : '';
  const key = joinKeys(scope.key, keyOfText(`names ${manner}`));
  const place = learning.count(key, counted, member.registrable);
  const likelihood = likelihoodOf(member.name);
  const sum = groups.addToSum(place, likelihood);
  if (likelihood > 0) groups.mark(place);
  const mark = marks.find(({ kind, scopes }) => kind === 'generated' && scopes.has(scope.kind));
  if (mark === undefined || sum < MIN_SUM || groups.distinct(place) < MIN_NEW_DOMAINS) return;
  learning.open(counted, {
    scope,
    mark,
    shared: { kind: 'generated', text: manner },
    families: ['names', 'domain'],
    ...learning.factsOf(place, at),
    usual: 0,
    decadesAt: () => groups.sumOf(joinKeys(account, key)) / Math.LN10,
    isUsualAt: () => false,
  });
}

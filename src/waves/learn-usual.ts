/** Decides which domains are usual for an account: ordinary people of them have come for weeks. */
import { isHumanName } from '../address/human-name.ts';
import { MIN_USUAL_PEOPLE, USUAL_PAUSE_MS, type UsualDomain } from '../model/usual-domain.ts';
import { joinKeys } from './group-key.ts';
import { NO_GROUP } from './group-table.ts';
import type { Counted, Learning } from './learning.ts';
import { domainScope } from './scopes.ts';

const DAY_S = 86_400;
const MIN_AGE_S = 14 * DAY_S;
/** Days on which somebody came: who comes in one afternoon and then once more has not come for weeks. */
const MIN_DAYS = 5;
/** Networks from which people came: an office, and somebody at home. From fewer, names or more people speak for them: some firms have one way out. */
const MIN_NETWORKS = 3;
const MIN_OFFICE_PEOPLE = 20;
const MIN_NAMED_SHARE = 0.6;
/** Share of those who were blocked, and some who always may be. Rate alone only challenges: whoever is, counts neither for the domain nor against it. */
const MAX_BLOCKED = { toBegin: { share: 0.05, few: 1 }, toStay: { share: 0.1, few: 3 } } as const;
const MAX_HOSTING_SHARE = 0.5;
/** Sum of likelihoods of generated names, far below that of a wave: two odd names. */
const MAX_SUM = 6;
/** An estimate may be a little too low. */
const ESTIMATED = 0.5;
/** People from whom on a group is not forgotten for others that came once. */
const PEOPLE_TO_KEEP = 3;

/** Learns of a member once it is counted in its groups. @param isOfWave whether it belongs to a campaign */
export function learnUsual(learning: Learning, counted: Counted, isOfWave: boolean): void {
  const { member, at } = counted;
  if (!member.mayBeUsual) return;
  const place = placeOf(learning, counted);
  if (place === NO_GROUP) return;
  const { people } = learning.groups;
  const known = learning.usual.last(member.accountId, member.registrable);
  // Counted in what was stored before a restart.
  if (known !== undefined && member.at <= known.lastAt) return;
  const isOver = known !== undefined && member.at - known.lastAt > USUAL_PAUSE_MS;
  const hasWave = learning.isOpen(counted, domainScope(member.registrable).key);
  if (isOver || hasWave) {
    people.clear(place);
    if (known !== undefined) learning.usual.end(known, member.at);
  }
  if (isOfWave || hasWave) return;
  if (member.isBlocked) people.block(place);
  if (!member.isStopped) {
    people.add(place, at, learning.personKeyOf(counted), isHumanName(member.name));
    if (people.count(place) === PEOPLE_TO_KEEP) learning.groups.mark(place);
  }
  if (known !== undefined && !isOver) grow(learning, place, counted, known);
  else if (isUsual(learning, place, counted)) begin(learning, place, counted);
}

/** The group of the domain; that of one with a standing is counted here alone. */
function placeOf(learning: Learning, counted: Counted): number {
  const { member, account } = counted;
  const scope = domainScope(member.registrable);
  if (member.domainKind !== 'private') return learning.countIn(scope, counted);
  return learning.groups.find(joinKeys(account, scope.key));
}

function begin({ groups, usual }: Learning, place: number, { member }: Counted): void {
  const { people } = groups;
  usual.begin({
    accountId: member.accountId,
    domain: member.registrable,
    people: people.count(place),
    networks: Math.round(groups.distinct(place)),
    since: people.since(place) * 1_000,
    lastAt: member.at,
  });
}

function grow({ groups, usual }: Learning, place: number, { member }: Counted, known: UsualDomain): void {
  if (!member.isStopped) {
    const networks = Math.max(known.networks, Math.round(groups.distinct(place)));
    usual.grow({ ...known, people: known.people + 1, networks, lastAt: member.at });
  } else if (
    member.domainKind === 'private' &&
    groups.people.blocked(place) > maxBlocked('toStay', known.people)
  ) {
    groups.people.clear(place);
    usual.end(known, member.at);
  }
}

function isUsual(learning: Learning, place: number, counted: Counted): boolean {
  const { groups } = learning;
  const { member, at } = counted;
  const { people } = groups;
  const count = people.count(place);
  if (count < MIN_USUAL_PEOPLE || at - people.since(place) < MIN_AGE_S) return false;
  if (people.days(place) < MIN_DAYS || people.distinct(place) < MIN_USUAL_PEOPLE - ESTIMATED) return false;
  // Something else speaks for the domain: the number is all that is asked.
  if (member.domainKind !== 'private') return true;
  const areNamed = people.named(place) >= MIN_NAMED_SHARE * count;
  const isOfOffice = groups.distinct(place) < MIN_NETWORKS - ESTIMATED;
  if (isOfOffice && !areNamed && count < MIN_OFFICE_PEOPLE) return false;
  if (groups.hosting(place) > MAX_HOSTING_SHARE * count) return false;
  if (groups.addToSum(place, 0) > MAX_SUM && !learning.isOurs(counted)) return false;
  return people.blocked(place) <= maxBlocked('toBegin', count);
}

function maxBlocked(when: keyof typeof MAX_BLOCKED, people: number): number {
  const { share, few } = MAX_BLOCKED[when];
  return Math.max(few, share * people);
}

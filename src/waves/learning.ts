/** Knowledge of the learner: groups, people of the last day, and the campaigns that are open. */
import type { LearnedCampaign } from '../model/campaign.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import { type GroupKey, joinKeys, keyOfHex, keyOfText, numberOf } from './group-key.ts';
import { DAY, GroupTable, NO_GROUP, USUAL, WEEK } from './group-table.ts';
import { type FoundGroup, OpenCampaign } from './open-campaign.ts';
import { RecentPeople } from './recent-people.ts';
import { domainScope, type Scope } from './scopes.ts';
import { UsualDomains } from './usual-domains.ts';
import type { WaveMember } from './wave-member.ts';

/** Members that an account's own share has to outweigh before it counts more than the prior one. */
const PRIOR_WEIGHT = 200;
/** A domain is new to the account for two weeks. */
export const FRESH_S = 14 * 86_400;
/** Share of the memory for groups; the rest knows the people of a day. */
const GROUPS_SHARE = 0.8;
/** Share of members of waves above which everybody with a mark of theirs is one. */
const MOSTLY = 0.75;

const ONE_WEEK = { scope: 1, cell: 1 };

/** Mark of those who share nothing but their scope. */
export const ANY: GroupKey = keyOfText('any');
/** Mark of the members of open campaigns. */
export const WAVES: GroupKey = keyOfText('waves');

export interface WaveLearnerOptions {
  /** Max. memory of groups and people, bytes. */
  readonly bytes: number;
  /** Rows that were stored before. */
  readonly usual?: Iterable<UsualDomain>;
}

/** A member with what it is counted under. */
export interface Counted {
  readonly member: WaveMember;
  readonly account: GroupKey;
  /** Seconds since the epoch. */
  readonly at: number;
}

export class Learning {
  readonly groups: GroupTable;
  readonly people: RecentPeople;
  readonly usual: UsualDomains;
  /** Numbers of accounts' keys that people dismissed: nothing opens with them. */
  readonly #dismissed = new Set<number>();
  /** Campaigns by the number of account, scope and mark, see `numberOf`. */
  readonly campaigns = new Map<number, OpenCampaign>();
  readonly #accounts = new Map<string, GroupKey>();
  #changed = new Set<OpenCampaign>();
  #opened: OpenCampaign[] = [];
  #ended: OpenCampaign[] = [];

  constructor({ bytes, usual }: WaveLearnerOptions) {
    this.groups = new GroupTable(bytes * GROUPS_SHARE);
    this.people = new RecentPeople(bytes * (1 - GROUPS_SHARE));
    this.usual = new UsualDomains(usual);
  }

  keyOf(accountId: string): GroupKey {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const key = keyOfText(accountId);
    this.#accounts.set(accountId, key);
    return key;
  }

  personKeyOf({ member, account }: Counted): GroupKey {
    return joinKeys(account, keyOfText(member.mailbox));
  }

  usualOf({ accountId, registrable, at }: WaveMember): UsualDomain | undefined {
    return this.usual.find(accountId, registrable, at);
  }

  isFresh({ member, account, at }: Counted): boolean {
    if (member.domainKind !== 'private' || this.usualOf(member) !== undefined) return false;
    const place = this.groups.find(joinKeys(account, domainScope(member.registrable).key));
    return place === NO_GROUP || at - this.groups.firstAt(place) < FRESH_S;
  }

  /** Counts a member in the group of a scope or cell. Returns its place. */
  count(key: GroupKey, { member, account, at }: Counted, distinct: string): number {
    const place = this.groups.open(joinKeys(account, key), account.low, at);
    this.groups.add(place, at);
    this.groups.note(place, !member.isLetIn, member.isHosting);
    if (distinct !== '') this.groups.see(place, keyOfText(distinct));
    return place;
  }

  /** Counts the member of an open campaign among such members of a scope or cell. */
  countOfWaves(key: GroupKey, { account, at }: Counted): void {
    this.groups.add(this.groups.open(joinKeys(account, joinKeys(key, WAVES)), account.low, at), at);
  }

  /** Whether hardly anybody of a scope comes but members of waves. */
  isMostlyWaves({ key }: Scope, trials: number, { account, at }: Counted): boolean {
    const ofWaves = this.groups.countOf(joinKeys(account, joinKeys(key, WAVES)), DAY, at);
    return ofWaves > MOSTLY * this.groups.count(trials, DAY, at);
  }

  countIn({ key }: Scope, counted: Counted): number {
    return this.count(key, counted, counted.member.range ?? '');
  }

  /**
   * Share of a scope that has a mark as a rule: the account's own, with the prior one as long as it has few people.
   * @param lag weeks until people count, of the scope and of the cell
   */
  usualShare(scope: number, cell: number, prior: number, at: number, lag = ONE_WEEK): number {
    const old = (place: number, lag: number) => {
      if (place === NO_GROUP) return 0;
      return Math.max(0, this.groups.count(place, USUAL, at) - lag * this.groups.count(place, WEEK, at));
    };
    return (old(cell, lag.cell) + prior * PRIOR_WEIGHT) / (old(scope, lag.scope) + PRIOR_WEIGHT);
  }

  membersOfDomain({ member, account, at }: Counted): number {
    const place = this.groups.find(joinKeys(account, domainScope(member.registrable).key));
    return place === NO_GROUP ? 0 : this.groups.count(place, USUAL, at);
  }

  /** @param more places of what else led to it */
  factsOf(place: number, at: number, ...more: readonly number[]) {
    const groups = this.groups;
    return {
      groups: [place, ...more].map((each) => groups.keyAt(each)),
      since: groups.firstAt(place),
      members: Math.max(1, Math.round(groups.count(place, WEEK, at))),
      stopped: groups.stopped(place),
      hosting: groups.hosting(place),
    };
  }

  /** Whether a person called everybody of the member's domain the account's own people. */
  isOurs({ member, account }: Counted): boolean {
    if (this.#dismissed.size === 0) return false;
    const key = joinKeys(domainScope(member.registrable).key, ANY);
    return this.#dismissed.has(numberOf(joinKeys(account, key)));
  }

  isOpen({ account, at }: Counted, scope: GroupKey): boolean {
    const open = this.campaigns.get(numberOf(joinKeys(account, joinKeys(scope, ANY))));
    return open !== undefined && !open.isOver(at);
  }

  open(counted: Counted, found: FoundGroup): void {
    this.openAt(joinKeys(found.scope.key, found.mark?.key ?? ANY), counted, found);
  }

  openAt(key: GroupKey, { member, account, at }: Counted, found: FoundGroup): void {
    const number = numberOf(joinKeys(account, key));
    const old = this.campaigns.get(number);
    if (old !== undefined && !old.isOver(at)) return;
    if (this.#dismissed.has(number)) return;
    const campaign = new OpenCampaign(key, member, found, at);
    if (old !== undefined) this.#ended.push(old);
    this.campaigns.set(number, campaign);
    this.#changed.add(campaign);
    this.#opened.push(campaign);
  }

  join(campaign: OpenCampaign, { member, at }: Counted): void {
    campaign.join(member, at);
    this.#changed.add(campaign);
  }

  /** Campaigns that opened or have new members since the last call. */
  takeChanged(): LearnedCampaign[] {
    const changed = [...this.#changed].map((campaign) => campaign.toLearned());
    this.#changed = new Set();
    this.#opened = [];
    return changed;
  }

  /** Campaigns that opened since the last call of this or of `takeChanged`. */
  takeOpened(): LearnedCampaign[] {
    if (this.#opened.length === 0) return [];
    const opened = this.#opened.filter((campaign) => this.#changed.delete(campaign));
    this.#opened = [];
    return opened.map((campaign) => campaign.toLearned());
  }

  /** Campaigns that were over at a time, and nobody was told of. @param now milliseconds since the epoch */
  takeEnded(now: number): LearnedCampaign[] {
    const at = Math.floor(now / 1_000);
    for (const [number, campaign] of this.campaigns)
      if (campaign.isOver(at)) {
        this.campaigns.delete(number);
        this.#ended.push(campaign);
      }
    const ended = this.#ended.map((campaign) => campaign.toLearned());
    this.#ended = [];
    return ended;
  }

  /** Goes on with a stored campaign where none with its id is open. */
  resume(learned: LearnedCampaign): void {
    const number = numberOf(joinKeys(this.keyOf(learned.accountId), keyOfHex(learned.key)));
    if (this.campaigns.get(number)?.id === learned.id) return;
    this.campaigns.set(number, OpenCampaign.resume(learned));
  }

  dismiss(accountId: string, key: GroupKey, isDismissed: boolean): void {
    const number = numberOf(joinKeys(this.keyOf(accountId), key));
    if (isDismissed) this.#dismissed.add(number);
    else this.#dismissed.delete(number);
  }

  removeAccount(accountId: string): void {
    for (const [number, campaign] of this.campaigns)
      if (campaign.accountId === accountId) {
        this.campaigns.delete(number);
        this.#changed.delete(campaign);
      }
    this.#ended = this.#ended.filter((campaign) => campaign.accountId !== accountId);
    this.usual.removeAccount(accountId);
    this.#accounts.delete(accountId);
  }

  /** Forgets an open campaign that people ended, and what led to it: it needs new members to open again. */
  close(accountId: string, key: GroupKey, at: number): void {
    const number = numberOf(joinKeys(this.keyOf(accountId), key));
    const open = this.campaigns.get(number);
    if (open === undefined) return;
    this.#changed.delete(open);
    this.campaigns.delete(number);
    for (const group of open.groups) {
      const place = this.groups.find(group);
      if (place !== NO_GROUP) this.groups.clear(place, Math.floor(at / 1_000));
    }
  }
}

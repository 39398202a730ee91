/** Decides which groups of signups are waves: by what their members share beyond what such people share anyway. */
import { compareCampaigns, type LearnedCampaign } from '../model/campaign.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import { type GroupKey, joinKeys, keyOfHex, keyOfText, numberOf } from './group-key.ts';
import { judgeCell } from './judge-cell.ts';
import { learnDomain, learnNewDomains, learnRange } from './learn-names.ts';
import { learnSpelling } from './learn-spelling.ts';
import { learnUsual } from './learn-usual.ts';
import { learnVictim, VICTIMS_MARK } from './learn-victim.ts';
import { ANY, type Counted, Learning, type WaveLearnerOptions } from './learning.ts';
import { type Mark, marksOf } from './marks.ts';
import { likelihoodOf } from './odds.ts';
import type { OpenCampaign } from './open-campaign.ts';
import { ACCOUNT, domainScope, isOfDomains, mailboxScope, type Scope, scopesOf } from './scopes.ts';
import type { WaveMember } from './wave-member.ts';

/** Members of one domain that count as members of such a group: what many of one domain share is judged there. */
const MAX_OF_DOMAIN = 3.5;

/** Pure: the same members in the same order make the same campaigns. */
export class WaveLearner {
  readonly #learning: Learning;

  constructor(options: WaveLearnerOptions) {
    this.#learning = new Learning(options);
  }

  /** Learns of a signup that is stored. In order of commit; `at` may go back a little. */
  learn(member: WaveMember): void {
    const learning = this.#learning;
    const counted = { member, account: learning.keyOf(member.accountId), at: Math.floor(member.at / 1_000) };
    const { at } = counted;
    learnSpelling(learning, counted);
    if (learning.people.note(learning.personKeyOf(counted), at)) return;
    const scopes = scopesOf(member, learning.isFresh(counted));
    const marks = marksOf(member);
    const ofAccount = learning.countIn(ACCOUNT, counted);
    if (learning.isOurs(counted)) {
      if (member.domainKind === 'private') learning.countIn(domainScope(member.registrable), counted);
      learnUsual(learning, counted, false);
      return;
    }
    const campaign = this.find(member, scopes, marks);
    if (campaign !== null) learning.join(campaign, counted);
    if (campaign === null && member.victim !== '') learnVictim(learning, counted, member.victim, ofAccount);
    for (const scope of scopes) this.#learnIn(scope, counted, { marks, campaign, ofAccount });
    learnUsual(learning, counted, campaign !== null);
  }

  /** The open campaign that a signup is a member of; of several the surest one, as far as nobody decided. */
  find(
    member: WaveMember,
    scopes = scopesOf(member),
    marks: readonly Mark[] = marksOf(member),
  ): OpenCampaign | null {
    const account = this.#learning.keyOf(member.accountId);
    const at = Math.floor(member.at / 1_000);
    let best: OpenCampaign | null = null;
    for (const key of keysOf(member, scopes, marks)) {
      const campaign = this.#learning.campaigns.get(numberOf(joinKeys(account, key)));
      if (campaign === undefined || campaign.isOver(at)) continue;
      if (best === null || compareCampaigns(campaign, best) < 0) best = campaign;
    }
    return best;
  }

  /** Campaigns that opened or have new members since the last call. */
  takeChanged(): LearnedCampaign[] {
    return this.#learning.takeChanged();
  }

  /** Campaigns that opened since the last call of this or of `takeChanged`. */
  takeOpened(): LearnedCampaign[] {
    return this.#learning.takeOpened();
  }

  /** Domains that became usual, or have more people, since the last call. */
  takeUsual(): UsualDomain[] {
    return this.#learning.usual.takeChanged();
  }

  /** The domain, or the one that it is below, as it is usual for the account. @param at milliseconds since the epoch */
  usualOf(accountId: string, domain: string, at: number): UsualDomain | undefined {
    return this.#learning.usual.findAbove(accountId, domain, at);
  }

  /** Campaigns that were over at a time, and nobody was told of. @param now milliseconds since the epoch */
  takeEnded(now: number): LearnedCampaign[] {
    return this.#learning.takeEnded(now);
  }

  /** Goes on with a stored campaign where none with its id is open. */
  resume(learned: LearnedCampaign): void {
    this.#learning.resume(learned);
  }

  /**
   * Forgets an open campaign that people ended, and what led to it: it needs new members to open again.
   * @param key 16 hex digits
   * @param at milliseconds since the epoch
   */
  close(accountId: string, key: string, at: number): void {
    this.#learning.close(accountId, keyOfHex(key), at);
  }

  /** Lets nothing with a key open, or takes that back; of a domain whose people are the account's own nothing is learned. @param key 16 hex digits */
  dismiss(accountId: string, key: string, isDismissed: boolean): void {
    this.#learning.dismiss(accountId, keyOfHex(key), isDismissed);
  }

  removeAccount(accountId: string): void {
    this.#learning.removeAccount(accountId);
  }

  #learnIn(
    scope: Scope,
    counted: Counted,
    {
      marks,
      campaign,
      ofAccount,
    }: {
      readonly marks: readonly Mark[];
      readonly campaign: OpenCampaign | null;
      readonly ofAccount: number;
    },
  ): void {
    const learning = this.#learning;
    const trials = scope === ACCOUNT ? ofAccount : learning.countIn(scope, counted);
    if (scope.kind === 'domain') learnDomain(learning, scope, counted, trials);
    if (scope.kind === 'range') learnRange(learning, scope, counted, trials);
    const ofDomains = isOfDomains(scope);
    if (ofDomains && learning.membersOfDomain(counted) > MAX_OF_DOMAIN) return;
    if (ofDomains) learnNewDomains(learning, scope, counted, marks);
    if (campaign !== null) learning.countOfWaves(scope.key, counted);
    const isExplained = (mark: Mark) =>
      campaign?.explains(mark) === true && !learning.isMostlyWaves(scope, trials, counted);
    for (const mark of marks) {
      if (!mark.scopes.has(scope.kind) || mark.kind === 'generated' || isExplained(mark)) continue;
      const { member } = counted;
      const key = joinKeys(scope.key, mark.key);
      const place = learning.count(key, counted, ofDomains ? member.registrable : (member.range ?? ''));
      learning.groups.mark(place);
      if (campaign === null) {
        if (scope !== ACCOUNT) judgeCell(learning, counted, { scope, mark, trials, place, ofAccount });
        continue;
      }
      // Members of a wave say nothing of what is usual.
      learning.groups.forgetUsual(place);
      learning.countOfWaves(key, counted);
    }
  }
}

/** Keys under which an open campaign would be one of the member's. */
export function keysOf(
  member: WaveMember,
  scopes: readonly Scope[] = scopesOf(member),
  marks: readonly Mark[] = scopes.length === 0 ? [] : marksOf(member),
): readonly GroupKey[] {
  const keys: GroupKey[] = [];
  for (const { kind, key } of scopes) {
    // A range has neighbours, who have names.
    if (kind === 'domain' || (kind === 'range' && likelihoodOf(member.name) >= 0))
      keys.push(joinKeys(key, ANY));
    for (const mark of marks) if (mark.scopes.has(kind)) keys.push(joinKeys(key, mark.key));
  }
  if (member.victim !== '') keys.push(joinKeys(ACCOUNT.key, VICTIMS_MARK));
  if (member.isCanonical) return keys;
  const { key } = mailboxScope(member.mailbox);
  keys.push(joinKeys(key, ANY), joinKeys(key, keyOfText(member.range ?? '')));
  return keys;
}

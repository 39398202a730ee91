/** Knowledge of a campaign while its members come. */
import type { CampaignFamily, LearnedCampaign } from '../model/campaign.ts';
import { campaignId } from './campaign-id.ts';
import { type GroupKey, hexOf, keyOfHex } from './group-key.ts';
import type { Mark } from './marks.ts';
import type { Scope } from './scopes.ts';
import type { WaveMember } from './wave-member.ts';

/** Networks that are told apart. */
const MAX_NETWORKS = 256;
const DAY_S = 86_400;
/** Pause, in usual pauses between members, after which a wave is over; at least a day, at most five. */
const USUAL_PAUSES = 8;
const MAX_PAUSE_S = 5 * DAY_S;
/** People keep a mailbox. */
const MAILBOX_PAUSE_S = 90 * DAY_S;
/** Share of members from hosting that makes it a mark of the group. */
const HOSTING_SHARE = 0.5;
const MIN_HOSTING = 5;

/** A group that turned out to be a wave. Times are seconds since the epoch. */
export interface FoundGroup {
  readonly scope: Scope;
  /** `null`: everybody of the scope is a member. */
  readonly mark: Mark | null;
  /** Word for what they share, and its text. */
  readonly shared: { readonly kind: LearnedCampaign['mark']; readonly text: string };
  readonly families: readonly CampaignFamily[];
  /** Groups that led to it. */
  readonly groups: readonly GroupKey[];
  readonly since: number;
  readonly members: number;
  readonly stopped: number;
  readonly hosting: number;
  readonly usual: number;
  /** How unlikely it is that chance made it, as of now. */
  readonly decadesAt: (at: number) => number;
  /** Whether as many come as usual, so that the wave is over though somebody comes. */
  readonly isUsualAt: (at: number) => boolean;
}

export class OpenCampaign {
  readonly key: GroupKey;
  readonly accountId: string;
  readonly #found: FoundGroup;
  readonly #id: string;
  readonly #openedAt: number;
  readonly #networks = new Set<string>();
  #members: number;
  #stopped: number;
  #hosting: number;
  #decades: number;
  #lastAt: number;
  #isOver = false;

  /** @param id default: that of its account, key and opening; its group may have members from before an earlier campaign */
  constructor(
    key: GroupKey,
    member: Pick<WaveMember, 'accountId' | 'range'>,
    found: FoundGroup,
    at: number,
    id = campaignId(member.accountId, hexOf(key), at * 1_000),
  ) {
    this.key = key;
    this.accountId = member.accountId;
    this.#id = id;
    this.#found = found;
    this.#openedAt = at;
    this.#lastAt = at;
    this.#members = found.members;
    // `stopped` and `hosting` count a longer time than `members`, which counts the last days.
    this.#stopped = Math.min(found.stopped, found.members);
    this.#hosting = Math.min(found.hosting, found.members);
    this.#decades = found.decadesAt(at);
    if (member.range !== null) this.#networks.add(member.range);
  }

  /** Goes on with one that was stored: its group may be forgotten. */
  static resume(learned: LearnedCampaign): OpenCampaign {
    const { accountId, id, key, scope: kind, scopeText, mark, markText, decades } = learned;
    const found: FoundGroup = {
      ...learned,
      scope: { kind, text: scopeText, key: keyOfHex(key) },
      mark: null,
      groups: [],
      shared: { kind: mark, text: markText },
      since: learned.since / 1_000,
      decadesAt: () => decades,
      isUsualAt: () => false,
    };
    const openedAt = learned.openedAt / 1_000;
    const campaign = new OpenCampaign(keyOfHex(key), { accountId, range: null }, found, openedAt, id);
    campaign.#lastAt = learned.lastAt / 1_000;
    return campaign;
  }

  /** Counts one more member. */
  join({ range, isHosting, isLetIn }: WaveMember, at: number): void {
    if (at - this.#openedAt > DAY_S / 2 && this.#found.isUsualAt(at)) {
      this.#isOver = true;
      return;
    }
    this.#members += 1;
    if (!isLetIn) this.#stopped += 1;
    if (isHosting) this.#hosting += 1;
    if (range !== null && this.#networks.size < MAX_NETWORKS) this.#networks.add(range);
    this.#decades = Math.max(this.#decades, this.#found.decadesAt(at));
    this.#lastAt = Math.max(this.#lastAt, at);
  }

  isOver(at: number): boolean {
    if (this.#isOver) return true;
    const usual = (this.#lastAt - this.#found.since) / Math.max(1, this.#members);
    const pause =
      this.#found.scope.kind === 'mailbox'
        ? MAILBOX_PAUSE_S
        : Math.min(MAX_PAUSE_S, Math.max(DAY_S, USUAL_PAUSES * usual));
    return at - this.#lastAt > pause;
  }

  get id(): string {
    return this.#id;
  }

  get groups(): readonly GroupKey[] {
    return this.#found.groups;
  }

  /** Whether its members have a mark because they have its own, which fewer people have: an adjective and a thing are two words. */
  explains({ kind, prior }: Mark): boolean {
    return this.#found.mark?.kind === kind && prior > this.#found.mark.prior;
  }

  get members(): number {
    return this.#members;
  }

  get decades(): number {
    return this.#decades;
  }

  get families(): readonly CampaignFamily[] {
    const { families } = this.#found;
    const isHosted = this.#hosting >= MIN_HOSTING && this.#hosting > HOSTING_SHARE * this.#members;
    return isHosted && !families.includes('network') ? [...families, 'network'] : families;
  }

  toLearned(): LearnedCampaign {
    const { scope, shared, usual, since } = this.#found;
    return {
      id: this.#id,
      accountId: this.accountId,
      key: hexOf(this.key),
      scope: scope.kind,
      scopeText: scope.text,
      mark: shared.kind,
      markText: shared.text,
      members: this.#members,
      stopped: this.#stopped,
      letIn: this.#members - this.#stopped,
      usual,
      decades: this.#decades,
      families: this.families,
      networks: this.#networks.size,
      hosting: this.#hosting,
      since: since * 1_000,
      openedAt: this.#openedAt * 1_000,
      lastAt: this.#lastAt * 1_000,
    };
  }
}

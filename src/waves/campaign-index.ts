/** Knows the open campaigns of every account, and which one an attempt belongs to. */
import {
  type Campaign,
  type CampaignMatch,
  type CampaignScope,
  compareCampaigns,
  isSure,
  type LearnedCampaign,
} from '../model/campaign.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import { type GroupKey, numberOf, numberOfHex } from './group-key.ts';
import type { UsualIndex } from './usual-index.ts';

/** Source of campaigns; a part of the store. */
export interface CampaignSource {
  campaignsVersion(): Promise<number>;
  campaignChangesSince(version: number): AsyncIterable<Campaign>;
  usualDomainsSince(version: number): AsyncIterable<UsualDomain>;
}

export interface CampaignIndex {
  /**
   * The open campaign that an attempt belongs to, with this attempt as a member; of several the surest one.
   * @param keysOf makes the attempt's keys in scopes of some kinds; not called for an account without open campaigns
   */
  find(
    accountId: string,
    keysOf: (kinds: ReadonlySet<CampaignScope>) => Iterable<GroupKey>,
  ): CampaignMatch | null;
  /**
   * Campaigns of all accounts that are open, and of each key the newest that a person dismissed or ended, or that reports of
   * good customers ended.
   */
  standing(): readonly Campaign[];
  /** Open campaigns of all accounts. */
  countOpen(): number;
  /** Takes over what was just stored, before it is read again. */
  put(campaign: Campaign): void;
  /** Reads what changed. @throws when the source cannot be read */
  refresh(): Promise<void>;
  removeAccount(accountId: string): void;
}

export interface CampaignIndexOptions {
  readonly source: CampaignSource;
  /** Index that gets the usual domains, which have the same versions. */
  readonly usual: Pick<UsualIndex, 'put'>;
  /** Called when a campaign opened, became sure or ended, but not for those that were stored before the first read. */
  readonly onEvent?: (event: CampaignEvent, campaign: Campaign) => void;
  /** Called for each campaign as it is stored now, whoever changed it. */
  readonly onStored?: (campaign: Campaign) => void;
}

export type CampaignEvent = 'opened' | 'sure' | 'ended';

/** Campaigns of an account by key. */
interface AccountCampaigns {
  readonly open: Map<number, Campaign>;
  /** The newest that ended otherwise than by silence. */
  readonly closed: Map<string, Campaign>;
  /** Keys of domains whose people are the account's own: a person dismissed their wave. They belong to no other one either. */
  readonly ours: Set<number>;
  /** Kinds of scopes that an attempt is looked up in. */
  kinds: ReadonlySet<CampaignScope>;
}

export function createCampaignIndex({
  source,
  usual,
  onEvent = () => {},
  onStored = () => {},
}: CampaignIndexOptions): CampaignIndex {
  let version = 0;
  let isRead = false;
  let reading: Promise<void> | undefined;
  const accounts = new Map<string, AccountCampaigns>();
  /** Only accounts with open campaigns: all that an attempt of another account has to look up. */
  const open = new Map<string, AccountCampaigns>();

  function put(campaign: Campaign): void {
    const { accountId } = campaign;
    const own = accounts.get(accountId) ?? {
      open: new Map(),
      closed: new Map(),
      ours: new Set(),
      kinds: new Set(),
    };
    accounts.set(accountId, own);
    const before = putIn(own, campaign);
    own.kinds = kindsOf(own);
    if (own.open.size > 0) open.set(accountId, own);
    else open.delete(accountId);
    onStored(campaign);
    if (isRead) notify(onEvent, campaign, before);
  }

  async function read(): Promise<void> {
    // Asked first: a change that is stored while the rows are read is then read again, never missed.
    const upTo = await source.campaignsVersion();
    if (upTo !== version || !isRead) {
      for await (const campaign of source.campaignChangesSince(version)) put(campaign);
      for await (const row of source.usualDomainsSince(version)) usual.put(row);
      version = upTo;
    }
    isRead = true;
  }

  return {
    find(accountId, keysOf) {
      const own = open.get(accountId);
      return own === undefined ? null : findSurest(own, keysOf(own.kinds));
    },
    standing: () =>
      [...accounts.values()].flatMap(({ open, closed }) => [...open.values(), ...closed.values()]),
    countOpen() {
      let count = 0;
      for (const own of open.values()) count += own.open.size;
      return count;
    },
    put,
    /** One at a time, like own lists. */
    refresh() {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    removeAccount(accountId) {
      accounts.delete(accountId);
      open.delete(accountId);
    },
  };
}

function kindsOf({ open, ours }: AccountCampaigns): ReadonlySet<CampaignScope> {
  const kinds = new Set([...open.values()].map(({ scope }) => scope));
  return ours.size === 0 ? kinds : kinds.add('domain');
}

/** Returns the same campaign if it was open. */
function putIn({ open, closed, ours }: AccountCampaigns, campaign: Campaign): Campaign | undefined {
  const { id, key, state, ended, decision, scope } = campaign;
  const number = numberOfHex(key);
  const before = open.get(number);
  const wasOpen = before?.id === id;
  if (state === 'open') {
    open.set(number, campaign);
    if (closed.get(key)?.id === id) closed.delete(key);
  } else {
    if (wasOpen) open.delete(number);
    if (ended?.reason !== 'silence' || decision === 'dismissed')
      closed.set(key, newest(campaign, closed.get(key)));
  }
  if (scope === 'domain' && closed.get(key)?.decision === 'dismissed') ours.add(number);
  else ours.delete(number);
  return wasOpen ? before : undefined;
}

function findSurest({ open, ours }: AccountCampaigns, keys: Iterable<GroupKey>): CampaignMatch | null {
  let surest: Campaign | undefined;
  for (const key of keys) {
    const number = numberOf(key);
    if (ours.has(number)) return null;
    const campaign = open.get(number);
    if (campaign !== undefined && (surest === undefined || compareCampaigns(campaign, surest) < 0))
      surest = campaign;
  }
  return surest === undefined ? null : toMatch(surest);
}

/** @param before the same campaign while it was open here; `undefined`: it was not */
function notify(
  onEvent: NonNullable<CampaignIndexOptions['onEvent']>,
  campaign: Campaign,
  before: Campaign | undefined,
): void {
  const isOpen = campaign.state === 'open';
  if (isOpen && before === undefined) onEvent('opened', campaign);
  if (isOpen && isSure(campaign) && !(before !== undefined && isSure(before))) onEvent('sure', campaign);
  if (!isOpen && before !== undefined) onEvent('ended', campaign);
}

/** The one of two that stands in the way of others: what is dismissed stays so, whatever ended later. */
function newest(campaign: Campaign, known: Campaign | undefined): Campaign {
  if (known === undefined || known.id === campaign.id || campaign.decision === 'dismissed') return campaign;
  return known.decision === 'dismissed' || known.since > campaign.since ? known : campaign;
}

/** The campaign as an attempt that belongs to it carries it. */
export function toMatch(
  campaign: LearnedCampaign &
    Pick<Campaign, 'decision' | 'goodReports'> &
    Partial<Pick<Campaign, 'verified' | 'bounced'>>,
): CampaignMatch {
  const { id, scope, scopeText, mark, markText, usual, decades, families } = campaign;
  return {
    id,
    scope,
    scopeText,
    mark,
    markText,
    members: campaign.members + 1,
    usual,
    decades,
    families,
    sure: isSure(campaign),
    confirmed: campaign.decision === 'confirmed',
  };
}

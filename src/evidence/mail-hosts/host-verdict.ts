/** Decides whether a mail host counts as one of disposable domains, by counts alone: listed against ordinary, over accounts. */
import { ownerDomain } from '../../address/domain.ts';
import { type HostRecord, isOver } from './host-record.ts';

export interface HostVerdict {
  /** `unknown`: too little was seen. */
  readonly state: 'flagged' | 'ordinary' | 'unknown';
  /** Listed domains that flag it; 0 when it is not flagged. */
  readonly listed: number;
  /** Ordinary domains that count for whoever asks. */
  readonly ordinary: number;
}

export interface VerdictQuestion {
  /** The account that asks; `null`: what holds for every account. */
  readonly account: string | null;
  /** The domain that is judged: it is no evidence for or against itself. */
  readonly domain: string;
  /** Hours since the epoch. */
  readonly hour: number;
  /** Fewest listed domains that flag a host for every account. */
  readonly minListed: number;
}

/** Listed domains for each ordinary one: fewer do not flag a host. */
export const RATIO = 4;
/** An account that has nobody to agree with needs so many listed domains more. */
export const ALONE_MORE = 2;
/** And it must have seen them over at least so long. */
export const ALONE_HOURS = 24;

/** What one account saw. */
interface View {
  listed: number;
  ordinary: number;
  /** Domains that no other account saw. */
  listedOnly: number;
  ordinaryOnly: number;
  first: number;
  last: number;
}

interface Views {
  readonly byAccount: ReadonlyMap<string, View>;
  readonly listed: number;
  readonly ordinary: number;
}

/**
 * For every account, a host is judged by what remains without any single account: no caller alone flags or clears it.
 * For itself, an account also judges by what it saw, if that is more and took longer.
 */
export function judgeHost(record: HostRecord, question: VerdictQuestion): HostVerdict {
  const { account, minListed } = question;
  const { byAccount, ...all } = viewsOf(record, question);
  let listedOnly = 0;
  let ordinaryOnly = 0;
  for (const view of byAccount.values()) {
    listedOnly = Math.max(listedOnly, view.listedOnly);
    ordinaryOnly = Math.max(ordinaryOnly, view.ordinaryOnly);
  }
  const agreed = { listed: all.listed - listedOnly, ordinary: all.ordinary - ordinaryOnly };
  const own = account === null ? undefined : byAccount.get(account);
  const ordinary = Math.max(agreed.ordinary, own?.ordinary ?? 0);
  const listed = Math.max(
    agreed.listed >= minListed ? agreed.listed : 0,
    own !== undefined && isEnoughAlone(own, minListed) ? own.listed : 0,
  );
  if (listed > 0 && listed >= RATIO * ordinary) return { state: 'flagged', listed, ordinary };
  return { state: ordinary > 0 ? 'ordinary' : 'unknown', listed: 0, ordinary };
}

/** Whether anybody saw a listed domain there besides this one. */
export function servesOtherListed(record: HostRecord, domain: string, hour: number): boolean {
  const { listed } = viewsOf(record, { domain, hour });
  return listed > 0;
}

function isEnoughAlone({ listed, first, last }: View, minListed: number): boolean {
  return listed >= minListed + ALONE_MORE && last - first >= ALONE_HOURS;
}

function viewsOf({ domains }: HostRecord, { domain, hour }: Pick<VerdictQuestion, 'domain' | 'hour'>): Views {
  const byAccount = new Map<string, View>();
  const owner = ownerDomain(domain) ?? domain;
  const total = { listed: 0, ordinary: 0 };
  for (const [name, { kind, seen }] of domains) {
    if (name === domain || name === owner || kind === 'neither') continue;
    const live = [...seen].filter(([, { last }]) => !isOver(last, hour));
    if (live.length > 0) total[kind] += 1;
    for (const [account, { first, last }] of live) {
      const view = byAccount.get(account) ?? newView();
      byAccount.set(account, view);
      view[kind] += 1;
      if (live.length === 1) view[kind === 'listed' ? 'listedOnly' : 'ordinaryOnly'] += 1;
      if (kind === 'ordinary') continue;
      view.first = Math.min(view.first, first);
      view.last = Math.max(view.last, last);
    }
  }
  return { byAccount, ...total };
}

function newView(): View {
  return {
    listed: 0,
    ordinary: 0,
    listedOnly: 0,
    ordinaryOnly: 0,
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
  };
}

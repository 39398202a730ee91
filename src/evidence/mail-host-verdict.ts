/** Decides whether a mail host counts as one of disposable domains, only by how many accounts saw which domains there. */
import { ownerDomain } from '../address/domain.ts';
import { type DomainObservation, type HostRecord, isOver } from './mail-host-record.ts';

export interface HostVerdict {
  /** `unknown`: too little was seen. */
  readonly state: 'flagged' | 'ordinary' | 'unknown';
  /** Listed domains that flag it; 0 when it is not flagged. */
  readonly listed: number;
  /** Ordinary domains that count for the account that asks. */
  readonly ordinary: number;
}

export interface VerdictQuestion {
  /** The account that asks; `null`: the result for every account. */
  readonly account: string | null;
  /** The domain that is judged: it is no evidence for or against itself. */
  readonly domain: string;
  /** Hours since the epoch. */
  readonly hour: number;
  /** Min. listed domains that flag a host for every account. */
  readonly minListed: number;
}

/** Listed domains for each ordinary one: fewer do not flag a host. */
const RATIO = 4;
/** Listed domains that are needed more if only one account saw them. */
const ALONE_MORE = 2;
/** Min. time over which it must have seen them. */
const ALONE_HOURS = 24;

/** Domains that one account saw. */
interface View {
  listed: number;
  ordinary: number;
  /** Domains that no other account saw. */
  listedOnly: number;
  ordinaryOnly: number;
  first: number;
  last: number;
}

/** The counts of a record over all its domains; valid for one hour. */
export interface Views {
  readonly byAccount: ReadonlyMap<string, View>;
  readonly listed: number;
  readonly ordinary: number;
  /** The highest `listedOnly` and `ordinaryOnly` of an account. */
  readonly maxListedOnly: number;
  readonly maxOrdinaryOnly: number;
}

/**
 * Judges a host. For every account, it is judged by what remains without any single account: no caller alone flags or
 * clears it. For itself, an account also judges by its own observations, if they are more and over a longer time.
 * @param all `viewsOf` the record within the hour, if it is known: it looks at every domain
 */
export function judgeHost(
  record: HostRecord,
  question: VerdictQuestion,
  all = viewsOf(record, question.hour),
): HostVerdict {
  const { account, minListed } = question;
  const views = withoutDomain(record, question, all);
  const agreed = {
    listed: views.listed - views.maxListedOnly,
    ordinary: views.ordinary - views.maxOrdinaryOnly,
  };
  const own = account === null ? undefined : views.byAccount.get(account);
  const ordinary = Math.max(agreed.ordinary, own?.ordinary ?? 0);
  const listed = Math.max(
    agreed.listed >= minListed ? agreed.listed : 0,
    own !== undefined && isEnoughAlone(own, minListed) ? own.listed : 0,
  );
  if (listed > 0 && listed >= RATIO * ordinary) return { state: 'flagged', listed, ordinary };
  return { state: ordinary > 0 ? 'ordinary' : 'unknown', listed: 0, ordinary };
}

/** Whether anybody saw a listed domain there besides this one. */
export function servesOtherListed(
  record: HostRecord,
  domain: string,
  hour: number,
  all = viewsOf(record, hour),
): boolean {
  let { listed } = all;
  for (const name of namesOf(domain)) {
    const known = record.domains.get(name);
    if (known?.kind === 'listed' && isLive(known, hour)) listed -= 1;
  }
  return listed > 0;
}

function isEnoughAlone({ listed, first, last }: View, minListed: number): boolean {
  return listed >= minListed + ALONE_MORE && last - first >= ALONE_HOURS;
}

const NO_VIEWS: Views = {
  byAccount: new Map(),
  listed: 0,
  ordinary: 0,
  maxListedOnly: 0,
  maxOrdinaryOnly: 0,
};

/** Most judged domains are not in the record or are ordinary, so nothing has to be counted again. */
function withoutDomain(record: HostRecord, { domain, hour }: VerdictQuestion, all: Views): Views {
  const names = namesOf(domain);
  let views = all;
  for (const name of names) {
    const known = record.domains.get(name);
    if (known === undefined || known.kind === 'neither' || !isLive(known, hour)) continue;
    // Many domains have a host of their own.
    if (record.domains.size === 1) return NO_VIEWS;
    // The first and last time of an account cannot be corrected without counting again.
    if (known.kind === 'listed') return viewsOf(record, hour, names);
    views = withoutOrdinary(views, known, hour);
  }
  return views;
}

function withoutOrdinary(views: Views, { seen }: DomainObservation, hour: number): Views {
  const byAccount = new Map(views.byAccount);
  const live = [...seen].filter(([, { last }]) => !isOver(last, hour));
  for (const [account] of live) {
    const view = byAccount.get(account) as View;
    const ordinaryOnly = view.ordinaryOnly - (live.length === 1 ? 1 : 0);
    byAccount.set(account, { ...view, ordinary: view.ordinary - 1, ordinaryOnly });
  }
  return { ...views, byAccount, ordinary: views.ordinary - 1, ...maximaOf(byAccount) };
}

function maximaOf(byAccount: ReadonlyMap<string, View>): Pick<Views, 'maxListedOnly' | 'maxOrdinaryOnly'> {
  let maxListedOnly = 0;
  let maxOrdinaryOnly = 0;
  for (const { listedOnly, ordinaryOnly } of byAccount.values()) {
    maxListedOnly = Math.max(maxListedOnly, listedOnly);
    maxOrdinaryOnly = Math.max(maxOrdinaryOnly, ordinaryOnly);
  }
  return { maxListedOnly, maxOrdinaryOnly };
}

function namesOf(domain: string): readonly string[] {
  const owner = ownerDomain(domain);
  return owner === undefined || owner === domain ? [domain] : [domain, owner];
}

function isLive({ seen }: DomainObservation, hour: number): boolean {
  for (const { last } of seen.values()) if (!isOver(last, hour)) return true;
  return false;
}

/** @param except domains that are no evidence */
export function viewsOf({ domains }: HostRecord, hour: number, except: readonly string[] = []): Views {
  const byAccount = new Map<string, View>();
  const total = { listed: 0, ordinary: 0 };
  for (const [name, { kind, seen }] of domains) {
    if (kind === 'neither' || except.includes(name)) continue;
    let live = 0;
    let view: View | undefined;
    for (const [account, { first, last }] of seen) {
      if (isOver(last, hour)) continue;
      live += 1;
      view = byAccount.get(account);
      if (view === undefined) {
        view = newView();
        byAccount.set(account, view);
      }
      view[kind] += 1;
      if (kind === 'ordinary') continue;
      view.first = Math.min(view.first, first);
      view.last = Math.max(view.last, last);
    }
    if (live > 0) total[kind] += 1;
    if (live === 1 && view !== undefined) view[kind === 'listed' ? 'listedOnly' : 'ordinaryOnly'] += 1;
  }
  return { byAccount, ...total, ...maximaOf(byAccount) };
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

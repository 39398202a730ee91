/** POST …/find: what a pasted text may mean in an account, each with its signups of the last 30 days. */
import type { Directory } from '../accounts/directory.ts';
import {
  FIND_KINDS,
  type FindBody,
  type FindResult,
  type FindSuggestion,
  type FoundSignups,
} from '../contract/dashboard-find.ts';
import { formatFilterValues } from '../contract/filter-values.ts';
import { isHashedKind, type ListEntry } from '../model/list-entry.ts';
import { countryCodes, countryName } from '../platform/country-names.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import { isWithin } from '../store/history-search.ts';
import type { HistoryEntry, HistoryStore } from '../store/history-store.ts';
import type { ListStore } from '../store/store.ts';
import type { CountAddress } from './dashboard-address-limit.ts';
import { createReadActivity, type ReadActivity } from './dashboard-find-activity.ts';
import { toListSearch } from './dashboard-find-entries.ts';
import {
  type FindCandidate,
  findCampaigns,
  findCountries,
  findDomains,
  findEntries,
  findFindings,
  findKeys,
  findNetworks,
  findPeople,
  findReasons,
  toDomain,
  toNetwork,
} from './dashboard-find-named.ts';
import { type FindReaders, type FoundText, recognizeText } from './dashboard-find-text.ts';
import { toIndexBacklog, toInstant } from './dashboard-history.ts';
import { readLogFilter, type SearchReaders } from './dashboard-history-filter.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, readMode, TEXT } from './dashboard-values.ts';
import { createWorkPlaces, goneSignal } from './dashboard-work-places.ts';

/** Keyed hashes under every key in use, the newest first. */
export interface EmailHashes {
  readonly address: readonly string[];
  readonly mailbox: readonly string[];
}

export interface FindRouteOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'countVerdicts' | 'countGroups' | 'findAssessments'> &
    Pick<ListStore, 'searchListEntries'> &
    Pick<CampaignStore, 'campaigns'> &
    Pick<PeopleStore, 'users' | 'memberships'>;
  readonly directory: Pick<Directory, 'keysOf'>;
  readonly readers: SearchReaders & Pick<FindReaders, 'email'>;
  readonly hashesOf: (address: string) => EmailHashes;
  readonly countAddress: CountAddress;
  readonly intelligence: Pick<IntelligenceService, 'asName' | 'asesNamed'>;
}

type Call = Pick<AccountCall<FindBody>, 'account' | 'role' | 'user' | 'now'>;

const MAX_TEXT = 1_000;
const MAX_SUGGESTIONS = 12;
const MAX_OF_KIND = 4;
/** A letter alone is in too many names. */
const MIN_NAME = 2;
const MAX_CAMPAIGNS = 200;
const PLACES = { what: 'searches', perAccount: 4, inAll: 12, retryAfterSeconds: 1 };

/** The text is in the body, so that no log of requests and no browser history has it. */
export function findRoute(routes: DashboardRoutes, options: FindRouteOptions): void {
  const places = createWorkPlaces(PLACES);
  const find = createFind(options);
  routes.forAccount<FindBody>({
    method: 'POST',
    path: '/accounts/:account/find',
    minRole: 'member',
    body: bodyOf({ text: { ...TEXT, maxLength: MAX_TEXT }, mode: TEXT }),
    async handle({ context, ...call }): Promise<FindResult> {
      const gone = goneSignal(context);
      const leave = places.enter(call.account.id);
      try {
        const indexing = toIndexBacklog(await options.store.indexing());
        return { suggestions: await find(call.body, call, gone), indexing };
      } finally {
        leave();
      }
    },
  });
}

function createFind(options: FindRouteOptions) {
  const { readers, intelligence, countAddress } = options;
  const count = createCount(options);
  const readActivity = createReadActivity(options.store);
  let countries: readonly string[] | undefined;
  return async (
    { text, mode: sentMode }: FindBody,
    call: Call,
    gone: AbortSignal,
  ): Promise<FindSuggestion[]> => {
    const mode = readMode(sentMode);
    const found = recognizeText(text, readers);
    if (found.email !== undefined) countAddress(call);
    const meant = found.words === '' ? [] : meaningsOf(found, options, intelligence);
    countries ??= countryCodes();
    const named =
      found.words.length < MIN_NAME
        ? []
        : await findNamed(found, { ...call, mode }, { ...options, countries, readActivity });
    const candidates = [...meant, ...best(named)];
    const counted = await Promise.all(
      candidates.map(async (candidate) => {
        gone.throwIfAborted();
        const { match, ...suggestion } = candidate;
        if (candidate.filter === null) return { ...suggestion, exact: match === 3, signups: null };
        const { signups, newest } = await count(candidate.filter, mode, call);
        const note = [candidate.note, placeOf(candidate, newest, intelligence)].filter((part) => part !== '');
        return { ...suggestion, exact: match === 3, note: note.join(' · '), signups };
      }),
    );
    const shown = counted.filter((suggestion) => isWorthShowing(suggestion, counted));
    return shown.sort(byRank).slice(0, MAX_SUGGESTIONS);
  };
}

/** Network and country of a single IP, as those of its newest signup. */
function placeOf(
  { kind, id }: FindCandidate,
  newest: HistoryEntry | undefined,
  { asName }: Pick<IntelligenceService, 'asName'>,
): string {
  if (kind !== 'ip' || id.includes('/') || newest === undefined) return '';
  const { asn, countryCode } = newest;
  const names = [asn === 0 ? '' : asName(asn) || `AS${asn}`, countryName(countryCode)];
  return names.filter((name) => name !== '').join(', ');
}

/** Ids mean nothing where no signup has them, nor do names of networks. */
function isWorthShowing(
  { kind, id, exact, signups }: FindSuggestion,
  all: readonly FindSuggestion[],
): boolean {
  if (kind === 'signup' || kind === 'session') return signups?.last !== null;
  if (kind === 'domain' && id.startsWith('.')) {
    const itself = all.find((other) => `.${other.id}` === id);
    return isMore(signups, itself?.signups ?? null);
  }
  return kind !== 'network' || exact || signups?.last !== null;
}

function isMore(these: FoundSignups | null, those: FoundSignups | null): boolean {
  if (these === null || those === null) return false;
  return these.count > those.count || (these.last !== null && those.last === null);
}

/** Order: what was pasted, then names by their match; of equals, those with signups. */
function byRank(a: FindSuggestion, b: FindSuggestion): number {
  const kindOf = ({ kind }: FindSuggestion) => FIND_KINDS.indexOf(kind);
  const isSeen = ({ signups }: FindSuggestion) => Number(signups?.last !== null);
  const byKind = a.exact && b.exact ? kindOf(a) - kindOf(b) : 0;
  return Number(b.exact) - Number(a.exact) || byKind || isSeen(b) - isSeen(a);
}

/** The best of each kind, in the order of their match. */
function best(candidates: readonly FindCandidate[]): FindCandidate[] {
  const taken = new Map<string, number>();
  return [...candidates]
    .sort((a, b) => b.match - a.match || FIND_KINDS.indexOf(a.kind) - FIND_KINDS.indexOf(b.kind))
    .filter(({ kind, match }) => {
      taken.set(kind, (taken.get(kind) ?? 0) + 1);
      return match === 3 || (taken.get(kind) as number) <= MAX_OF_KIND;
    })
    .slice(0, MAX_SUGGESTIONS);
}

function meaningsOf(
  { words, requestId, email, domain, ip, asn }: FoundText,
  { hashesOf }: Pick<FindRouteOptions, 'hashesOf'>,
  { asName }: Pick<IntelligenceService, 'asName'>,
): FindCandidate[] {
  const meanings: FindCandidate[] = [];
  const add = (candidate: Omit<FindCandidate, 'match'>) => meanings.push({ ...candidate, match: 3 });
  if (requestId !== undefined)
    add({ kind: 'signup', id: requestId, title: requestId, note: '', filter: { request_id: requestId } });
  if (email !== undefined) {
    const mailbox = formatFilterValues({ any: hashesOf(email).mailbox, not: [] });
    add({
      kind: 'mailbox',
      id: mailbox,
      title: email,
      note: 'All spellings of this mailbox',
      filter: { mailbox },
    });
  }
  if (ip !== undefined) {
    const note = ip.includes('/') ? 'IP range' : 'IP address';
    add({ kind: 'ip', id: ip, title: ip, note, filter: { ip } });
  }
  if (domain !== undefined) {
    const itself = toDomain(domain, 3);
    const below = { title: `${itself.title} and its sub-domains`, filter: { domain: `.${domain}` } };
    meanings.push(itself, { ...itself, id: `.${domain}`, ...below });
  }
  if (asn !== undefined) meanings.push(toNetwork(asn, asName(asn), 3));
  // An address never goes into a URL, not even as a session id.
  if (!words.includes('@')) {
    const session = formatFilterValues({ any: [words], not: [] });
    add({ kind: 'session', id: words, title: words, note: 'Session id', filter: { session_id: session } });
  }
  return meanings;
}

/** Names that are the same for all searches, or for those of a minute. */
interface NameTables {
  readonly countries: readonly string[];
  readonly readActivity: ReadActivity;
}

async function findNamed(
  found: FoundText,
  { account, role, now, mode }: Call & Pick<FindBody, 'mode'>,
  options: FindRouteOptions & NameTables,
): Promise<FindCandidate[]> {
  const { store, directory, readers, hashesOf, intelligence } = options;
  const text = found.email ?? found.words;
  const [entries, campaigns, people] = await Promise.all([
    store.searchListEntries(account.id, toListSearch(found, hashesOf)),
    store.campaigns(account.id, { limit: MAX_CAMPAIGNS }),
    role === 'owner' ? findPeople(text, account.id, store) : [],
  ]);
  const named = [
    ...findEntries(text, entries, createIsMeant(found, readers, hashesOf)),
    ...findCampaigns(text, campaigns.campaigns),
    ...(role === 'owner' ? findKeys(text, directory.keysOf(account.id)) : []),
    ...people,
  ];
  const { requestId, email, masked, ip, domain } = found;
  if ([requestId, email, masked, ip, domain].some((meaning) => meaning !== undefined)) return named;
  const activity = await options.readActivity({ accountId: account.id, mode, now });
  return [
    ...named,
    ...findCountries(text, options.countries),
    ...findNetworks(text, intelligence, activity),
    ...findDomains(text, activity),
    ...findFindings(text),
    ...findReasons(text),
  ];
}

/** Whether an entry is for the person, the domain or the network that was pasted. */
function createIsMeant(
  { email, domain, ip, asn }: FoundText,
  { block }: Pick<SearchReaders, 'block'>,
  hashesOf: FindRouteOptions['hashesOf'],
): (entry: ListEntry) => boolean {
  const hashes = email === undefined ? undefined : hashesOf(email);
  const first = ip === undefined ? undefined : block(ip)?.first;
  return ({ kind, value }) => {
    if (isHashedKind(kind)) return hashes?.[kind as keyof EmailHashes].includes(value) === true;
    if (kind === 'domain') return domain === value || domain?.endsWith(`.${value}`) === true;
    if (kind === 'asn') return value === `AS${asn}`;
    const listed = first === undefined || kind === 'country' ? undefined : block(value);
    return listed !== undefined && isWithin(first as string, listed);
  };
}

/** Counts exactly the signups that the list shows under the same filter. */
function createCount({ store, readers }: Pick<FindRouteOptions, 'store' | 'readers'>) {
  return async (
    filter: NonNullable<FindCandidate['filter']>,
    mode: FindBody['mode'],
    { account, now }: Call,
  ): Promise<{ signups: FoundSignups; newest: HistoryEntry | undefined }> => {
    const query = { ...filter, mode } as Readonly<Record<string, string>>;
    const [counts, newest] = await Promise.all([
      store.countVerdicts(
        account.id,
        readLogFilter({ ...query, period: '30d' }, readers, { now, timeZone: account.timeZone }),
      ),
      store.findAssessments(
        account.id,
        readLogFilter(query, readers, { now, timeZone: account.timeZone }),
        null,
        1,
      ),
    ]);
    const [row] = newest.rows;
    const last = row && { at: toInstant(row.at), verdict: row.verdict, shadow: row.shadow };
    const count = counts.allow + counts.challenge + counts.block;
    return { signups: { count, at_least: counts.reached !== null, last: last ?? null }, newest: row };
  };
}

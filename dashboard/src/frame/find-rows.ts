/** Decides what the search suggests, in which order, and where each suggestion leads. */
import type { FindKind, FindSuggestion, FoundSignups } from '../../../src/contract/dashboard-find.ts';
import { formatFilterValues } from '../../../src/contract/filter-values.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { accountHref, scopeQuery } from '../scope.ts';
import type { Place } from './find-places.ts';

export interface FindRow {
  readonly id: string;
  readonly kind: FindKind | Place['kind'];
  readonly title: string;
  readonly note: string;
  readonly signups: FoundSignups | null;
  readonly href: string;
}

export interface FindScope {
  readonly account: string;
  readonly mode: KeyMode;
}

/** More would not fit into the window. */
const MAX_PLACES = 5;

/**
 * Order: what was pasted, then pages and commands that begin with the text, then other names.
 * @param found `undefined`: the service has not answered yet
 */
export function toFindRows(
  text: string,
  found: readonly FindSuggestion[] | undefined,
  places: readonly Place[],
  scope: FindScope,
): FindRow[] {
  const suggested = (found ?? []).map((suggestion) => ({ suggestion, row: toRow(suggestion, scope) }));
  const placed = places
    .slice(0, text === '' ? places.length : MAX_PLACES)
    .map(({ isStart, ...place }) => ({ isStart, row: { ...place, signups: null } }));
  const rows = [
    ...suggested.filter(({ suggestion }) => suggestion.exact),
    ...placed.filter(({ isStart }) => isStart),
    ...suggested.filter(({ suggestion }) => !suggestion.exact),
    ...placed.filter(({ isStart }) => !isStart),
  ].map(({ row }) => row);
  return found?.length === 0 && !text.includes('@') && text !== ''
    ? [...rows, sessionRow(text, scope)]
    : rows;
}

function toRow(suggestion: FindSuggestion, { account, mode }: FindScope): FindRow {
  const { kind, id, title, note, signups } = suggestion;
  return { id: `${kind} ${id}`, kind, title, note, signups, href: hrefOf(suggestion, { account, mode }) };
}

/** A count of the last 30 days leads to these; where there is none, the list shows all time. */
function hrefOf({ kind, id, filter, signups }: FindSuggestion, { account, mode }: FindScope): string {
  const scope = scopeQuery(mode, undefined);
  if (kind === 'signup') return accountHref(account, `assessments/${id}`, scope);
  if (kind === 'campaign') return accountHref(account, `campaigns/${id}`, scope);
  if (kind === 'list_entry') return accountHref(account, 'lists', { ...scope, entry: id });
  if (kind === 'person') return accountHref(account, 'people', scope);
  const period = (signups?.count ?? 0) > 0 ? { period: '30d' } : {};
  return accountHref(account, 'assessments', { ...scope, ...filter, ...period });
}

/** Nothing is guessed: a person decides to search for a session id. */
function sessionRow(text: string, { account, mode }: FindScope): FindRow {
  const query = { ...scopeQuery(mode, undefined), session_id: formatFilterValues({ any: [text], not: [] }) };
  return {
    id: 'session',
    kind: 'session',
    title: `Search session id “${text}”?`,
    note: 'Nothing found.',
    signups: null,
    href: accountHref(account, 'assessments', query),
  };
}

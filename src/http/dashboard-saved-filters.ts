/** GET and POST …/filters, PATCH and DELETE of one: the filters of signups that the person saved in this account. */
import type { SavedFilterRow } from '../contract/dashboard-saved-filters.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import { MAX_SAVED_FILTERS, type SavedFilter, type SavedFilterStore } from '../store/saved-filter-store.ts';
import { readLogFilter, type SearchReaders } from './dashboard-history-filter.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, lineOf, TEXT, unusable } from './dashboard-values.ts';

export interface SavedFiltersOptions {
  readonly store: SavedFilterStore;
  readonly readers: SearchReaders;
  readonly makeId: MakeId;
}

const PATH = '/accounts/:account/filters';
const MAX_NAME_LENGTH = 60;
const MAX_QUERY_LENGTH = 4_000;

export function savedFiltersRoutes(routes: DashboardRoutes, options: SavedFiltersOptions): void {
  const { store, makeId } = options;

  routes.forAccount({
    method: 'GET',
    path: PATH,
    minRole: 'member',
    handle: async (call): Promise<SavedFilterRow[]> => (await store.savedFilters(ownerOf(call))).map(toRow),
  });

  routes.forAccount<{ readonly name: string; readonly query: string }>({
    method: 'POST',
    path: PATH,
    minRole: 'member',
    body: bodyOf({ name: TEXT, query: TEXT }),
    async handle(call): Promise<SavedFilterRow> {
      const name = nameOf(call.body.name);
      const query = queryOf(call, options.readers);
      const filter = { ...ownerOf(call), id: makeId('flt', call.now), name, query };
      if (await store.saveFilter(filter)) return toRow(filter);
      const saved = await store.savedFilters(ownerOf(call));
      throw saved.some((other) => other.name === name) ? nameTaken() : tooMany();
    },
  });

  routes.forAccount<{ readonly name: string }>({
    method: 'PATCH',
    path: `${PATH}/:id`,
    minRole: 'member',
    body: bodyOf({ name: TEXT }),
    async handle(call): Promise<SavedFilterRow> {
      const name = nameOf(call.body.name);
      const filter = await find(call);
      if (!(await store.renameFilter({ ...filter, name }))) throw nameTaken();
      return toRow({ ...filter, name });
    },
  });

  routes.forAccount({
    method: 'DELETE',
    path: `${PATH}/:id`,
    minRole: 'member',
    async handle(call): Promise<void> {
      await store.removeFilter(await find(call));
    },
  });

  async function find(call: AccountCall<unknown>): Promise<SavedFilter> {
    const saved = await store.savedFilters(ownerOf(call));
    const filter = saved.find(({ id }) => id === call.params.id);
    if (filter !== undefined) return filter;
    throw new Problem('not_found', undefined, {
      message: 'You have no saved filter with this id.',
      resolution: 'Look at your saved filters: you may have removed it.',
    });
  }
}

function ownerOf({ account, user }: AccountCall<unknown>) {
  return { accountId: account.id, userId: user.id };
}

function toRow({ id, name, query }: SavedFilter): SavedFilterRow {
  return { id, name, query };
}

function nameOf(text: string): string {
  const name = lineOf('name', text, MAX_NAME_LENGTH);
  if (name.includes('@')) throw addressIn('name');
  return name;
}

/** The filter in one form: checked as the list of signups does, without live or sandbox. */
function queryOf(
  { body, now, account }: AccountCall<{ readonly query: string }>,
  readers: SearchReaders,
): string {
  const members = [...new URLSearchParams(body.query)].filter(
    ([name, value]) => name !== 'mode' && value !== '',
  );
  const query = new URLSearchParams(members);
  query.sort();
  if (members.length === 0 || String(query).length > MAX_QUERY_LENGTH) {
    const advice = `Send a filter of signups of at most ${MAX_QUERY_LENGTH} characters, such as verdict=block&period=7d.`;
    throw unusable(
      'query',
      members.length === 0 ? 'The filter is empty.' : 'The filter is too long.',
      advice,
    );
  }
  if (members.some(([, value]) => value.includes('@'))) throw addressIn('query');
  readLogFilter(Object.fromEntries(members), readers, { now, timeZone: account.timeZone });
  return String(query);
}

/** A saved filter stays after the data of a person was erased. */
function addressIn(param: string): Problem {
  return unusable(
    param,
    'A saved filter must not contain an address.',
    'Leave it out, or look for the address: the filter by mailbox is a hash.',
  );
}

function nameTaken(): Problem {
  return new Problem('conflict', 'name', {
    message: 'You have a filter with this name.',
    resolution: 'Choose another name.',
  });
}

function tooMany(): Problem {
  return new Problem('conflict', undefined, {
    message: `You have ${MAX_SAVED_FILTERS} saved filters.`,
    resolution: 'Remove one that you do not need.',
  });
}

/** The scope of the pages: account, live or test, and period. All of it is in the URL. */
import { useCallback, useEffect, useState } from 'react';
import { useRouter, useSearch } from 'wouter';
import { navigate, useLocationProperty } from 'wouter/use-browser-location';
import type { Period, Session } from '../../src/contract/dashboard-account.ts';
import type { KeyMode } from '../../src/model/key-mode.ts';
import { useSession } from './api.ts';
import type { AccountPath } from './pages.ts';

/** Modes as controls offer them. */
export const MODES: { value: KeyMode; label: string }[] = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Sandbox' },
];

export const PERIODS = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
} as const satisfies Record<Period, string>;

export function isPeriod(text: string | null | undefined): text is Period {
  return text !== null && text !== undefined && Object.hasOwn(PERIODS, text);
}

export type Account = Session['accounts'][number];

export interface Scope {
  readonly account: Account;
  readonly mode: KeyMode;
  readonly period: Period;
  /** Owners and operators: keys, thresholds, people. */
  readonly canManage: boolean;
  /** Analysts, too: lists and waves. */
  readonly canList: boolean;
  readonly operator: boolean;
  /** A path of the API below this account: `api('keys')`. */
  api(path: string): string;
  /** A page of this account, with mode and period kept: `page('assessments', { verdict: 'block' })`. */
  page(path: AccountPath, query?: Readonly<Record<string, string | undefined>>): string;
}

/** Scope of the pages of an account: the guard has made sure of session and account. */
export function useScope(): Scope {
  const session = useSession().data;
  const id = useAccountId();
  const { mode, period, chosen } = useModeAndPeriod();
  const account = session?.accounts.find((account) => account.id === id);
  if (session === null || session === undefined || account === undefined)
    throw new Error('This page needs an account.');
  return {
    account,
    mode,
    period,
    canManage: account.role === 'owner',
    canList: account.role !== 'member',
    operator: session.user.operator,
    api: (path) => `/accounts/${account.id}/${path}`,
    page: (path, query = {}) => accountHref(account.id, path, { ...scopeQuery(mode, chosen), ...query }),
  };
}

/** The account named in the path, whether or not it is one of the user's. */
export function useAccountId(): string | undefined {
  return useLocationProperty(accountIdInPath);
}

function accountIdInPath(): string | undefined {
  return /^\/accounts\/([^/]+)/.exec(location.pathname)?.[1];
}

/** `chosen`: the period in the URL, which links keep; `undefined`: the page shows its own. */
export function useModeAndPeriod(): { mode: KeyMode; period: Period; chosen: Period | undefined } {
  const search = new URLSearchParams(useSearch());
  const usual = useLocationProperty(usualPeriod);
  const named = search.get('period');
  const chosen = isPeriod(named) ? named : undefined;
  return {
    mode: search.get('mode') === 'test' ? 'test' : 'live',
    period: chosen ?? usual,
    chosen,
  };
}

/** Today begins with a day, all other pages with a week. */
function usualPeriod(): Period {
  return /^\/accounts\/[^/]+\/today$/.test(location.pathname) ? '24h' : '7d';
}

/** Changes members of the query; `undefined` takes one away. Leaves no step in the history unless `push`. */
export function useSetQuery(): (
  changes: Readonly<Record<string, string | undefined>>,
  options?: { push?: boolean },
) => void {
  const { aroundNav } = useRouter();
  return useCallback(
    (changes, { push = false } = {}) => {
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === '') next.delete(name);
        else next.set(name, value);
      }
      aroundNav(navigate, `${location.pathname}?${next}`, { replace: !push });
    },
    [aroundNav],
  );
}

/** Name of the dialog that a command of the search opens on the page, once: it leaves the URL. */
export function useOpenedByCommand(): string | undefined {
  const search = new URLSearchParams(useSearch());
  const setQuery = useSetQuery();
  const [opened] = useState(() => search.get('open') ?? undefined);
  useEffect(() => {
    if (opened !== undefined) setQuery({ open: undefined });
  }, [opened, setQuery]);
  return opened;
}

/** The parts of a query that somebody chose. */
export function scopeQuery(mode: KeyMode, chosen: Period | undefined): Record<string, string | undefined> {
  return { mode: mode === 'live' ? undefined : mode, period: chosen };
}

/** A page of an account, from the root. */
export function accountHref(
  account: string,
  path: AccountPath,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  return `/accounts/${account}/${path}${search.size === 0 ? '' : `?${search}`}`;
}

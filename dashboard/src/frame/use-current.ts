/** The current account (or the last one), and the pages that the navigation offers for it. */
import { useEffect, useMemo } from 'react';
import { useLocation } from 'wouter';
import type { Period, Session } from '../../../src/contract/dashboard-account.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { type AccountPath, isOfAccount, PAGES, type Page, pathOf } from '../pages.ts';
import { type Account, accountHref, scopeQuery, useAccountId, useModeAndPeriod } from '../scope.ts';

export interface Current {
  readonly account: Account | undefined;
  /** The current page's row in the navigation. */
  readonly page: MenuPage | undefined;
  /** The pages that the person may open. */
  readonly sections: readonly (readonly MenuPage[])[];
  href(page: MenuPage, account?: Account): string;
}

/** A page in the navigation. */
export type MenuPage = Page & Required<Pick<Page, 'menu'>>;

export const MENU = PAGES.filter((page): page is MenuPage => page.menu !== undefined);
const SECTIONS = [...new Set(MENU.map(({ menu }) => menu.section))];

const LAST = 'gatehouse-account';

export function useCurrent(session: Session): Current {
  const [path] = useLocation();
  const named = useAccountId();
  const { mode, period, chosen } = useModeAndPeriod();
  const { accounts } = session;
  const account =
    accounts.find(({ id }) => id === named) ??
    accounts.find(({ id }) => id === sessionStorage.getItem(LAST)) ??
    accounts[0];
  useEffect(() => {
    if (account !== undefined) sessionStorage.setItem(LAST, account.id);
  }, [account]);

  const segment = (named === undefined ? path : path.slice(`/accounts/${named}/`.length)).replace(
    /(?<=.)\/.*/,
    '',
  );
  const { operator } = session.user;
  return useMemo(
    () => currentOf({ account, segment, operator, mode, period, chosen }),
    [account, segment, operator, mode, period, chosen],
  );
}

interface Place {
  readonly account: Account | undefined;
  /** First part of the path below the account. */
  readonly segment: string;
  readonly operator: boolean;
  readonly mode: KeyMode;
  readonly period: Period;
  /** The period in the URL, if there is one. */
  readonly chosen: Period | undefined;
}

function currentOf({ account, segment, operator, mode, period, chosen }: Place): Current {
  const may = (page: MenuPage) =>
    (!isOfAccount(page) || account !== undefined) &&
    (page.role === undefined ||
      operator ||
      (page.role === 'owner' && account?.role === 'owner') ||
      (page.role === 'analyst' && account !== undefined && account.role !== 'member'));
  const here = MENU.find((page) => pathOf(page) === segment);
  // A chosen period is kept in the history, which shows all time if none is chosen.
  const inHistory = here?.uses?.includes('period') ? { period } : {};
  return {
    account,
    page: here,
    sections: SECTIONS.map((section) =>
      MENU.filter((page) => page.menu.section === section && may(page)),
    ).filter((pages) => pages.length > 0),
    href: (page, of = account) =>
      !isOfAccount(page) || of === undefined
        ? pathOf(page)
        : accountHref(of.id, pathOf(page) as AccountPath, {
            ...scopeQuery(mode, chosen),
            ...(pathOf(page) === 'assessments' ? inHistory : {}),
          }),
  };
}

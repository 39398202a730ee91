/** Where the person is: the account looked at (or looked at last), and the navigation's destinations for it. */
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import type { Session } from '../../../src/contract/dashboard-account.ts';
import { DESTINATIONS, type Destination } from '../navigation.ts';
import { type Account, kept, pageOf, useAccountId, useModeAndPeriod } from '../scope.ts';

export interface Current {
  readonly account: Account | undefined;
  readonly destination: Destination | undefined;
  /** Those the person may open, in groups. */
  readonly groups: readonly (readonly Destination[])[];
  href(destination: Destination, account?: Account): string;
}

const LAST = 'gatehouse-account';

export function useCurrent(session: Session): Current {
  const [path] = useLocation();
  const named = useAccountId();
  const { mode, period } = useModeAndPeriod();
  const { accounts } = session;
  const account =
    accounts.find(({ id }) => id === named) ??
    accounts.find(({ id }) => id === sessionStorage.getItem(LAST)) ??
    accounts[0];
  useEffect(() => {
    if (account !== undefined) sessionStorage.setItem(LAST, account.id);
  }, [account]);

  const may = ({ audience, of }: Destination) =>
    (of === 'installation' || account !== undefined) &&
    (audience === 'everyone' || session.user.operator || (audience === 'owner' && account?.role === 'owner'));
  const groups = DESTINATIONS.map((group) => group.filter(may)).filter((group) => group.length > 0);
  const segment = (named === undefined ? path : path.slice(`/accounts/${named}`.length)).split('/')[1];
  const of = named === undefined ? 'installation' : 'account';
  const here = DESTINATIONS.flat().find((one) => one.of === of && one.path === segment);
  // A chosen period is kept in the log, which shows all time if none is chosen.
  const inLog = here?.heeds.includes('period') ? { period } : {};
  return {
    account,
    destination: here,
    groups,
    href: (destination, of = account) =>
      destination.of === 'installation' || of === undefined
        ? `/${destination.path}`
        : pageOf(of.id, destination.path, {
            ...kept(mode, period),
            ...(destination.path === 'assessments' ? inLog : {}),
          }),
  };
}

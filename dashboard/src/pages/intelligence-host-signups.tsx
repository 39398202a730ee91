/** How many signups of the last 30 days have a mail host, by account: each number leads to its rows. */
import { Link } from 'wouter';
import type { SignupSummary } from '../../../src/contract/dashboard-signup-counts.ts';
import { formatFilterValues } from '../../../src/contract/filter-values.ts';
import { useGet, useSession, withQuery } from '../api.ts';
import { type Account, accountHref } from '../scope.ts';
import { Fact } from '../ui/fact.tsx';
import { grouped } from '../ui/format.ts';
import styles from './intelligence-page.module.css';

/** Max. accounts whose signups are counted: each takes a search. */
const MAX_ACCOUNTS = 5;

export function HostSignups({ hosts }: { hosts: readonly string[] }) {
  const accounts = useSession().data?.accounts ?? [];
  // An address is no name of a mail exchange.
  const names = hosts.filter((host) => !/^[\d.]+$|:/.test(host));
  if (names.length === 0) return null;
  const filter = { mail_host: formatFilterValues({ any: names, not: [] }), period: '30d' };
  return (
    <Fact name="Signups in 30 days">
      {accounts.slice(0, MAX_ACCOUNTS).map((account) => (
        <AccountSignups key={account.id} account={account} filter={filter} />
      ))}
    </Fact>
  );
}

interface AccountSignupsProps {
  readonly account: Account;
  readonly filter: Readonly<Record<string, string>>;
}

function AccountSignups({ account, filter }: AccountSignupsProps) {
  const { data } = useGet<SignupSummary>(
    withQuery(`/accounts/${account.id}/assessments/summary`, { mode: 'live', ...filter }),
  );
  if (data === undefined) return null;
  const { total, counted_from } = data;
  return (
    <span className={styles.means}>
      {account.name}:{' '}
      {total === 0 ? (
        'none'
      ) : (
        <Link href={accountHref(account.id, 'assessments', filter)}>
          {counted_from !== null && 'at least '}
          {grouped(total)}
        </Link>
      )}
    </span>
  );
}

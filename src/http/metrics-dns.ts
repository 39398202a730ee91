/** Decides which accounts get a series of their own for look-ups that found no free place: the first fifty, if accounts may be named. */
import { Counter, type Registry } from 'prom-client';

export interface DnsMetrics {
  /** A look-up of this account found no place for a query in time. */
  dnsRefused(account: string): void;
}

/** Each account is a series for as long as the process lives. */
const MAX_ACCOUNTS = 50;
const OTHERS = 'other';

/** @param namesAccounts false where anybody may see the metrics: then there is one number for all accounts */
export function createDnsMetrics(registry: Registry, namesAccounts: boolean): DnsMetrics {
  const named = new Set<string>();
  const refused = new Counter({
    name: 'gatehouse_dns_refused_total',
    help: 'MX look-ups that stayed unknown because their account had its share of open DNS queries, by account where metrics have a port of their own; "other" after 50 accounts.',
    labelNames: namesAccounts ? ['account'] : [],
    registers: [registry],
  });
  return {
    dnsRefused(account) {
      if (!namesAccounts) {
        refused.inc();
        return;
      }
      if (named.size < MAX_ACCOUNTS) named.add(account);
      refused.inc({ account: named.has(account) ? account : OTHERS });
    },
  };
}

/** Decides which sources are asked about past signups: none, or DNS as it is today, with more patience than a form has. */
import type { Config } from '../config/config.ts';
import { createMailExchange } from '../evidence/sources/mail-exchange.ts';
import { createTypingMistakes } from '../intel/typing-mistake.ts';
import { withoutSources } from '../wiring/evidence.ts';

/** Today's answers of registries and blocklists may not have been true at that time. */
const NOT_CHECKED = ['domain age', 'mail hosts', 'reputation services'];
/** Nobody waits at a form here. */
const DNS_DEADLINE_MS = 3_000;

/** @param dns ask for the mail exchange of every domain */
export function openPastSources(
  { dnsServers, canaryDomains }: Pick<Config, 'dnsServers' | 'canaryDomains'>,
  { dns, clock }: { readonly dns: boolean; readonly clock: () => number },
) {
  const mailExchange = dns
    ? createMailExchange({ servers: dnsServers, canaryDomains, deadlineMs: DNS_DEADLINE_MS, clock })
    : undefined;
  return {
    sources: withoutSources({
      typingMistakes: createTypingMistakes(),
      goodReports: { isGood: () => false },
      ...(mailExchange !== undefined && { mailExchange }),
    }),
    notChecked: dns ? NOT_CHECKED : ['mail exchange (--dns asks for it)', ...NOT_CHECKED],
    close: () => mailExchange?.close(),
  };
}

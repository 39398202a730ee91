/** Decides whether a domain that looks like a large provider's, by its mail hosts, is the provider's own. */
import { readFileSync } from 'node:fs';
import { withParents } from '../address/domain.ts';
import type { Suspicion } from '../intel/typing-mistake.ts';
import type { MailExchange } from '../model/evidence.ts';

/** The mail host that shows it; empty where none does. */
export type FindOwnHost = (suspicion: Suspicion, mx: MailExchange) => string;

interface ProviderHost {
  /** Beginnings of the provider's domains, up to the first dot. */
  readonly names: ReadonlySet<string>;
  /** Whether other people's domains get no mail there. */
  readonly closed: boolean;
}

/** Reads the list beside this file. Every host has to be the provider's: a domain can name one of them beside its own. */
export function createFindOwnHost(): FindOwnHost {
  const known = readHosts();

  function isOwn(host: string, { provider, form }: Suspicion): boolean {
    const name = provider.slice(0, provider.indexOf('.'));
    // A slip, or something stuck to the name, is another name: at a host for everybody it may be anybody's.
    const isProvidersName = form === 'country' || form === 'ending';
    for (const parent of withParents(host)) {
      if (parent === provider) return isProvidersName;
      const entry = known.get(parent);
      if (entry !== undefined) return entry.names.has(name) && (entry.closed || isProvidersName);
    }
    return false;
  }

  return (suspicion, { status, hosts }) => {
    const isAll = status === 'valid' && hosts.length > 0 && hosts.every((host) => isOwn(host, suspicion));
    return isAll ? (hosts[0] as string) : '';
  };
}

function readHosts(): ReadonlyMap<string, ProviderHost> {
  const lines = readFileSync(new URL('./provider-hosts.txt', import.meta.url), 'utf8').split('\n');
  const entries = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    entries.map((line) => {
      const [host = '', ...words] = line.split(' ');
      const names = new Set(words.filter((word) => word !== '*'));
      return [host, { names, closed: words.includes('*') }];
    }),
  );
}

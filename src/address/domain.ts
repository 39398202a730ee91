/** Names within a host name: its registrable domain, its owner's domain, its last label, its parents. */
import { requirePackage } from '../platform/common-js.ts';

const { getDomain } = requirePackage('tldts') as typeof import('tldts');

/** eTLD+1 by the ICANN section of the Public Suffix List, the level registries answer for; `undefined` for a bare suffix. */
export function registrableDomain(host: string): string | undefined {
  return (
    getDomain(host, {
      allowPrivateDomains: false,
      detectIp: false,
      validateHostname: false,
      extractHostname: false,
    }) ?? undefined
  );
}

/**
 * The name that one owner answers for: as `registrableDomain`, but below a suffix that somebody hands out names under
 * (private section of the Public Suffix List) it is the tenant's. `undefined` for a bare suffix.
 */
export function ownerDomain(host: string): string | undefined {
  return getDomain(host, OWNER_OPTIONS) ?? undefined;
}

const OWNER_OPTIONS = {
  allowPrivateDomains: true,
  detectIp: false,
  validateHostname: false,
  extractHostname: false,
};

/** The last label of a host name, in the form it was given in. */
export function topLevel(host: string): string {
  return host.slice(host.lastIndexOf('.') + 1);
}

/** The host itself, then each parent down to two labels: `a.b.com` → `a.b.com`, `b.com`. */
export function* withParents(host: string): Generator<string> {
  let name = host;
  while (name.includes('.')) {
    yield name;
    name = name.slice(name.indexOf('.') + 1);
  }
}

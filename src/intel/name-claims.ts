/** Decides what the form of a listed name says against the listing: a suffix for institutions, a provider mistyped. */
import type { SourceInfo } from '../model/source.ts';
import { maskOf } from './claim-resolver.ts';

export interface NameClaimOptions {
  readonly sources: readonly Pick<SourceInfo, 'category' | 'entryKind'>[];
  /** Suffixes below which only institutions get names (`edu`, `gov.uk`). */
  readonly institutions: ReadonlySet<string>;
  /** Whether a name is a likely typing mistake of a large provider. */
  readonly isMistyped: (name: string) => boolean;
}

/** `domains`: canonical name → the sources that list it. The same, with what the names of accused domains say. */
export function withNameClaims(
  domains: ReadonlyMap<string, bigint>,
  { sources, institutions, isMistyped }: NameClaimOptions,
): Map<string, bigint> {
  const listings = maskOf(sources, ({ category }) => category === 'disposable');
  const byWord = (fact: SourceInfo['category']) =>
    maskOf(sources, ({ category, entryKind }) => category === fact && entryKind === 'word');
  const institution = byWord('known');
  const mistyped = byWord('mistyped');
  const claims = new Map(domains);
  for (const [name, mask] of domains) {
    if ((mask & listings) === 0n) continue;
    if (isInstitutional(name, institutions)) claims.set(name, mask | institution);
    else if (mistyped !== 0n && isMistyped(name)) claims.set(name, mask | mistyped);
  }
  return claims;
}

function isInstitutional(name: string, institutions: ReadonlySet<string>): boolean {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    if (institutions.has(name.slice(dot + 1))) return true;
  }
  return false;
}

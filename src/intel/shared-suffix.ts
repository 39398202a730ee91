/** Decides under which suffix strangers get their names: a private one of the Public Suffix List, or one of our own list. */
import { parse } from 'tldts';

export interface SharedSuffixes {
  /**
   * The longest shared suffix that `name` (ASCII, lower-case) is, or is below (`github.io` for `someone.github.io`);
   * empty when there is none. Takes about 0.3 µs.
   */
  of(name: string): string;
}

const OPTIONS = {
  allowPrivateDomains: true,
  detectIp: false,
  validateHostname: false,
  extractHostname: false,
};

/** `own`: suffixes beside those of the Public Suffix List: dynamic DNS, free sub-domains. */
export function createSharedSuffixes(own: ReadonlySet<string>): SharedSuffixes {
  const ownSuffixOf = (name: string): string => {
    if (own.size === 0) return '';
    for (let at = 0; at >= 0; ) {
      const candidate = at === 0 ? name : name.slice(at);
      if (own.has(candidate)) return candidate;
      const dot = name.indexOf('.', at);
      at = dot < 0 || name.indexOf('.', dot + 1) < 0 ? -1 : dot + 1;
    }
    return '';
  };
  return {
    of(name) {
      const { publicSuffix, isPrivate } = parse(name, OPTIONS);
      const listed = isPrivate === true ? (publicSuffix ?? '') : '';
      const ours = ownSuffixOf(name);
      return ours.length > listed.length ? ours : listed;
    },
  };
}

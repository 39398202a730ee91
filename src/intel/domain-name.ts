/** Decides which entries of a domain list are names that mail can be addressed to, and under which suffixes strangers get names. */
import { domainToASCII } from 'node:url';
import { isReservedName } from '../address/reserved-names.ts';
import { requirePackage } from '../platform/common-js.ts';

const { parse } = requirePackage('tldts') as typeof import('tldts');

export interface DomainReader {
  /** The ASCII, lower-case form; `undefined` for anything that is not a name below a registry's suffix. */
  read(entry: string): string | undefined;
}

const LABEL = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;
const ENDING = /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;
const REGISTRY_OPTIONS = {
  allowPrivateDomains: false,
  detectIp: false,
  validateHostname: false,
  extractHostname: false,
};

/**
 * `topLevels`: IANA's top-level domains, lower-case: a name below any other one is none. It is only for lists that are as
 * old as itself: a list that is fetched may name a top-level domain that was added since.
 */
export function createDomainReader(topLevels?: ReadonlySet<string>): DomainReader {
  return {
    read(entry) {
      const name = toAscii(entry.trim().replace(/\.$/, '').toLowerCase());
      const labels = name.split('.');
      if (labels.length < 2 || name.length > 253) return undefined;
      if (!labels.every((label) => label.length <= 63 && LABEL.test(label))) return undefined;
      const ending = labels.at(-1) as string;
      const mayExist = topLevels === undefined ? isPublicEnding(name, ending) : topLevels.has(ending);
      return mayExist && parse(name, REGISTRY_OPTIONS).publicSuffix !== name ? name : undefined;
    },
  };
}

function isPublicEnding(name: string, ending: string): boolean {
  return ENDING.test(ending) && !isReservedName(name);
}

function toAscii(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range
  return /^[\x00-\x7f]*$/.test(name) ? name : domainToASCII(name);
}

export interface SharedSuffixes {
  /**
   * The longest shared suffix that `name` (ASCII, lower-case) is, or is below (`github.io` for `someone.github.io`);
   * empty when there is none. Takes about 0.3 µs.
   */
  suffixOf(name: string): string;
}

const OPTIONS = {
  allowPrivateDomains: true,
  detectIp: false,
  validateHostname: false,
  extractHostname: false,
};

/** `own`: suffixes besides those of the Public Suffix List: dynamic DNS, free sub-domains. */
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
    suffixOf(name) {
      const { publicSuffix, isPrivate } = parse(name, OPTIONS);
      const listed = isPrivate === true ? (publicSuffix ?? '') : '';
      const ours = ownSuffixOf(name);
      return ours.length > listed.length ? ours : listed;
    },
  };
}

/** All names above a name, its top-level domain included, the nearest first. */
export function* parentsOf(name: string): Generator<string> {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) yield name.slice(dot + 1);
}

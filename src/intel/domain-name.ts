/** Decides which entries of a domain list are names that mail can be addressed to, and in which form. */
import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

export interface DomainReader {
  /** The ASCII, lower-case form; `undefined` for anything that is not a name below a registry's suffix. */
  read(entry: string): string | undefined;
}

const LABEL = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;
const REGISTRY_OPTIONS = {
  allowPrivateDomains: false,
  detectIp: false,
  validateHostname: false,
  extractHostname: false,
};

/**
 * `topLevels`: IANA's top-level domains, lower-case; a name below any other one does not exist. Where that list is
 * not at hand, a name exists below the suffixes of registries that the Public Suffix List knows.
 */
export function createDomainReader(topLevels?: ReadonlySet<string>): DomainReader {
  return {
    read(entry) {
      const name = toAscii(entry.trim().replace(/\.$/, '').toLowerCase());
      const labels = name.split('.');
      if (labels.length < 2 || name.length > 253) return undefined;
      if (!labels.every((label) => label.length <= 63 && LABEL.test(label))) return undefined;
      const { publicSuffix, isIcann } = parse(name, REGISTRY_OPTIONS);
      const exists = topLevels === undefined ? isIcann === true : topLevels.has(labels.at(-1) as string);
      return exists && publicSuffix !== name ? name : undefined;
    },
  };
}

function toAscii(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range
  return /^[\x00-\x7f]*$/.test(name) ? name : domainToASCII(name);
}

/** Decides what an error may say: the texts it carries never contain the key or what was sent about a person. */

export type Redact = (text: string) => string;

const REPLACEMENT = '[redacted]';

/** Pattern of a text that is looked for as it is, whatever its case. */
const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Makes a function that removes secrets from a text, whatever their case.
 * @param secrets what must not show; empty and absent values are ignored
 * @param url of the service: its host stays, also where a secret is the same, such as the address of a visitor on this machine
 */
export function createRedact(secrets: readonly unknown[], url?: string): Redact {
  const words = secrets
    .filter((secret): secret is string => typeof secret === 'string')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
    // The longest first: one may be a part of another.
    .sort((a, b) => b.length - a.length)
    .map(quote);
  if (words.length === 0) return (text) => text;
  const hosts = url === undefined ? [] : hostsOf(url).map(quote);
  const kept = hosts.length === 0 ? '(?!)' : `(?<![\\w.:])(?:${hosts.join('|')})(?![\\w])`;
  const pattern = new RegExp(`(${kept})|${words.join('|')}`, 'gi');
  return (text) => text.replace(pattern, (_found, host?: string) => host ?? REPLACEMENT);
}

/** Forms in which errors write the host of a URL: a name alone or with its port, an address only with its port. */
function hostsOf(url: string): string[] {
  const { hostname, port, protocol } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, '');
  const places = name === 'localhost' ? [name, '127.0.0.1', '::1'] : [name];
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const isName = /[a-z]/i.test(name) && !name.includes(':');
  return [...places.flatMap((place) => [`${place}:${at}`, `[${place}]:${at}`]), ...(isName ? [name] : [])];
}

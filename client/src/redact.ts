/** Decides what an error may say: the texts it carries never contain the key or what was sent about a person. */

export type Redact = (text: string) => string;

const REPLACEMENT = '[redacted]';

/**
 * Makes a function that removes secrets from a text, whatever their case.
 * @param secrets what must not show; empty and absent values are ignored
 */
export function createRedact(secrets: readonly unknown[]): Redact {
  const words = secrets
    .filter((secret): secret is string => typeof secret === 'string')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
    // The longest first: one may be a part of another.
    .sort((a, b) => b.length - a.length)
    .map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return (text) => text;
  const pattern = new RegExp(words.join('|'), 'gi');
  return (text) => text.replace(pattern, REPLACEMENT);
}

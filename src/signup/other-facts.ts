/** Stores the facts that have no place of their own in the text of an assessment, by their names: a new one needs no line here. */
import { EMPTY_EMAIL, EMPTY_IP, EMPTY_VELOCITY } from '../model/evidence.ts';

export interface OtherFacts<Part extends object> {
  /** A pair of a name and a value for each that is not empty. */
  write(part: Part): string;
  /**
   * Sets those that the text has, in `facts`, which begin as the empty ones: properties that are added one by one would make
   * reading three times as slow. @param pairs of the stored text, by their names
   */
  read(facts: Part, pairs: Readonly<Record<string, unknown>>): Part;
}

/**
 * `empty`: the part of the evidence without any fact; `placed`: the facts with a place of their own; `words`: all that a
 * text may be.
 * @throws for another fact that is neither a number nor true or false nor a word: a text may name a person, so erasing a
 * person must know it
 */
export function createOtherFacts<Part extends object, Placed extends keyof Part & string>(
  part: string,
  empty: Part,
  placed: readonly Placed[],
  words: { readonly [Name in keyof Part]?: readonly Part[Name][] } = {},
): OtherFacts<Part> {
  const emptyValues = Object.entries(empty).filter(([name]) => !placed.includes(name as Placed));
  for (const [name, value] of emptyValues)
    if (typeof value !== 'boolean' && typeof value !== 'number' && words[name as keyof Part] === undefined)
      throw new Error(`${part}.${name} is neither a number nor true or false: give it a place in facts.ts`);
  const others = emptyValues.map(([name, value]) => ({ name, value, stored: `${part}.${name}` }));

  return {
    write(facts) {
      let text = '';
      for (const { name, value, stored } of others) {
        const found = (facts as Record<string, unknown>)[name];
        if (found === value) continue;
        text += typeof found === 'string' ? `,"${stored}","${found}"` : `,"${stored}",${found}`;
      }
      return text;
    },
    read(facts, pairs) {
      for (const { name, stored } of others) {
        const found = pairs[stored];
        if (found !== undefined) (facts as Record<string, unknown>)[name] = found;
      }
      return facts;
    },
  };
}

export const OTHER_EMAIL_FACTS = createOtherFacts('email', EMPTY_EMAIL, [
  'domain',
  'disposable',
  'disposableDisputed',
  'disposableHost',
  'relay',
  'spam',
  'consumer',
  'strangers',
  'standing',
  'sharedSuffix',
  'role',
  'alias',
  'respelled',
  'name',
  'victim',
  'providerMeant',
  'mx',
  'age',
  'hits',
  'unknown',
]);

export const OTHER_IP_FACTS = createOtherFacts('ip', EMPTY_IP, [
  'address',
  'tor',
  'vpn',
  'proxy',
  'relay',
  'datacenter',
  'sharedPlace',
  'sharedByKey',
  'abuseScore',
  'countryCode',
  'country',
  'asn',
  'hits',
  'unknown',
]);

export const OTHER_VELOCITY_FACTS = createOtherFacts('velocity', EMPTY_VELOCITY, [
  'ip1h',
  'ip24h',
  'domain1h',
  'domain24h',
  'mailbox24h',
  'ipMailboxes1h',
  'domainVoices1h',
  'mailboxVoices24h',
  'ipBlocked1h',
  'domainBlocked1h',
  'mailboxBlocked24h',
  'broughtBy',
  'named',
  'partial',
]);

/** Decides whether a domain is a likely typing mistake of a large mail provider, and of which one. */
import { readFileSync } from 'node:fs';
import { expandGroups, readLines } from '../platform/text-lines.ts';

export interface TypingMistakes {
  /**
   * Judges the spelling alone. `domain`: ASCII and lower-case, not itself known to be a provider, popular or confirmed.
   * `topLevelExists`: whether its last label is a top-level domain. Costs about a microsecond. Never throws.
   */
  suspect(domain: string, topLevelExists: boolean): Suspicion | undefined;
  /** The provider, or an empty string: only for one slip of the fingers, which disputes a listing. Made-up look-alikes have other forms. */
  slipOf(domain: string, topLevelExists: boolean): string;
}

export interface Suspicion {
  /** The provider that was probably meant. */
  readonly provider: string;
  readonly form: MistakeForm;
}

/**
 * - `slip`: one slip of the fingers (`gmial.com`);
 * - `stuck`: something is stuck to its domain (`10gmail.com`);
 * - `country`: a country's ending follows (`gmail.com.br`), as the provider itself may have it;
 * - `ending`: its name with another ending that exists (`gmail.net`), which is often somebody else's.
 */
export type MistakeForm = 'slip' | 'stuck' | 'country' | 'ending';

interface Target {
  readonly domain: string;
  /** Name up to the first dot. */
  readonly name: string;
  /** Ending after the first dot. */
  readonly ending: string;
  readonly endingOnly: boolean;
}

const TARGETS = 'typing-targets.txt';
const PROVIDERS = ['consumer.txt', 'consumer-families.txt', 'consumer-access.txt'];
const MAX_NAME_LENGTH = 16;
/** Min. length of an ending: below it a slip gives another real one too often, as `.de` and `.se`. */
const MIN_ENDING = 3;
/** Min. length of a name that is recognisable without its first letter: `utlook`, but not `cloud`. */
const RECOGNISABLE_LENGTH = 7;

/** Keys that touch on the usual Latin layout, and signs that look alike. */
const NEAR: Readonly<Record<string, string>> = {
  q: 'wa',
  w: 'qeas',
  e: 'wrsd',
  r: 'etdf',
  t: 'ryfg',
  y: 'tugh',
  u: 'yihj',
  i: 'uojk1',
  o: 'ipkl0',
  p: 'ol',
  a: 'qwsz',
  s: 'awedxz',
  d: 'serfcx',
  f: 'drtgvc',
  g: 'ftyhbv',
  h: 'gyujnb',
  j: 'huikmn',
  k: 'jiolm',
  l: 'kop1',
  z: 'asx',
  x: 'zsdc',
  c: 'xdfv',
  v: 'cfgb',
  b: 'vghn',
  n: 'bhjm',
  m: 'njk',
};

/** Reads the lists of providers beside this room's other data. */
export function createTypingMistakes(): TypingMistakes {
  const targets = readGroups(TARGETS).map(toTarget);
  const resemblesOne = createResemblance(targets);
  /** Targets by the name and by the name less each of its letters: one slip leaves two names with such a form in common. */
  const byForm = new Map<string, Target[]>();
  for (const target of targets) {
    for (const form of target.endingOnly ? [target.name] : formsOf(target.name)) {
      byForm.set(form, [...(byForm.get(form) ?? []), target]);
    }
  }

  function isMeant(target: Target, name: string, ending: string, topLevelExists: boolean): boolean {
    const sameName = name === target.name;
    const sameEnding = ending === target.ending;
    if (sameName && sameEnding) return false;
    if (!sameName && (target.endingOnly || !isSlip(name, target.name, RECOGNISABLE_LENGTH))) return false;
    if (sameEnding) return true;
    // An ending that exists may be meant, unless only the provider has the name before it.
    if (topLevelExists && (target.endingOnly || target.ending.length < MIN_ENDING)) return false;
    return isSlip(ending, target.ending, 0);
  }

  const glued = createGluedForms(targets);
  // `yahoo.com.vn` is no `yahoo.com` with something stuck to it.
  const providers = new Set(PROVIDERS.flatMap(readGroups));

  const mistakes: TypingMistakes = {
    suspect(domain, topLevelExists) {
      const slip = mistakes.slipOf(domain, topLevelExists);
      const suspicion =
        slip === ''
          ? glued(domain, topLevelExists, mistakes.slipOf)
          : ({ provider: slip, form: 'slip' } as const);
      return suspicion === undefined || providers.has(domain) ? undefined : suspicion;
    },
    slipOf(domain, topLevelExists) {
      const dot = domain.indexOf('.');
      if (dot < 0 || dot > MAX_NAME_LENGTH) return '';
      const name = domain.slice(0, dot);
      if (!resemblesOne(name)) return '';
      const ending = domain.slice(dot + 1);
      for (const form of formsOf(name)) {
        const target = byForm
          .get(form)
          ?.find((candidate) => isMeant(candidate, name, ending, topLevelExists));
        if (target !== undefined) return target.domain;
      }
      return '';
    },
  };
  return mistakes;
}

/** Max. length of a glued name, longer than any such form of the longest provider. */
const MAX_GLUED_LENGTH = 40;
/** Text that is before a name by mistake: the end of the local part, or of a web address. */
const STUCK_BEFORE = /^(?:www\.|(?:www|\d{1,4})(?=[a-z]))/;
const A = 97;
const W = 119;
/** Letters after an ending that give no top-level domain: `gmail.comcom`. */
const MAX_LETTERS_AFTER = 4;
/** A second ending after the first: `gmail.com.com`, `gmail.com.br`. */
const SECOND_ENDING = /^\.(?:com|net|org|[a-z]{2})$/;
const COUNTRY_ENDING = /^\.[a-z]{2}$/;
/** Endings that people know, and write after the name of a provider that has another one. */
const USUAL_ENDING = /^(?:com|net|org|(?:com?\.)?[a-z]{2})$/;

/**
 * The provider where something is stuck to its domain: before it (`10gmail.com`, `www.gmail.com`), after it (`gmail.comcom`,
 * `gmail.com.com`), or within it (`gmailcom.com`, `yahoo.couk`, `g-mail.com`); or where its name has another ending. Only a
 * `www` leaves a name that `ending-only` providers are recognised by: `1mail.com` and `mail.com.tr` are others.
 */
function createGluedForms(targets: readonly Target[]) {
  const byDomain = new Map(targets.map((target) => [target.domain, target]));
  const strong = targets.filter(({ endingOnly }) => !endingOnly);
  const byName = new Map<string, Target[]>();
  for (const target of strong) byName.set(target.name, [...(byName.get(target.name) ?? []), target]);
  const byFlat = new Map(strong.map((target) => [flatten(target.domain), target]));
  // Nearly every domain begins otherwise, and need not be flattened.
  const beginnings = new Set(
    strong.flatMap(({ domain: [first = '', second = ''] }) => [first + second, `${first}-`, `${first}.`]),
  );

  const afterwards = ({ ending: meant }: Target, ending: string, topLevelExists: boolean): boolean => {
    // `gmail.co.com`, where the ending itself has a slip.
    if (meant === 'com' && (ending === 'co.com' || ending === 'con.com')) return true;
    if (!ending.startsWith(meant)) return false;
    const rest = ending.slice(meant.length);
    if (flatten(rest) === flatten(meant) || SECOND_ENDING.test(rest)) return true;
    return !topLevelExists && rest.length <= MAX_LETTERS_AFTER && !rest.includes('.');
  };

  const joined = (domain: string, name: string, ending: string): Target | undefined => {
    const whole = byFlat.get(flatten(domain));
    if (whole !== undefined) return whole;
    const twice = byFlat.get(flatten(name));
    return twice !== undefined && (ending === twice.ending || ending === 'com') ? twice : undefined;
  };

  const stuckTo = (provider: string): Suspicion => ({ provider, form: 'stuck' });

  return (
    domain: string,
    topLevelExists: boolean,
    slipOf: TypingMistakes['slipOf'],
  ): Suspicion | undefined => {
    if (domain.length > MAX_GLUED_LENGTH || byDomain.has(domain)) return undefined;
    const first = domain.charCodeAt(0);
    const stuck = first === W || first < A ? (STUCK_BEFORE.exec(domain)?.[0] ?? '') : '';
    if (stuck !== '') {
      const rest = domain.slice(stuck.length);
      const target = byDomain.get(rest);
      if (target !== undefined) return stuck === 'www.' || !target.endingOnly ? stuckTo(rest) : undefined;
      const meant = slipOf(rest, topLevelExists);
      if (meant.startsWith(rest.charAt(0)) && byDomain.get(meant)?.endingOnly === false)
        return stuckTo(meant);
    }
    if (!beginnings.has(domain.slice(0, 2))) return undefined;
    const dot = domain.indexOf('.');
    const name = domain.slice(0, dot);
    const ending = domain.slice(dot + 1);
    const named = byName.get(name);
    const target = named?.find((candidate) => afterwards(candidate, ending, topLevelExists));
    if (target !== undefined) {
      const isCountry = topLevelExists && COUNTRY_ENDING.test(ending.slice(target.ending.length));
      return { provider: target.domain, form: isCountry ? 'country' : 'stuck' };
    }
    const whole = joined(domain, name, ending);
    if (whole !== undefined) return stuckTo(whole.domain);
    const [largest] = named ?? [];
    return largest !== undefined && topLevelExists && USUAL_ENDING.test(ending)
      ? { provider: largest.domain, form: 'ending' }
      : undefined;
  };
}

function flatten(text: string): string {
  return text.replace(/[.-]/g, '');
}

function readGroups(file: string): string[] {
  const lines = readLines(readFileSync(new URL(`./data/${file}`, import.meta.url), 'utf8'));
  return [...lines].flatMap(expandGroups);
}

function toTarget(line: string): Target {
  const [domain = '', mark] = line.split(/\s+/);
  const dot = domain.indexOf('.');
  if (dot < 1 || (mark !== undefined && mark !== 'ending-only')) throw new Error(`not a provider: ${line}`);
  return {
    domain,
    name: domain.slice(0, dot),
    ending: domain.slice(dot + 1),
    endingOnly: mark !== undefined,
  };
}

/** Whether a name is near enough to any target that the forms have to be compared; most are not. */
function createResemblance(targets: readonly Target[]): (name: string) => boolean {
  const names = [...new Set(targets.map(({ name }) => name))];
  const lengths = Uint8Array.from(names, ({ length }) => length);
  const letters = Int32Array.from(names, lettersOf);
  return (name) => {
    const own = lettersOf(name);
    for (let at = 0; at < lengths.length; at += 1) {
      const change = name.length - (lengths[at] as number);
      if (change >= -1 && change <= 1 && hasTwoBitsAtMost(own ^ (letters[at] as number))) return true;
    }
    return false;
  };
}

/** The letters that a text has, as bits: one slip of the fingers changes two of them at most. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
}

function hasTwoBitsAtMost(bits: number): boolean {
  const withoutOne = bits & (bits - 1);
  return (withoutOne & (withoutOne - 1)) === 0;
}

/** The text itself, and the text without each of its letters in turn. */
function* formsOf(text: string): Generator<string> {
  yield text;
  for (let at = 0; at < text.length; at += 1) yield text.slice(0, at) + text.slice(at + 1);
}

/**
 * Whether `typed` is `meant` with one slip of the fingers: two letters swapped, one missing, one doubled, one hit
 * beside its neighbour's key, or one replaced by a key beside it. A changed first letter makes another word;
 * a missing one does, too, where `meant` is shorter than `recognisable`.
 */
function isSlip(typed: string, meant: string, recognisable: number): boolean {
  const change = typed.length - meant.length;
  if (change < -1 || change > 1) return false;
  let at = 0;
  while (at < typed.length && typed[at] === meant[at]) at += 1;
  if (change === -1)
    return (at > 0 || meant.length >= recognisable) && typed.slice(at) === meant.slice(at + 1);
  if (change === 1) return typed.slice(at + 1) === meant.slice(at) && isStray(typed, at);
  if (typed.slice(at + 1) === meant.slice(at + 1)) {
    return (at > 0 || recognisable === 0) && isNear(meant[at], typed[at]);
  }
  return (
    typed[at] === meant[at + 1] && typed[at + 1] === meant[at] && typed.slice(at + 2) === meant.slice(at + 2)
  );
}

/** Whether the extra letter repeats its neighbour or is the key beside it. */
function isStray(typed: string, at: number): boolean {
  const stray = typed[at];
  return [typed[at - 1], typed[at + 1]].some((beside) => beside === stray || isNear(beside, stray));
}

function isNear(key: string | undefined, other: string | undefined): boolean {
  return key !== undefined && other !== undefined && NEAR[key]?.includes(other) === true;
}

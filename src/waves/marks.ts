/** Decides what about its name a signup may share with other members of a group, and how many people share it anyway. */
import type { CampaignMark } from '../model/campaign.ts';
import type { NameFacts } from '../model/name-facts.ts';
import { type GroupKey, keyOfText } from './group-key.ts';
import { likelihoodOf } from './odds.ts';
import type { ScopeKind } from './scopes.ts';
import type { WaveMember } from './wave-member.ts';

export interface Mark {
  readonly kind: CampaignMark;
  /** Readable, and no part of an address. */
  readonly text: string;
  readonly key: GroupKey;
  /** Share of people who have it, as long as an account has not shown its own, 0 … 1. */
  readonly prior: number;
  /** Factor by which the share may grow by itself: with people of another country, or of another trade. */
  readonly slack: number;
  readonly scopes: ReadonlySet<ScopeKind>;
}

/** Odds that few people's names exceed: one in ten, one in two hundred, one in a thousand. */
const UNUSUAL_ODDS = 1;
const RARE_ODDS = 2.5;
const RANDOM_ODDS = 6;
/** Letters and digits that change more often than in a name with a number. */
const MIXED_LETTERS = 12;
const MIN_MASK_LETTERS = 5;
const MIN_FORM_LETTERS = 4;
const MIN_STEM_LETTERS = 5;
/** Names with as many digits each. */
const FIXED_DIGITS = /^l(?:[._-]l)?d[2-9]$/;
const ODD_FORM = /^(?:x|l(?:[._-]l)?d)/;

const EVERYWHERE: ReadonlySet<ScopeKind> = new Set([
  'provider',
  'range',
  'fresh_domains',
  'mail_host',
  'hosting',
  'account',
]);
const FORM_SCOPES: ReadonlySet<ScopeKind> = new Set(['range', 'fresh_domains', 'mail_host', 'account']);
const STEM_SCOPES: ReadonlySet<ScopeKind> = new Set(['provider', 'account']);
const FRESH_SCOPES: ReadonlySet<ScopeKind> = new Set(['fresh_domains', 'mail_host']);
const HOST_SCOPES: ReadonlySet<ScopeKind> = new Set(['mail_host']);
const FRESH_ALONE: ReadonlySet<ScopeKind> = new Set(['fresh_domains']);

/** Slack of two words and digits: among gamers thirty times as many have them as elsewhere. */
const GAMERS_SLACK = 6;
/** Slack of a name and a number: some names are many people's. */
const NAMES_SLACK = 6;
/** Tells an adjective and a thing from other two words: of the names of npm users without digits, 3 % are such others and 1.6 % pairs. */
const AS_PAIR = ' pair';

/** Likelihood from which on a name at a new domain counts as one of a program's. */
const MIN_LIKELIHOOD = 2.4;
const MIN_LIKELIHOOD_ALONE = 4.5;
/** Letters alone: so most domains are named. */
const PLAIN_MANNER = 'l';

export function marksOf({ name, domainKind, registrable }: WaveMember): readonly Mark[] {
  if (domainKind === 'relay' || name.mask === '') return NONE;
  const form = formOf(name.mask);
  // Most people: a name that is known, without digits.
  if (name.known === 'name' && !form.includes('d') && !form.startsWith('x')) return NONE;
  const marks: Mark[] = [];
  const letters = lettersOf(name.mask);
  // A known name is no random text, whatever its letters are.
  const mayBeRandom = name.known !== 'name' || form.startsWith('x');
  const add = (
    kind: CampaignMark,
    text: string,
    prior: number,
    slack: number,
    scopes = EVERYWHERE,
    hidden = '',
  ) => marks.push({ kind, text, key: keyOfText(`${kind} ${text}${hidden}`), prior, slack, scopes });
  if (mayBeRandom && name.odds >= RANDOM_ODDS) add('random', roughForm(form), 1e-3, 4);
  if (mayBeRandom && name.odds >= RARE_ODDS) add('length', String(sizeOf(name.mask)), 1e-3, 5);
  if (mayBeRandom && name.odds >= UNUSUAL_ODDS && letters >= MIN_MASK_LETTERS)
    add('mask', name.mask, 1e-3, 6);
  if (form.startsWith('x') && sizeOf(name.mask) >= MIXED_LETTERS) add('mixed', '', 5e-4, 4);
  const isNumbered = form.includes('d');
  const isNamed = name.known === 'name';
  if (name.known === 'words' || name.known === 'pair')
    add('words', form, isNumbered ? 3e-3 : 0.03, isNumbered ? GAMERS_SLACK : 4);
  if (name.known === 'pair')
    add('words', form, isNumbered ? 1e-3 : 0.015, isNumbered ? GAMERS_SLACK : 2.5, EVERYWHERE, AS_PAIR);
  if (name.stem !== 0 && name.stemLetters >= MIN_STEM_LETTERS)
    add('stem', '', isNamed ? 1e-3 : 1e-4, isNamed ? NAMES_SLACK : 3, STEM_SCOPES, name.stem.toString(36));
  if (letters >= MIN_FORM_LETTERS && FIXED_DIGITS.test(form)) {
    add('form', form, 0.05, 1.5, FORM_SCOPES);
  }
  if (domainKind === 'private' && letters >= MIN_FORM_LETTERS && ODD_FORM.test(form))
    add('manner', `${mannerOf(registrable)} ${roughForm(form)}`, 3e-4, 3, FRESH_SCOPES);
  if (domainKind === 'private' && likelihoodOf(name) >= MIN_LIKELIHOOD) {
    const manner = mannerOf(registrable);
    add('generated', '', 0, 1, HOST_SCOPES);
    if (manner !== PLAIN_MANNER && likelihoodOf(name) >= MIN_LIKELIHOOD_ALONE)
      add('generated', manner, 0, 1, FRESH_ALONE);
  }
  return marks;
}

const NONE: readonly Mark[] = [];

/** Form of a name without the number of its letters: `ld4` for `l8d4`. */
export function formOf(mask: string): string {
  let form = '';
  let isLength = false;
  for (const sign of mask) {
    const isDigit = sign >= '0' && sign <= '9';
    if (!isDigit || !isLength) form += sign;
    if (!isDigit) isLength = sign === 'l';
  }
  return form;
}

export function hasFixedDigits({ mask }: NameFacts): boolean {
  return FIXED_DIGITS.test(formOf(mask));
}

/** Letters, or letters and digits, that a name begins with. */
export function lettersOf(mask: string): number {
  return mask.startsWith('l') || mask.startsWith('x') ? Number.parseInt(mask.slice(1), 10) : 0;
}

function roughForm(form: string): string {
  return form.startsWith('x') ? 'x' : form;
}

/** Characters of the whole name. */
function sizeOf(mask: string): number {
  let [size, run] = [0, 0];
  for (const sign of mask) {
    if (sign >= '0' && sign <= '9') {
      run = 10 * run + Number(sign);
      continue;
    }
    size += run;
    run = 0;
    if (sign < 'a') size += 1;
  }
  return size + run;
}

/** Manner in which a domain is named: letters, words with a hyphen, a number at the end. */
export function mannerOf(registrable: string): string {
  const label = registrable.slice(0, registrable.indexOf('.'));
  return label.replace(/[a-z]+/g, 'l').replace(/\d+/g, (digits) => `d${digits.length}`);
}

/** Makes the texts that name the country of an IP, once for each country. */
import type { IpEvidence } from '../model/evidence.ts';
import { quote } from '../platform/json-text.ts';

type Country = Pick<IpEvidence, 'countryCode' | 'country'>;

interface CountryTexts extends Country {
  /** Up to the number of the autonomous system. */
  readonly inAnswer: string;
  readonly inFacts: string;
}

const LETTERS = 26;
const A = 65;
const unnamed = write({ countryCode: '', country: '' });
/** By the letters of the code. */
const known = Array.from({ length: LETTERS * LETTERS }, () => unnamed);

export function countryTextsOf(country: Country): CountryTexts {
  const place = placeOf(country.countryCode);
  if (place < 0) return country.country === '' && country.countryCode === '' ? unnamed : write(country);
  const before = known[place] as CountryTexts;
  if (before.countryCode !== '' && before.country === country.country) return before;
  const texts = write(country);
  known[place] = texts;
  return texts;
}

/** Negative unless the code has two capital letters. */
function placeOf(code: string): number {
  if (code.length !== 2) return -1;
  const [first, second] = [code.charCodeAt(0) - A, code.charCodeAt(1) - A];
  const isCode = first >= 0 && first < LETTERS && second >= 0 && second < LETTERS;
  return isCode ? first * LETTERS + second : -1;
}

function write({ countryCode, country }: Country): CountryTexts {
  const name = quote(country);
  const inAnswer = `,"country_code":${quote(countryCode)},"country":${name},"asn":"AS`;
  return { countryCode, country, inAnswer, inFacts: `,${name}` };
}

import { expect, it } from 'vitest';
import { countryTextsOf } from './country-texts.ts';

it.each([
  ['FR', 'France'],
  ['FR', 'Frankreich'],
  ['FR', 'France'],
  // A code that was not named before: the same name as of an unknown country.
  ['ZZ', ''],
  ['', ''],
  ['', 'Nowhere'],
  ['fr', 'france'],
  ['F1', 'No "code"'],
])('names the country of %j, %j, whatever was named before', (countryCode, country) => {
  const name = JSON.stringify(country);
  expect(countryTextsOf({ countryCode, country })).toMatchObject({
    inAnswer: `,"country_code":${JSON.stringify(countryCode)},"country":${name},"asn":"AS`,
    inFacts: `,${name}`,
  });
});

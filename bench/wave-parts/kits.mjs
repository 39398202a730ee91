// Texts that kits and farms put before and behind the @, and through whose addresses they come.
import { drawGibberish, MANNERS } from './domains.mjs';
import { drawPerson, inOrder } from './local-parts.mjs';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
export const DIGITS = '0123456789';
export const ALPHANUMERIC = LETTERS + DIGITS;
/** Where residential proxies are cheap; the attacker does not choose. */
export const PROXIES = [
  'US',
  'BR',
  'IN',
  'ID',
  'VN',
  'MX',
  'RU',
  'TR',
  'UA',
  'GB',
  'DE',
  'PH',
  'CO',
  'EG',
  'ES',
  'IT',
  'FR',
  'PL',
];
export const LANGUAGES = ['en', 'en', 'de', 'es', 'fr', 'it', 'pt', 'ru', 'in'];

export const proxy = (random, { networks }) => networks.anywhere(random.pick(PROXIES));
/** Bought some days before they are used. */
export const buy = (random, month, count, at, { mail, manner = random.pick(MANNERS) } = {}) =>
  Array.from({ length: count }, () =>
    month.domains.bought(
      manner,
      mail ?? random.pick(['cloudflare', 'google', 'namecheap', 'own', 'zoho']),
      at - random.between(1, 12) * DAY_MS,
    ),
  );

/** Texts that kits put before the @; a wave has one of them. */
const KITS = {
  random: (random) => {
    const length = random.between(9, 12);
    return () => random.text(length, ALPHANUMERIC);
  },
  mask: (random) => {
    const [letters, digits] = [random.between(6, 9), random.between(3, 5)];
    return () => random.text(letters, LETTERS) + random.text(digits, DIGITS);
  },
  gibberish: (random) => () => drawGibberish(random, 7, 11),
  nameAndRandom: (random) => {
    const tail = random.between(5, 8);
    return () => inOrder('first', drawPerson(random, 'en'), random) + random.text(tail, ALPHANUMERIC);
  },
};
export const kit = (random, names = Object.keys(KITS)) => KITS[random.pick(names)](random);
/** Names of people with the same number of digits each, as account farms sell them. */
export const farmed = (random) => {
  const digits = random.between(3, 5);
  return () => inOrder('firstlast', drawPerson(random, 'en'), random) + random.text(digits, DIGITS);
};

export const signups = (times, make) => times.map((at, number) => ({ at, ...make(number, at) }));

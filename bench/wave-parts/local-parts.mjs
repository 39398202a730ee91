// How people of a language build the name of their mailbox: names in their orders, with years and digits, nicknames, numbers.
import { ADJECTIVES, CREATURES, NAMES, NOUNS } from './names.mjs';
import { createChoice } from './random.mjs';

const HOBBIES =
  'music photo gamer dancer runner football cooking travel books coffee art guitar bikes yoga fishing'.split(
    ' ',
  );
const GAMER_ENDS = ['xx', 'pro', 'yt', 'tv', 'hd', 'gg', 'fps', 'lol', 'op', 'god'];
const LUCKY = ['520', '1314', '666', '888', '168', '521', '99', '88', '123', '2008'];

/** A person's name and year, of a language. */
export function drawPerson(random, language) {
  const { first, last } = NAMES.get(language);
  return {
    language,
    first: random.pick(first),
    last: random.pick(last),
    /** Iberian double names, middle names. */
    other: random.pick(last),
    born: 2007 - Math.floor(55 * random.next() ** 1.4),
  };
}

const plain = (name) => name.replace(/[ -]/g, '');
const parted = (name, random) => (random.chance(0.3) ? name.replaceAll(' ', '-') : plain(name));
/** Orders in which a name is written. */
const ORDERS = {
  'first.last': (p, r) => `${parted(p.first, r)}.${parted(p.last, r)}`,
  firstlast: (p) => plain(p.first) + plain(p.last),
  first_last: (p) => `${plain(p.first)}_${plain(p.last)}`,
  'first-last': (p) => `${plain(p.first)}-${plain(p.last)}`,
  flast: (p) => p.first[0] + plain(p.last),
  'f.last': (p) => `${p.first[0]}.${plain(p.last)}`,
  lastfirst: (p) => plain(p.last) + plain(p.first),
  'last.first': (p) => `${plain(p.last)}.${plain(p.first)}`,
  lastf: (p) => plain(p.last) + p.first[0],
  firstl: (p) => plain(p.first) + p.last[0],
  'first.l': (p) => `${plain(p.first)}.${p.last[0]}`,
  first: (p) => plain(p.first),
  last: (p) => plain(p.last),
  firstlastother: (p) => plain(p.first) + plain(p.last) + plain(p.other),
  'first.last.other': (p) => `${plain(p.first)}.${plain(p.last)}.${plain(p.other)}`,
  'first.last-other': (p) => `${plain(p.first)}.${plain(p.last)}-${plain(p.other)}`,
  initials: (p) => p.first[0] + p.other[0] + p.last[0],
  /** Pinyin: the family name in full and the first letters of the given one. */
  lastinitials: (p) => plain(p.last) + p.first[0] + (p.first[Math.ceil(p.first.length / 2)] ?? ''),
};
const WEST = {
  'first.last': 30,
  firstlast: 22,
  first_last: 4,
  flast: 8,
  'f.last': 5,
  firstl: 4,
  'first.l': 2,
  lastfirst: 3,
  'last.first': 3,
  first: 6,
  last: 3,
  'first-last': 1,
  initials: 2,
};
const IBERIA = {
  firstlast: 26,
  'first.last': 16,
  firstlastother: 9,
  'first.last.other': 5,
  first_last: 6,
  flast: 8,
  firstl: 4,
  first: 6,
  lastfirst: 4,
  initials: 3,
  'first.last-other': 1,
};
const EAST = {
  firstlast: 14,
  'first.last': 16,
  lastfirst: 10,
  'last.first': 10,
  'first-last': 3,
  first_last: 5,
  flast: 6,
  'f.last': 5,
  last: 7,
  first: 6,
  lastf: 5,
  initials: 2,
};
const CHINA = { lastfirst: 46, firstlast: 12, lastinitials: 18, initials: 8, 'last.first': 3, first: 6 };
const JAPAN = {
  'first.last': 16,
  lastfirst: 14,
  firstlast: 12,
  'last.first': 6,
  first: 12,
  'f.last': 8,
  first_last: 6,
  flast: 6,
};
const KOREA = {
  lastinitials: 20,
  lastfirst: 18,
  firstlast: 14,
  first: 12,
  initials: 14,
  flast: 10,
  'first.last': 8,
};
const VIETNAM = { lastfirst: 26, firstlast: 24, first: 10, 'first.last': 6, firstl: 8, flast: 4 };
const OF_LANGUAGE = {
  es: IBERIA,
  pt: IBERIA,
  ph: IBERIA,
  ru: EAST,
  uk: EAST,
  hu: EAST,
  zh: CHINA,
  ja: JAPAN,
  ko: KOREA,
  vi: VIETNAM,
};
const choices = new Map();
const orderOf = (language, random) => {
  const table = OF_LANGUAGE[language] ?? WEST;
  let choice = choices.get(table);
  if (choice === undefined) {
    choice = createChoice(Object.entries(table).filter(([name]) => name in ORDERS));
    choices.set(table, choice);
  }
  return ORDERS[choice(random)];
};

/** The name alone, in one of the orders. */
export const nameOf = (person, random) => orderOf(person.language, random)(person, random);
export const inOrder = (order, person, random) => ORDERS[order](person, random);

/** Digits behind a name: years, lucky numbers, what was free. */
export function drawDigits(random, person) {
  if (person.language === 'zh' && random.chance(0.4)) return random.pick(LUCKY);
  return random.weighted([
    [String(person.born), 24],
    [String(person.born).slice(2), 26],
    [String(random.between(1, 9)), 10],
    [String(random.between(10, 99)), 18],
    [String(random.between(100, 999)), 14],
    [`${pad(random.between(1, 28))}${pad(random.between(1, 12))}`, 6],
    [String(random.between(1000, 9999)), 4],
    [`${pad(random.between(1, 28))}${pad(random.between(1, 12))}${person.born}`, 1],
  ]);
}

const pad = (number) => String(number).padStart(2, '0');

export function drawNickname(random, person) {
  const name = plain(person.first);
  const word = random.pick(random.chance(0.5) ? CREATURES : NOUNS);
  return random.weighted([
    [`${random.pick(ADJECTIVES)}${word}`, 18],
    [`${random.pick(ADJECTIVES)}.${word}`, 4],
    [`${random.pick(ADJECTIVES)}_${word}`, 4],
    [`${name}${random.pick(HOBBIES)}`, 12],
    [`${name}.${random.pick(HOBBIES)}`, 4],
    [`${word}${name}`, 10],
    [`the${name}`, 4],
    [`${word}${random.pick(NOUNS)}`, 8],
    [`${name}${name.slice(-1).repeat(random.between(1, 3))}`, 6],
    [`mr${plain(person.last)}`, 3],
    [`${word}${random.between(1, 99)}`, 12],
  ]);
}

/** xXWolfXx, sn1per_99, and the like. */
export function drawGamerTag(random, person) {
  const word = random.pick(random.chance(0.6) ? CREATURES : random.chance(0.5) ? NOUNS : ADJECTIVES);
  const tag = random.weighted([
    [`x${word}x`, 6],
    [`xx${word}xx`, 6],
    [`${word}${random.pick(GAMER_ENDS)}`, 16],
    [`${random.pick(ADJECTIVES)}${word}`, 24],
    [`${plain(person.first)}${random.pick(GAMER_ENDS)}`, 10],
    [word.replace('i', '1').replace('e', '3').replace('o', '0'), 10],
    [`${word}_${random.pick(CREATURES)}`, 10],
    [`its${plain(person.first)}`, 6],
    [`i${word}`, 3],
  ]);
  return random.chance(0.72) ? `${tag}${drawDigits(random, person)}` : tag;
}

/** A number as QQ gives it, long for new users. */
export const drawQqNumber = (random) =>
  `${random.between(1, 9)}${random.text(
    random.weighted([
      [6, 4],
      [7, 8],
      [8, 30],
      [9, 56],
    ]),
    '0123456789',
  )}`;

/** A mobile number as people write it, without the country. */
export const drawPhone = (random, country) => {
  const [start, digits] = {
    CN: ['1', 10],
    IN: ['9', 9],
    ID: ['08', 10],
    RU: ['79', 9],
    VN: ['09', 8],
    JP: ['090', 8],
    TR: ['05', 9],
  }[country] ?? ['0', 9];
  const second = country === 'CN' ? random.pick(['3', '5', '7', '8', '9']) : '';
  return `${start}${second}${random.text(digits - second.length, '0123456789')}`;
};

/** Text before the @ at a provider that many share. */
export function drawLocal(random, person, { country = '', domain = '' } = {}) {
  if (domain === 'qq.com' && random.chance(0.88)) return drawQqNumber(random);
  if (['139.com', '189.cn'].includes(domain) || (country === 'CN' && random.chance(0.09)))
    return drawPhone(random, 'CN');
  if (['IN', 'ID', 'VN'].includes(country) && random.chance(0.01)) return drawPhone(random, country);
  if (random.chance(0.14)) return drawNickname(random, person);
  if (random.chance(0.02)) return drawGamerTag(random, person);
  const name = nameOf(person, random);
  // Short names are taken at a provider with many people.
  const withDigits = name.length < 8 ? 0.8 : name.includes('.') ? 0.22 : 0.42;
  if (!random.chance(withDigits)) return name.length < 5 ? `${name}${drawDigits(random, person)}` : name;
  return `${name}${random.chance(0.06) ? random.pick(['.', '_']) : ''}${drawDigits(random, person)}`;
}

// Everyday people of a service with customers in many countries: providers in their real proportions, a long tail of firms, families, universities, relays, mistakes.
import { drawDigits, drawLocal, drawPerson, inOrder, nameOf } from './local-parts.mjs';
import { ADJECTIVES, NOUNS } from './names.mjs';
import { createChoice } from './random.mjs';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const KINDS = createChoice([
  ['provider', 710],
  ['access', 40],
  ['company', 150],
  ['colleagues', 3],
  ['family', 5],
  ['university', 34],
  ['relay', 13],
  ['tag', 12],
  ['mistyped', 6],
  ['role', 13],
  ['disposable', 4],
]);
const COMPANY_ORDERS = createChoice([
  ['first.last', 42],
  ['first', 18],
  ['flast', 14],
  ['f.last', 10],
  ['firstlast', 5],
  ['last', 3],
  ['firstl', 3],
  ['first_last', 2],
  ['initials', 2],
]);
const CAMPUS_ORDERS = createChoice([
  ['first.last', 40],
  ['flast', 14],
  ['firstlast', 8],
  ['initials', 22],
  ['number', 16],
]);
const SUFFIXES = {
  US: 'edu',
  GB: 'ac.uk',
  AU: 'edu.au',
  IN: 'ac.in',
  CN: 'edu.cn',
  TW: 'edu.tw',
  BR: 'edu.br',
  MX: 'edu.mx',
  JP: 'ac.jp',
  KR: 'ac.kr',
  TR: 'edu.tr',
  ID: 'ac.id',
  AT: 'ac.at',
  FR: 'fr',
  DE: 'de',
};
const ROLES = [
  'info',
  'info',
  'contact',
  'sales',
  'admin',
  'office',
  'support',
  'hello',
  'accounts',
  'marketing',
  'hr',
  'it',
];
const TAGS = ['shop', 'news', 'test', 'trial', 'signup', 'app', 'web', 'new', 'work', 'spam', '1', '2025'];
const MISTAKES = [
  'gmial.com',
  'gmai.com',
  'gmail.co',
  'gmal.com',
  'hotmial.com',
  'hotmal.com',
  'outlok.com',
  'yaho.com',
  'gnail.com',
  'iclod.com',
];
const THROW_AWAY = [
  'mailinator.com',
  'yopmail.com',
  'guerrillamail.com',
  'sharklasers.com',
  '10minutemail.com',
  'maildrop.cc',
  'getnada.com',
  'trashmail.com',
];
const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Names that relays make: what looks generated here is an honest person's. */
const RELAYS = createChoice([
  [(random) => `${random.text(10, ALPHANUMERIC)}@privaterelay.appleid.com`, 44],
  [
    (random) =>
      `${random.pick(ADJECTIVES)}${random.pick(['_', '.', '-'])}${random.pick(NOUNS)}.${random.text(2, ALPHANUMERIC)}@icloud.com`,
    22,
  ],
  [(random) => `${random.pick(NOUNS)}-${random.pick(NOUNS)}-${random.pick(ADJECTIVES)}@duck.com`, 12],
  [(random) => `${random.text(9, ALPHANUMERIC)}@mozmail.com`, 8],
  [(random) => `${random.pick(NOUNS)}.${random.pick(NOUNS)}${random.between(100, 999)}@simplelogin.com`, 5],
  [(random) => `${random.pick(NOUNS)}.${random.pick(NOUNS)}${random.between(100, 999)}@passmail.net`, 5],
  [(random) => `${random.text(8, ALPHANUMERIC)}@addy.io`, 4],
]);
/** Of a hundred people: through a server for rent (a VPN), twice with the same inbox, twice with another. */
const [VPN, AGAIN, AGAIN_ELSEWHERE] = [0.02, 0.012, 0.012];

export function everyday(random, month, size) {
  const people = createPeople(random, month);
  const signups = [];
  while (signups.length < size) {
    const kind = KINDS(random);
    const made = people[kind](people.draw());
    signups.push(...made.map((signup) => ({ label: kind, ...signup })));
  }
  return signups.slice(0, size);
}

/** Draws somebody of a country, with a language, an address of the network and a time; crowds use it too. */
export function createDraw(random, { countries, networks, times }) {
  const drawCountry = createChoice(
    Object.entries(countries).map(([country, { weight }]) => [country, weight]),
  );
  const details = {};
  for (const [country, { cultures, providers }] of Object.entries(countries))
    details[country] = {
      drawLanguage: createChoice(Object.entries(cultures)),
      drawProvider: createChoice(Object.entries(providers)),
    };
  const taken = new Set();
  /** No mailbox belongs to two people: the second gets digits. */
  const untaken = (local, domain, person) => {
    let email = `${local}@${domain}`;
    while (taken.has(email)) email = `${local}${drawDigits(random, person)}@${domain}`;
    taken.add(email);
    return email;
  };
  return (country = drawCountry(random)) => {
    const { drawLanguage, drawProvider } = details[country];
    const person = drawPerson(random, drawLanguage(random));
    return {
      country,
      person,
      ...countries[country],
      provider: () => drawProvider(random),
      ip: random.chance(VPN) ? networks.server() : networks.anywhere(country),
      at: times.usual(countries[country].utcHours),
      /** Their mailbox at one of the country's providers. */
      mailbox(domain = drawProvider(random)) {
        return untaken(drawLocal(random, person, { country, domain }), domain, person);
      },
    };
  };
}

function createPeople(random, month) {
  const { domains, networks, times } = month;
  const draw = createDraw(random, month);
  const firms = [];
  const campuses = new Map();

  function firmOf({ person, country, endings }) {
    // Most firms are seen once, a few again and again.
    if (firms.length > 20 && random.chance(0.16)) return firms[Math.floor(firms.length * random.next() ** 2)];
    const firm = {
      domain: domains.company(person.language, endings),
      country,
      order: COMPANY_ORDERS(random),
      ip: networks.office(country),
    };
    firms.push(firm);
    return firm;
  }
  function campusOf({ country, person }) {
    const suffix = SUFFIXES[country] ?? 'edu';
    const known = campuses.get(suffix) ?? [];
    if (known.length > 4 && random.chance(0.85)) return random.pick(known);
    const campus = { domain: domains.university(person.language, suffix), order: CAMPUS_ORDERS(random) };
    campuses.set(suffix, [...known, campus]);
    return campus;
  }
  const employee = (somebody, firm, at) => ({
    email: `${inOrder(firm.order, somebody.person, random)}@${firm.domain}`,
    ip: random.chance(0.7) ? firm.ip : somebody.ip,
    at,
  });

  return {
    draw,
    provider(somebody) {
      const first = { email: somebody.mailbox(), ip: somebody.ip, at: somebody.at };
      if (random.chance(AGAIN))
        return [first, { ...first, at: later(first.at, random.between(1, 200) * 60_000) }];
      if (random.chance(AGAIN_ELSEWHERE))
        return [
          first,
          { ...first, email: somebody.mailbox(), at: later(first.at, random.between(1, 300) * HOUR_MS) },
        ];
      return [first];
    },
    access: (somebody) => [
      { email: somebody.mailbox(random.pick(somebody.isps)), ip: somebody.ip, at: somebody.at },
    ],
    company: (somebody) => [employee(somebody, firmOf(somebody), times.work(somebody.utcHours))],
    /** A small firm that tries it together: some people in a week, now and then in one hour. */
    colleagues(somebody) {
      const firm = firmOf(somebody);
      const at = times.work(somebody.utcHours);
      const hours = random.pick([1, 30, 100, 160]);
      return Array.from({ length: random.between(2, 8) }, () =>
        employee(draw(somebody.country), firm, later(at, random.next() * hours * HOUR_MS)),
      );
    },
    /** A family's own domain, often behind a mail router: a baker and her brother. */
    family(somebody) {
      const domain = domains.company(
        somebody.person.language,
        somebody.endings,
        random.pick(['cloudflare', 'google', 'namecheap', 'own']),
      );
      return Array.from({ length: random.between(1, 4) }, () => {
        const member = drawPerson(random, somebody.person.language);
        return {
          email: `${nameOf({ ...member, last: somebody.person.last }, random)}@${domain}`,
          ip: somebody.ip,
          at: later(somebody.at, random.next() ** 3 * 20 * DAY_MS),
        };
      });
    },
    university(somebody) {
      const { domain, order } = campusOf(somebody);
      const local =
        order === 'number'
          ? `${random.pick(['s', 'u', 'b', ''])}${random.between(1_000_000, 9_999_999)}`
          : inOrder(order, somebody.person, random);
      const digits = order === 'initials' ? random.between(1, 9999) : '';
      return [
        {
          email: `${local}${digits}@${domain}`,
          ip: random.chance(0.5) ? networks.campus() : somebody.ip,
          at: somebody.at,
        },
      ];
    },
    relay: (somebody) => [{ email: RELAYS(random)(random), ip: somebody.ip, at: somebody.at }],
    tag(somebody) {
      const email = somebody.mailbox('gmail.com');
      return [{ email: email.replace('@', `+${random.pick(TAGS)}@`), ip: somebody.ip, at: somebody.at }];
    },
    mistyped: (somebody) => [
      { email: somebody.mailbox(random.pick(MISTAKES)), ip: somebody.ip, at: somebody.at },
    ],
    role: (somebody) => [
      {
        email: `${random.pick(ROLES)}@${firmOf(somebody).domain}`,
        ip: somebody.ip,
        at: times.work(somebody.utcHours),
      },
    ],
    disposable: (somebody) => [
      {
        email: `${nameOf(somebody.person, random)}@${random.pick(THROW_AWAY)}`,
        ip: somebody.ip,
        at: somebody.at,
      },
    ],
  };

  function later(at, ms) {
    return times.inMonth(at + ms);
  }
}

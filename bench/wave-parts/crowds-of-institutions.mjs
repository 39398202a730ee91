// Crowds of one company, school or university: many names at one domain in a morning.
import { drawPerson, inOrder } from './local-parts.mjs';

const HOUR_MS = 3_600_000;
const DIGITS = '0123456789';
const SCHOOL_COUNTRIES = ['US', 'GB', 'DE', 'AU', 'IT', 'NL', 'PL'];
const OFFICE_COUNTRIES = ['US', 'GB', 'DE', 'FR', 'IT', 'PL', 'BR', 'ES', 'SE', 'AU'];

const language = (random, { countries }, country) =>
  random.weighted(Object.entries(countries[country].cultures));

/** Different names at one domain, as an administrator gives them: the second of a name gets a number. */
function namesAt(count, make) {
  const taken = new Map();
  return Array.from({ length: count }, (_, number) => {
    const name = make(number);
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return before === 0 ? name : `${name}${before + 1}`;
  });
}

/** People of one place who sign up together. `inside`: share of them who use the place's own network. */
function together(
  random,
  month,
  { country, names, domain, at, hours, inside = 0.7, gateways = 1, campus = false },
) {
  const { networks, times } = month;
  const own = Array.from({ length: gateways }, () => (campus ? networks.campus() : networks.office(country)));
  const moments = times.together(at, names.length, hours);
  return names.map((name, number) => ({
    email: `${name}@${domain}`,
    ip: random.chance(inside) ? random.pick(own) : networks.anywhere(country),
    at: moments[number],
  }));
}

export const CROWDS_OF_INSTITUTIONS = [
  {
    name: 'company staff',
    size: 80,
    hours: 2,
    shape:
      'the staff of one company after a mail from their manager: `first.last@company`, most from the office',
    source: 'classes-together',
    generate(random, month) {
      const country = random.pick(OFFICE_COUNTRIES);
      const order = random.pick(['first.last', 'first.last', 'flast', 'f.last']);
      const spoken = language(random, month, country);
      const names = namesAt(80, () => inOrder(order, drawPerson(random, spoken), random));
      const domain = month.domains.company(
        spoken,
        month.countries[country].endings,
        random.pick(['microsoft', 'google', 'own']),
      );
      return together(random, month, {
        country,
        names,
        domain,
        at: month.times.morning(month.countries[country].utcHours, 9),
        hours: 2,
      });
    },
  },
  {
    name: 'freshmen with student numbers',
    size: 300,
    hours: 3,
    shape:
      'first-year students on the day of the introduction: numbers that follow each other, at the university, from its network and from phones',
    source: 'student-numbers',
    generate(random, month) {
      const [country, suffix] = random.pick([
        ['US', 'edu'],
        ['GB', 'ac.uk'],
        ['DE', 'de'],
        ['AU', 'edu.au'],
        ['IN', 'ac.in'],
      ]);
      const domain = month.domains.university(language(random, month, country), suffix);
      const first = random.between(2_500_000, 2_590_000);
      const start = random.pick(['', 's', 'u', 'k', 'c']);
      let next = first;
      const numbers = Array.from({ length: 300 }, () => {
        next += random.between(1, 3);
        return `${start}${next}`;
      });
      const { utcHours } = month.countries[country];
      return together(random, month, {
        country,
        names: random.shuffle(numbers),
        domain,
        at: month.times.morning(utcHours, 10),
        hours: 3,
        inside: 0.55,
        gateways: 3,
        campus: country !== 'US',
      });
    },
  },
  {
    name: 'net ids at a college',
    size: 150,
    hours: 3,
    shape:
      'students of a college: initials and digits (`abc1234`), three letters and three digits, or the first letters of both names',
    source: 'net-ids',
    generate(random, month) {
      const domain = month.domains.university('en', 'edu');
      const digits = random.pick([2, 3, 4]);
      const names = namesAt(
        150,
        () =>
          `${inOrder('initials', drawPerson(random, language(random, month, 'US')), random)}${random.text(digits, DIGITS)}`,
      );
      return together(random, month, {
        country: 'US',
        names,
        domain,
        at: month.times.morning(-6, 9),
        hours: 3,
        inside: 0.5,
        gateways: 4,
      });
    },
  },
  {
    name: 'school classes with numbers',
    size: 200,
    hours: 4,
    shape: 'pupils of a school in one morning: a word or nothing and a number each (`schueler127`, `10b14`)',
    source: 'school-accounts',
    generate(random, month) {
      const country = random.pick(SCHOOL_COUNTRIES);
      const { utcHours, endings } = month.countries[country];
      const domain = month.domains.school(language(random, month, country), endings[0]);
      const first = random.between(100, 4000);
      const manner = random.pick([
        (number) => `${random.pick(['pupil', 'student'])[0]}${first + number}`,
        (number) => `student${first + number}`,
        (number) =>
          `${7 + Math.floor(number / 50)}${'abcd'[Math.floor(number / 25) % 2]}${(number % 25) + 1}`,
      ]);
      const names = namesAt(200, manner);
      return together(random, month, {
        country,
        names: random.shuffle(names),
        domain,
        at: month.times.morning(utcHours, 8),
        hours: 4,
        inside: 0.85,
        gateways: 2,
      });
    },
  },
  {
    name: 'school classes with names',
    size: 200,
    hours: 4,
    shape: 'pupils of a school in one morning, by their names, from the network of the school',
    source: 'school-accounts',
    generate(random, month) {
      const country = random.pick(SCHOOL_COUNTRIES);
      const { utcHours, endings } = month.countries[country];
      const spoken = language(random, month, country);
      const order = random.pick(['first.last', 'firstlast', 'flast']);
      const names = namesAt(200, () => inOrder(order, drawPerson(random, spoken), random));
      return together(random, month, {
        country,
        names,
        domain: month.domains.school(spoken, endings[0]),
        at: month.times.morning(utcHours, 8),
        hours: 4,
        inside: 0.85,
        gateways: 2,
      });
    },
  },
  {
    name: 'pupils by year and name',
    size: 200,
    hours: 4,
    shape: 'pupils of a school whose names begin with the year of their last class: `26smithj`',
    source: 'school-accounts',
    generate(random, month) {
      const country = random.pick(['US', 'GB', 'AU']);
      const { utcHours, endings } = month.countries[country];
      const year = random.between(26, 31);
      const order = random.pick(['lastf', 'flast', 'firstl']);
      const names = namesAt(
        200,
        () => `${year + random.below(2)}${inOrder(order, drawPerson(random, 'en'), random)}`,
      );
      return together(random, month, {
        country,
        names,
        domain: month.domains.school('en', endings[0]),
        at: month.times.morning(utcHours, 8),
        hours: 4,
        inside: 0.85,
        gateways: 2,
      });
    },
  },
  {
    name: 'staff ids of a bank',
    size: 150,
    hours: 3,
    shape: 'employees whose addresses are their number: a letter and six digits, at a bank of years',
    source: 'staff-ids',
    generate(random, month) {
      const country = random.pick(OFFICE_COUNTRIES);
      const { utcHours, endings } = month.countries[country];
      const start = random.pick(['u', 'e', 'x', 'p', 'a']);
      const digits = random.pick([5, 6]);
      const domain = month.domains.put(
        `${month.domains.company(language(random, month, country), endings, 'own').split('.')[0]}-bank.${endings[0]}`,
        'own',
        month.from - 14 * 365 * 24 * HOUR_MS,
      );
      const names = namesAt(150, () => `${start}${random.text(digits, DIGITS)}`);
      return together(random, month, {
        country,
        names,
        domain,
        at: month.times.morning(utcHours, 9),
        hours: 3,
        inside: 0.9,
        gateways: 2,
      });
    },
  },
  {
    name: 'initials and digits of a firm',
    size: 120,
    hours: 3,
    shape: 'employees whose addresses are their initials and two or three digits',
    source: 'initials-and-digits',
    generate(random, month) {
      const country = random.pick(OFFICE_COUNTRIES);
      const { utcHours, endings } = month.countries[country];
      const spoken = language(random, month, country);
      const names = namesAt(
        120,
        () => `${inOrder('initials', drawPerson(random, spoken), random)}${random.text(2, DIGITS)}`,
      );
      const domain = month.domains.company(spoken, endings, random.pick(['microsoft', 'own']));
      return together(random, month, {
        country,
        names,
        domain,
        at: month.times.morning(utcHours, 9),
        hours: 3,
        inside: 0.8,
      });
    },
  },
];

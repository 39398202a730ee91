// Crowds of one company, school or university with the names of its people: many at one domain in a morning, of which nothing else is known.
import { drawPerson, inOrder } from './local-parts.mjs';

export const DIGITS = '0123456789';
export const SCHOOL_COUNTRIES = ['US', 'GB', 'DE', 'AU', 'IT', 'NL', 'PL'];
export const OFFICE_COUNTRIES = ['US', 'GB', 'DE', 'FR', 'IT', 'PL', 'BR', 'ES', 'SE', 'AU'];

export const language = (random, { countries }, country) =>
  random.weighted(Object.entries(countries[country].cultures));

/** Different names at one domain, as an administrator gives them: the second of a name gets a number. */
export function namesAt(count, make) {
  const taken = new Map();
  return Array.from({ length: count }, (_, number) => {
    const name = make(number);
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return before === 0 ? name : `${name}${before + 1}`;
  });
}

/** People of one place who sign up together. `inside`: share of them who use the place's own network. */
export function together(
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
];

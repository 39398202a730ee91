// Crowds whose addresses are numbers or initials, at places that a service knows in one of the ways in which it does: by their suffix, by their people of the weeks before, or not at all.
import {
  DIGITS,
  language,
  namesAt,
  OFFICE_COUNTRIES,
  SCHOOL_COUNTRIES,
  together,
} from './crowds-of-institutions.mjs';
import { drawPerson, inOrder } from './local-parts.mjs';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Day of the month from which on a place may have had people for weeks. */
const WEEKS_LATER = 17;
/** Name of the crowd that all who came before are. */
const BEFORE = 'people of such domains in the weeks before';

/** Each has `ways`: how the service may know its domain. `draw` gives country, domain, names, and a name of somebody who came before. */
const PLACES = [
  {
    name: 'freshmen with student numbers',
    size: 300,
    hours: 3,
    shape:
      'first-year students on the day of the introduction: numbers that follow each other, at the university, from its network and from phones',
    source: 'student-numbers',
    ways: ['suffix', 'before'],
    place: { hour: 10, inside: 0.55, gateways: 3 },
    draw(random, month, way) {
      const [country, suffix] = random.pick(
        way === 'suffix'
          ? [
              ['US', 'edu'],
              ['GB', 'ac.uk'],
              ['AU', 'edu.au'],
              ['BR', 'edu.br'],
              ['TR', 'edu.tr'],
            ]
          : [
              ['DE', 'de'],
              ['FR', 'fr'],
              ['IN', 'ac.in'],
            ],
      );
      const spoken = language(random, month, country);
      const first = random.between(2_500_000, 2_590_000);
      const start = random.pick(['', 's', 'u', 'k', 'c']);
      let next = first;
      const numbers = Array.from({ length: 300 }, () => {
        next += random.between(1, 3);
        return `${start}${next}`;
      });
      return {
        country,
        domain: month.domains.university(spoken, suffix),
        campus: country !== 'US',
        names: random.shuffle(numbers),
        // Students of other years, and who teaches them.
        earlier: () =>
          random.chance(0.3)
            ? inOrder('first.last', drawPerson(random, spoken), random)
            : `${start}${first - random.between(1_000, 90_000)}`,
      };
    },
  },
  {
    name: 'school classes with numbers',
    size: 200,
    hours: 4,
    shape: 'pupils of a school in one morning: a word or nothing and a number each (`schueler127`, `10b14`)',
    source: 'school-accounts',
    ways: ['suffix', 'before'],
    place: { hour: 8, inside: 0.85, gateways: 2 },
    draw(random, month, way) {
      const [country, suffix] = random.pick(
        way === 'suffix'
          ? [
              ['US', 'k12.ca.us'],
              ['US', 'k12.oh.us'],
              ['GB', 'kent.sch.uk'],
              ['AU', 'vic.edu.au'],
              ['TR', 'k12.tr'],
            ]
          : SCHOOL_COUNTRIES.map((each) => [each, month.countries[each].endings[0]]),
      );
      const spoken = language(random, month, country);
      const first = random.between(100, 4000);
      const manner = random.pick([
        (number) => `${random.pick(['pupil', 'student'])[0]}${first + number}`,
        (number) => `student${first + number}`,
        (number) =>
          `${7 + Math.floor(number / 50)}${'abcd'[Math.floor(number / 25) % 2]}${(number % 25) + 1}`,
      ]);
      const order = random.pick(['first.last', 'flast', 'f.last']);
      return {
        country,
        domain: month.domains.school(spoken, suffix),
        names: random.shuffle(namesAt(200, manner)),
        // Teachers, who try it before their classes do.
        earlier: () => inOrder(order, drawPerson(random, spoken), random),
      };
    },
  },
  {
    name: 'staff ids of a bank',
    size: 150,
    hours: 3,
    shape: 'employees whose addresses are their number: a letter and six digits, at a bank of years',
    source: 'staff-ids',
    ways: ['before'],
    place: { hour: 9, inside: 0.9, gateways: 2 },
    draw(random, month) {
      const country = random.pick(OFFICE_COUNTRIES);
      const { endings } = month.countries[country];
      const start = random.pick(['u', 'e', 'x', 'p', 'a']);
      const digits = random.pick([5, 6]);
      const domain = month.domains.put(
        `${month.domains.company(language(random, month, country), endings, 'own').split('.')[0]}-bank.${endings[0]}`,
        'own',
        month.from - 14 * 365 * DAY_MS,
      );
      const id = () => `${start}${random.text(digits, DIGITS)}`;
      return { country, domain, names: namesAt(150, id), earlier: id };
    },
  },
  {
    name: 'initials and digits of a firm',
    size: 120,
    hours: 3,
    shape: 'employees whose addresses are their initials and two or three digits',
    source: 'initials-and-digits',
    ways: ['before'],
    place: { hour: 9, inside: 0.8, gateways: 1 },
    draw(random, month) {
      const country = random.pick(OFFICE_COUNTRIES);
      const { endings } = month.countries[country];
      const spoken = language(random, month, country);
      const initials = () =>
        `${inOrder('initials', drawPerson(random, spoken), random)}${random.text(2, DIGITS)}`;
      const domain = month.domains.company(spoken, endings, random.pick(['microsoft', 'own']));
      return { country, domain, names: namesAt(120, initials), earlier: initials };
    },
  },
];

/** Twenty to sixty people: a few who try it on one day, the others on whatever day they hear of it. */
function before(random, month, { country, domain, campus, earlier }, { inside }, until) {
  const count = random.between(20, 60);
  const pilots = random.between(3, 8);
  const { utcHours } = month.countries[country];
  const first = month.from + random.below(2) * DAY_MS + (10 - utcHours) * HOUR_MS;
  const hours = (until - first) / HOUR_MS - 24;
  const others = month.times.scattered(first + DAY_MS, count - pilots, hours - 24);
  const moments = [...month.times.together(first, pilots, 3), ...others];
  const people = together(random, month, {
    country,
    names: namesAt(count, earlier),
    domain,
    at: first,
    hours: 1,
    inside,
    campus,
  });
  return people.map((each, number) => ({ ...each, at: moments[number], label: BEFORE }));
}

function generateAs(way, { hours, place, draw }, random, month) {
  const drawn = draw(random, month, way);
  const { utcHours } = month.countries[drawn.country];
  const at = month.times.morning(utcHours, place.hour, way === 'before' ? WEEKS_LATER : undefined);
  const { country, domain, names, campus } = drawn;
  const crowd = together(random, month, { ...place, country, domain, names, campus, at, hours });
  return way === 'before' ? [...before(random, month, drawn, place, at), ...crowd] : crowd;
}

const part = ({ name, size, hours, shape, source }) => ({ name, size, hours, shape, source });

export const CROWDS_WITH_IDS = [
  ...PLACES.map((place) => ({
    ...part(place),
    generate: (random, month) => generateAs(random.pick(place.ways), place, random, month),
  })),
  {
    name: BEFORE,
    size: null,
    hours: 30 * 24,
    shape:
      'people of the four before, each where its suffix does not say what it is: twenty to sixty at each domain, from its network and from homes, in the weeks before the day of the crowd',
    source: 'step-by-step',
    generate: () => [],
  },
  ...PLACES.map((place) => ({
    ...part(place),
    name: `${place.name} (nothing known)`,
    mayBeChallenged: true,
    generate: (random, month) => generateAs('nothing', place, random, month),
  })),
];

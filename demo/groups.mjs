// Groups that sign up together in the demo's month: three waves, each by one hand, and innocent crowds that look like one.
import { dayBefore } from './rhythm.mjs';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Signups of a month in which groups have their full size; a smaller month has smaller ones. */
const FULL_MONTH = 20_000;
const MIN_SCALE = 0.15;

/** @returns attempts of each group, in the form of `makeCrowd`, and when the groups begin about which people decide */
export function makeGroups({ to, count, names, company, people, addresses, random }) {
  const scale = Math.min(1, Math.max(MIN_SCALE, count / FULL_MONTH));
  const size = (full) => Math.round(full * scale);
  const starts = {
    kit: dayBefore(to, 20) + 13 * HOUR_MS,
    newsletter: dayBefore(to, 17) + 8 * HOUR_MS,
    freshmen: dayBefore(to, 14) + 9 * HOUR_MS,
    staff: dayBefore(to, 11) + 9 * HOUR_MS,
    summerSchool: dayBefore(to, 7) + 10 * HOUR_MS,
    bought: dayBefore(to, 4) + 6 * HOUR_MS,
    mask: dayBefore(to, 3) + 5 * HOUR_MS,
  };
  const put = (from, hours, total, make) =>
    Array.from({ length: total }, (_, index) => ({
      at: Math.floor(from + ((index + random.next()) / total) * hours * HOUR_MS),
      account: 'main',
      key: 'web',
      session: `s_${random.letters(16)}`,
      isOfGroup: true,
      ...make(index, total),
    }));
  const wave = (from, hours, total, local, domainOf) =>
    put(from, hours, total, (index) => ({
      email: `${local()}@${domainOf(index)}`,
      ip: addresses.home(),
      honest: false,
    }));
  const crowd = (from, hours, total, person) =>
    put(from, hours, total, (index) => ({ honest: true, ...person(index) }));
  const inside = (places, share) => () => (random.chance(share) ? random.pick(places) : addresses.home());
  const [office, campus] = [
    inside([addresses.home()], 0.7),
    inside([addresses.home(), addresses.home(), addresses.home()], 0.5),
  ];
  const word = (letters) =>
    Array.from({ length: letters }, () => 'abcdefghijklmnopqrstuvwxyz'[random.below(26)]).join('');

  let studentNumber = 2_514_300;
  return {
    starts,
    groups: {
      /** Ten letters and digits at one domain that takes mail for every name, 30 an hour. */
      kit: wave(
        starts.kit,
        4,
        size(120),
        () => random.letters(10),
        () => names.kit,
      ),
      /** Eight letters and four digits at a large provider, 60 a day. */
      mask: wave(
        starts.mask,
        (to - starts.mask) / HOUR_MS,
        size((60 * (to - starts.mask)) / DAY_MS),
        () => `${word(8)}${random.between(1_000, 9_999)}`,
        () => 'hotmail.com',
      ),
      /** Domains bought in a row, whose mail Cloudflare forwards: a few names of a kit at each, one domain after the other. */
      bought: wave(
        starts.bought,
        (to - starts.bought) / HOUR_MS,
        size(100),
        () => random.letters(random.between(9, 11)),
        (index) => names.bought[Math.floor(index / (size(100) / names.bought.length))],
      ),
      staff: crowd(starts.staff, 2, size(48), () => ({ ...people.colleague(company), ip: office() })),
      freshmen: crowd(starts.freshmen, 3, size(120), () => {
        studentNumber += random.between(1, 3);
        return { email: `s${studentNumber}@${names.university}`, ip: campus() };
      }),
      newsletter: crowd(starts.newsletter, 30, size(400), () => people.reader()),
      /** Learners at home with the addresses that their school made for them; a person says that they are no wave. */
      summerSchool: crowd(starts.summerSchool, 6, size(40), (index) => ({
        email: `student${index + 11}@${names.summerSchool}`,
        ip: addresses.home(),
      })),
    },
  };
}

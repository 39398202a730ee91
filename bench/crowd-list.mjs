// Crowds of innocent people that look like an attack, and attacks that look like a crowd: who signs up, from where and when.
// Nobody is real: names are made from syllables, domains are reserved or belong to providers.

const MINUTE_MS = 60_000;
const SYLLABLES = ['ba', 'de', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 've', 'za'];

/** Home addresses of customers of ordinary providers. */
const OFFICE = '79.192.1.10';
const CAMPUS = '79.192.1.11';
const FAIR = '79.192.1.12';
const EXIT = '79.192.1.13';
const CARRIER = '79.192.1.14';
const HOME = '79.192.1.15';
const STRANGER = '79.192.1.16';
const SERVER = '79.192.1.17';

/** The same for the same number, always. */
function nameOf(number) {
  let name = '';
  for (let rest = number + 144; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    name += SYLLABLES[rest % SYLLABLES.length];
  return name;
}

/** Eight letters as a program draws them, the same for the same number. */
function madeUp(number) {
  let [text, state] = ['', number + 1];
  while (text.length < 8) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += String.fromCharCode(97 + ((state >>> 16) % 26));
  }
  return text;
}

const FIRST =
  'anna ben carla david emma felix greta hugo ines jonas karin lukas maria noah olga paul rosa simon tessa victor yusuf zoe amir mei'.split(
    ' ',
  );
const LAST =
  'adams becker costa dubois evans fischer garcia hansen ivanov jensen kowalski lopez meyer novak olsen patel rossi schmidt torres weber yilmaz zhang kim'.split(
    ' ',
  );
/** A name as people have them, another for each number below 552. */
const personOf = (number) => `${FIRST[number % FIRST.length]}.${LAST[(number * 7) % LAST.length]}`;
const firstLast = (number) => `${nameOf(number)}.${nameOf(number * 7 + 5)}`;
/** Subnets of one site, as a home, a tunnel or a customer of a cloud gets them, and sites of a mobile carrier. */
const subnetOf = (number) => `2003:ea:1700:${(number + 16).toString(16)}::1`;
const phoneOf = (number) => `2003:eb:17${(number % 3) + 10}:${(number + 16).toString(16)}::1`;
const neighbourOf = (number) => `79.194.7.${number + 1}`;
const homeOf = (number) => `79.193.${number >> 8}.${number & 255 || 1}`;

/** `count` people, evenly over `minutes`. */
function together(count, minutes, personOf) {
  return Array.from({ length: count }, (_, number) => ({
    atMs: Math.round((number * minutes * MINUTE_MS) / count),
    isInnocent: true,
    ...personOf(number),
  }));
}

const attack = (signups) => signups.map((signup) => ({ ...signup, isInnocent: false }));
const after = (minutes, signups) =>
  signups.map((signup) => ({ ...signup, atMs: signup.atMs + minutes * MINUTE_MS }));
const FREE_MAIL = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'gmx.de'];
const freeMail = (number) => `${firstLast(number)}@${FREE_MAIL[number % FREE_MAIL.length]}`;

const TOR = { ip: { tor: true } };
const throughTor = (signups) => signups.map((signup) => ({ ...signup, facts: TOR }));

/** `facts`: what lists and feeds would add to the evidence of every signup, or of one. `isNewKey`: nobody used the key before. */
export const CROWDS = [
  {
    name: 'firm of 16 from its office',
    signups: together(16, 30, (n) => ({ email: `${personOf(n)}@firm-alpha.com`, ip: OFFICE })),
  },
  {
    name: 'firm of 80 from its office, two hours',
    signups: together(80, 120, (n) => ({ email: `${personOf(n)}@firm-alpha.com`, ip: OFFICE })),
  },
  {
    name: 'school of 200 from its network, an hour',
    signups: together(200, 60, (n) => ({ email: `${personOf(n)}@school-alpha.com`, ip: CAMPUS })),
  },
  {
    name: 'school of 200 from their homes, an hour',
    signups: together(200, 60, (n) => ({ email: `${personOf(n)}@school-alpha.com`, ip: homeOf(n) })),
  },
  {
    name: 'freshmen: 300 student numbers at a .edu, from the campus, three hours',
    signups: together(300, 180, (n) => ({ email: `${2_512_300 + 3 * n}@college-alpha.edu`, ip: CAMPUS })),
  },
  {
    name: 'firm of 80 from their homes, two hours, old domain',
    facts: { email: { age: { days: 4_000, status: 'known' } } },
    signups: together(80, 120, (n) => ({ email: `${firstLast(n)}@firm-alpha.com`, ip: homeOf(n) })),
  },
  {
    name: 'firm of 80 by their phones: IPv6 of one carrier, two hours',
    signups: together(80, 120, (n) => ({ email: `${firstLast(n)}@firm-alpha.com`, ip: phoneOf(n) })),
  },
  {
    name: 'firm of 80 from their homes in one IPv4 /24, two hours',
    signups: together(80, 120, (n) => ({ email: `${firstLast(n)}@firm-alpha.com`, ip: neighbourOf(n) })),
  },
  {
    name: 'class of 30 at a .edu, from the campus',
    signups: together(30, 20, (n) => ({ email: `${nameOf(n)}${n}@college-alpha.edu`, ip: CAMPUS })),
  },
  {
    name: 'lecture of 200 at a .edu, from the campus',
    signups: together(200, 60, (n) => ({ email: `${nameOf(n)}${n}@college-alpha.edu`, ip: CAMPUS })),
  },
  {
    name: 'hackathon: 60 with free mail at one address',
    signups: together(60, 60, (n) => ({ email: freeMail(n), ip: FAIR })),
  },
  {
    name: 'SCIM: 50 from one server',
    signups: together(50, 5, (n) => ({
      email: `${firstLast(n)}@firm-alpha.com`,
      ip: SERVER,
      broughtBy: 'directory',
    })),
  },
  {
    name: 'invitations: 50 from an office',
    signups: together(50, 60, (n) => ({
      email: `${firstLast(n)}@firm-alpha.com`,
      ip: OFFICE,
      broughtBy: 'member',
    })),
  },
  {
    name: 'relay exit: 100 in an hour, a third with relay addresses',
    facts: { ip: { relay: true } },
    signups: together(100, 60, (n) => ({
      email: n % 3 === 0 ? `${nameOf(n)}@privaterelay.appleid.com` : freeMail(n),
      ip: EXIT,
    })),
  },
  {
    name: 'carrier: 60 in an hour behind one address',
    facts: { ip: { sharedPlace: 'carrier' } },
    signups: together(60, 60, (n) => ({ email: freeMail(n), ip: CARRIER })),
  },
  {
    name: 'server-side signup: 200 from one cloud address, new key',
    isNewKey: true,
    facts: { ip: { datacenter: true } },
    signups: together(200, 60, (n) => ({ email: freeMail(n), ip: SERVER })),
  },
  {
    name: 'proxy not configured: 60 from one business line, new key',
    isNewKey: true,
    signups: together(60, 60, (n) => ({ email: freeMail(n), ip: SERVER })),
  },
  {
    name: 'GitHub no-reply: 100 in an hour from their homes',
    signups: together(100, 60, (n) => ({
      email: `${1_000 + n}+${nameOf(n)}@users.noreply.github.com`,
      ip: homeOf(n),
    })),
  },
  {
    name: 'one person, 20 attempts',
    signups: together(20, 30, () => ({ email: 'dora.kilo@firm-alpha.com', ip: HOME })),
  },
  {
    name: 'one person, 100 attempts with free mail',
    signups: together(100, 50, () => ({ email: 'dora.kilo@gmail.com', ip: HOME })),
  },
  {
    name: 'nine tagged spellings from one network, then the owner',
    signups: [
      ...attack(together(9, 5, (n) => ({ email: `dora.kilo+${n}@gmail.com`, ip: STRANGER }))),
      ...after(
        10,
        together(1, 1, () => ({ email: 'dora.kilo@gmail.com', ip: HOME })),
      ),
    ],
  },
  {
    name: 'forty made-up addresses from one network, then the staff',
    signups: [
      ...attack(together(40, 10, (n) => ({ email: `${madeUp(n)}@firm-alpha.com`, ip: STRANGER }))),
      ...after(
        15,
        together(15, 20, (n) => ({ email: `${firstLast(n)}@firm-alpha.com`, ip: OFFICE })),
      ),
    ],
  },
  ...[
    ['the /64s of one IPv6 /48', subnetOf],
    ['the addresses of one IPv4 /24', neighbourOf],
  ].map(([place, ipOf]) => ({
    name: `sixty made-up addresses from ${place}, then the staff`,
    signups: [
      ...attack(together(60, 10, (n) => ({ email: `${madeUp(n)}@firm-alpha.com`, ip: ipOf(n) }))),
      ...after(
        15,
        together(15, 20, (n) => ({ email: `${firstLast(n)}@firm-alpha.com`, ip: OFFICE })),
      ),
    ],
  })),
  {
    name: 'sixty made-up addresses through as many Tor exits, then the staff',
    signups: [
      ...throughTor(
        attack(together(60, 10, (n) => ({ email: `${madeUp(n)}@firm-alpha.com`, ip: homeOf(n) }))),
      ),
      ...after(
        15,
        together(15, 20, (n) => ({ email: `${firstLast(n)}@firm-alpha.com`, ip: OFFICE })),
      ),
    ],
  },
  {
    name: 'forty disposable addresses from an office, then 12 of its people with free mail',
    signups: [
      ...attack(
        together(40, 10, (n) => ({
          email: `${madeUp(n)}@throw-away-${n}.com`,
          ip: OFFICE,
          facts: { email: { disposable: true } },
        })),
      ),
      ...after(
        15,
        together(12, 20, (n) => ({ email: freeMail(n), ip: OFFICE })),
      ),
    ],
  },
  {
    name: 'farm: one domain through 100 Tor exits',
    facts: TOR,
    signups: attack(together(100, 60, (n) => ({ email: `${madeUp(n)}@farm-alpha.com`, ip: homeOf(n) }))),
  },
  {
    name: 'farm: one domain through 60 Tor exits, then from 40 homes',
    signups: attack([
      ...throughTor(together(60, 20, (n) => ({ email: `${madeUp(n)}@farm-alpha.com`, ip: homeOf(n) }))),
      ...after(
        20,
        together(40, 30, (n) => ({ email: `${firstLast(n)}@farm-alpha.com`, ip: homeOf(300 + n) })),
      ),
    ]),
  },
  {
    name: 'farm: 60 domains from one address',
    signups: attack(together(60, 60, (n) => ({ email: `${madeUp(n)}@shop-${n}.com`, ip: STRANGER }))),
  },
  {
    name: 'farm: 60 of one domain from one address',
    signups: attack(together(60, 60, (n) => ({ email: `${madeUp(n)}@farm-alpha.com`, ip: STRANGER }))),
  },
  {
    name: 'farm: 60 names as people have them, with free mail from one address',
    signups: attack(
      together(60, 60, (n) => ({
        email: `${personOf(n)}@${FREE_MAIL[n % FREE_MAIL.length]}`,
        ip: STRANGER,
      })),
    ),
  },
  {
    name: 'farm: 60 such names at one domain that is a week old, from one address',
    facts: { email: { age: { days: 7, status: 'known' } } },
    signups: attack(together(60, 60, (n) => ({ email: `${personOf(n)}@farm-alpha.com`, ip: STRANGER }))),
  },
  {
    name: 'farm: 60 with free mail from one home, new key',
    isNewKey: true,
    signups: attack(together(60, 60, (n) => ({ email: freeMail(n), ip: STRANGER }))),
  },
  {
    name: 'farm: one domain from 100 homes',
    signups: attack(together(100, 60, (n) => ({ email: `${madeUp(n)}@farm-alpha.com`, ip: homeOf(n) }))),
  },
  {
    name: 'farm: one domain from the /64s of one IPv6 /48',
    signups: attack(together(100, 60, (n) => ({ email: `${madeUp(n)}@farm-alpha.com`, ip: subnetOf(n) }))),
  },
  {
    name: 'farm: one domain from 100 addresses of one IPv4 /24',
    signups: attack(together(100, 60, (n) => ({ email: `${madeUp(n)}@farm-alpha.com`, ip: neighbourOf(n) }))),
  },
  {
    name: 'farm: one domain of three days from 100 homes',
    facts: { email: { age: { days: 3, status: 'known' } } },
    signups: attack(together(100, 60, (n) => ({ email: `${madeUp(n)}@farm-alpha.com`, ip: homeOf(n) }))),
  },
  {
    name: 'farm: 60 with free mail from one hosting address',
    facts: { ip: { datacenter: true } },
    signups: attack(together(60, 60, (n) => ({ email: freeMail(n), ip: STRANGER }))),
  },
  {
    name: 'farm: 60 tags of one mailbox',
    signups: attack(together(60, 60, (n) => ({ email: `dora.kilo+${n}@gmail.com`, ip: STRANGER }))),
  },
  {
    name: 'farm: dots of one mailbox from 60 homes',
    signups: attack(
      together(60, 60, (n) => ({ email: `${dotted('dorakilovesonatu', n)}@gmail.com`, ip: homeOf(n) })),
    ),
  },
];

/** A dot after each letter whose bit is set. */
function dotted(name, number) {
  const bits = (number + 3) * 2_654_435;
  return [...name]
    .map((letter, at) => ((bits >> at) & 1 && at < name.length - 1 ? `${letter}.` : letter))
    .join('');
}

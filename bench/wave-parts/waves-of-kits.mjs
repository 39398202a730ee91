// Waves of kits, farms and list bombers, as services described them: many names at providers or at bought domains.
import { drawGibberish } from './domains.mjs';
import { ALPHANUMERIC, buy, DIGITS, HOUR_MS, kit, LANGUAGES, LETTERS, proxy, signups } from './kits.mjs';
import { drawPerson, inOrder } from './local-parts.mjs';
import { ADJECTIVES, NOUNS } from './names.mjs';
import { drawBombed } from './victims.mjs';

/** `atProvider`: members share a large provider with honest people, so the wave is judged from its 30th signup on. */
export const WAVES_OF_KITS = [
  {
    name: 'random sub-domains',
    size: 560,
    hours: 168,
    shape:
      'random names at random sub-domains of five bought domains (wildcard MX), 90 addresses of servers for rent, a week',
    source: 'sub-domains',
    generate(random, month) {
      const at = month.times.start(168);
      const domains = buy(random, month, 5, at, { mail: 'own' });
      const servers = Array.from({ length: 90 }, month.networks.server);
      const local = kit(random, ['random', 'gibberish', 'mask']);
      const label = random.between(4, 8);
      return signups(month.times.machine(at, 560, 168, 3), () => ({
        email: `${local()}@${random.text(label, ALPHANUMERIC.slice(0, random.chance(0.5) ? 26 : 36))}.${random.pick(domains)}`,
        ip: random.pick(servers),
      }));
    },
  },
  {
    name: 'four bought domains',
    size: 180,
    hours: 336,
    shape:
      'pronounceable names that mean nothing at four bought domains, an address of a home for each, two weeks',
    source: 'bought-domains',
    generate(random, month) {
      const at = month.times.start(336, 4);
      const domains = buy(random, month, 4, at);
      return signups(month.times.machine(at, 180, 336, 5), () => ({
        email: `${drawGibberish(random, 6, 11)}@${random.pick(domains)}`,
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'kit at one catch-all domain',
    size: 260,
    hours: 9,
    shape: '`[a-z0-9]{10}` at one domain that takes mail for every name, 30 an hour',
    source: 'catch-all-kit',
    generate(random, month) {
      const at = month.times.start(9);
      const [domain] = buy(random, month, 1, at);
      const length = random.between(9, 11);
      return signups(month.times.machine(at, 260, 8.7), () => ({
        email: `${random.text(length, ALPHANUMERIC)}@${domain}`,
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'kit at five domains',
    size: 520,
    hours: 168,
    shape: 'the same at five domains, three an hour in all, a week: below every rate',
    source: 'catch-all-kit',
    generate(random, month) {
      const at = month.times.start(170);
      const domains = buy(random, month, 5, at);
      const length = random.between(9, 11);
      return signups(month.times.machine(at, 520, 170, 2), () => ({
        email: `${random.text(length, ALPHANUMERIC)}@${random.pick(domains)}`,
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'kit at outlook.com',
    size: 480,
    hours: 24,
    atProvider: true,
    shape: 'a first name and 12 to 16 random letters and digits at outlook.com, 20 an hour',
    source: 'fake-outlook',
    generate(random, month) {
      const at = month.times.start(24);
      return signups(month.times.machine(at, 480, 24), () => ({
        email: `${inOrder('first', drawPerson(random, random.pick(LANGUAGES)), random)}${random.text(random.between(12, 16), ALPHANUMERIC)}@outlook.com`,
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'one mask at hotmail.com',
    size: 240,
    hours: 96,
    atProvider: true,
    isMask: true,
    shape: '`[a-z]{8}[0-9]{4}` at hotmail.com, 60 a day',
    source: 'one-mask',
    generate(random, month) {
      const at = month.times.start(96);
      const [letters, digits] = random.pick([
        [8, 4],
        [8, 4],
        [9, 4],
        [8, 5],
        [10, 3],
      ]);
      return signups(month.times.machine(at, 240, 96, 3), () => ({
        email: `${random.text(letters, LETTERS)}${random.text(digits, DIGITS)}@hotmail.com`,
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'numbered names at gmail.com',
    size: 200,
    hours: 72,
    atProvider: true,
    shape:
      'one to three stems with numbers that grow (`jwilder0412`, `jwilder0413`, …) at gmail.com, three days',
    source: 'numbered-names',
    generate(random, month) {
      const at = month.times.start(72);
      const stems = Array.from({ length: random.between(1, 3) }, () => ({
        stem: inOrder(
          random.pick(['firstlast', 'flast']),
          drawPerson(random, random.pick(LANGUAGES)),
          random,
        ),
        next: random.between(1, 900),
      }));
      const width = random.pick([1, 3, 4]);
      return signups(month.times.machine(at, 200, 72, 3), () => {
        const used = random.pick(stems);
        used.next += random.between(1, 2);
        return {
          email: `${used.stem}${String(used.next).padStart(width, '0')}@gmail.com`,
          ip: proxy(random, month),
        };
      });
    },
  },
  {
    name: 'numbered names at an own domain',
    size: 120,
    hours: 72,
    shape: '`user1`, `user2`, … or a name and a number at one bought domain, three days',
    source: 'numbered-names',
    generate(random, month) {
      const at = month.times.start(72);
      const [domain] = buy(random, month, 1, at);
      const stem = random.pick([
        'user',
        'test',
        'acc',
        'mail',
        inOrder('first', drawPerson(random, 'en'), random),
      ]);
      let next = random.between(1, 300);
      return signups(month.times.machine(at, 120, 72, 3), () => {
        next += random.between(1, 2);
        return { email: `${stem}${next}@${domain}`, ip: proxy(random, month) };
      });
    },
  },
  {
    name: 'letters and digits at three domains',
    size: 210,
    hours: 240,
    shape: 'four to eight letters and three to six digits, one mask, at three own domains, ten days',
    source: 'letters-digits',
    generate(random, month) {
      const at = month.times.start(240);
      const domains = buy(random, month, 3, at);
      const [letters, digits] = [random.between(4, 8), random.between(3, 6)];
      return signups(month.times.machine(at, 210, 240, 5), () => ({
        email: `${random.text(letters, LETTERS)}${random.text(digits, DIGITS)}@${random.pick(domains)}`,
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'two random words',
    size: 200,
    hours: 48,
    atProvider: true,
    shape: 'an adjective and a noun at one free provider, two days',
    source: 'two-words',
    generate(random, month) {
      const at = month.times.start(48);
      const provider = random.pick([
        'gmx.com',
        'mail.com',
        'proton.me',
        'outlook.com',
        'tutanota.com',
        'yandex.com',
      ]);
      const digits = random.pick([0, 0, 2]);
      return signups(month.times.machine(at, 200, 48, 2), () => ({
        email: `${random.pick(ADJECTIVES)}${random.pick(NOUNS)}${random.text(digits, DIGITS)}@${provider}`,
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'list bombing',
    size: 150,
    hours: 30,
    isBombing: true,
    shape:
      'the form is used to mail strangers: SMS gateways, abuse@ and noc@, Gmail with dots everywhere, people of many companies',
    source: 'list-bombing',
    generate(random, month) {
      const at = month.times.start(30);
      const victims = drawBombed(random, month);
      return signups(month.times.machine(at, 150, 30, 2), () => ({
        email: victims(),
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'one inbox, many tags',
    size: 110,
    hours: 640,
    shape: 'one mailbox with another tag for each account, four weeks, an address of a home for each',
    source: 'tags-and-dots',
    generate(random, month) {
      const provider = random.pick(['gmail.com', 'gmail.com', 'outlook.com', 'proton.me']);
      const local = inOrder('firstlast', drawPerson(random, random.pick(LANGUAGES)), random);
      const words = random.shuffle(NOUNS);
      const start = random.between(0, 400);
      // No tag comes twice: that account exists.
      const tag = random.pick([
        () => random.text(6, ALPHANUMERIC),
        (number) => words[number],
        (number) => String(start + number),
        (number) => String(1_000 + ((7_919 * (start + number)) % 9_000)),
      ]);
      return signups(month.times.machine(month.from + HOUR_MS, 110, 640, 8), (number) => ({
        email: `${local}+${tag(number)}@${provider}`,
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'one inbox, many dots',
    size: 60,
    hours: 500,
    shape: 'one Gmail mailbox with its dots at other places each time, three weeks',
    source: 'tags-and-dots',
    generate(random, month) {
      let local = '';
      while (local.length < 10)
        local = inOrder('firstlast', drawPerson(random, random.pick(LANGUAGES)), random);
      const spelled = new Set();
      while (spelled.size < 60)
        spelled.add(
          [...local].map((letter, at) => (at > 0 && random.chance(0.35) ? `.${letter}` : letter)).join(''),
        );
      const all = [...spelled];
      return signups(month.times.machine(month.times.start(500, 1), 60, 500, 5), (number) => ({
        email: `${all[number]}@${random.chance(0.85) ? 'gmail.com' : 'googlemail.com'}`,
        ip: proxy(random, month),
      }));
    },
  },
];

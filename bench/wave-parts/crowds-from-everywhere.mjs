// Crowds of people who do not know each other: readers, customers, players, visitors of one place, users of one provider.
import { createDraw } from './everyday.mjs';
import {
  drawDigits,
  drawGamerTag,
  drawLocal,
  drawNickname,
  drawPerson,
  drawPhone,
  drawQqNumber,
  inOrder,
  nameOf,
} from './local-parts.mjs';

const HOUR_MS = 3_600_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const COUNTRIES = ['US', 'GB', 'DE', 'FR', 'IT', 'PL', 'BR', 'ES', 'SE', 'AU'];

/** Large crowds shrink with the month. */
const scaled = (count, { scale }) => Math.max(40, Math.round(count * scale));
const people = (random, month, count, country) => {
  const draw = createDraw(random, month);
  return Array.from({ length: count }, () => draw(country));
};
const language = (random, { countries }, country) =>
  random.weighted(Object.entries(countries[country].cultures));

export const CROWDS_FROM_EVERYWHERE = [
  {
    name: 'newsletter',
    size: 6000,
    hours: 48,
    shape: 'readers of a newsletter that names the service, from everywhere, most in the first hours',
    source: 'launch-traffic',
    generate: (random, month) => rush(random, month, scaled(6000, month), 48),
  },
  {
    name: 'product launch',
    size: 3000,
    hours: 10,
    shape: 'people of one day on a page of news for developers: nicknames and own domains are frequent',
    source: 'launch-traffic',
    generate(random, month) {
      const signups = rush(random, month, scaled(3000, month), 10);
      return signups.map((signup) =>
        random.chance(0.2)
          ? {
              ...signup,
              email: `${drawNickname(random, drawPerson(random, 'en'))}@${random.pick(['gmail.com', 'proton.me', 'hey.com', 'fastmail.com', 'outlook.com'])}`,
            }
          : signup,
      );
    },
  },
  {
    name: 'phone numbers as names',
    size: 400,
    hours: 72,
    shape: 'people whose mailbox is their phone number, at providers of China and India',
    source: 'numbers-in-china',
    generate(random, month) {
      const at = month.times.start(72);
      return month.times.scattered(at, 400, 72).map((when) => {
        const country = random.pick(['CN', 'CN', 'CN', 'IN']);
        const domain =
          country === 'CN' ? random.pick(['163.com', '139.com', '126.com', 'qq.com']) : 'gmail.com';
        return {
          email: `${drawPhone(random, country)}@${domain}`,
          ip: month.networks.anywhere(country),
          at: when,
        };
      });
    },
  },
  {
    name: 'numbers at qq.com',
    size: 1500,
    hours: 96,
    shape: 'people at qq.com, whose mailboxes are numbers, after an article about the service in Chinese',
    source: 'numbers-in-china',
    generate(random, month) {
      const at = month.times.start(96);
      return month.times.scattered(at, scaled(1500, month), 96).map((when) => ({
        email: `${drawQqNumber(random)}@qq.com`,
        ip: month.networks.anywhere('CN'),
        at: when,
      }));
    },
  },
  {
    name: 'pinyin at 163.com',
    size: 600,
    hours: 72,
    shape:
      'people at 163.com: names in pinyin, in full or by their first letters, with years and lucky numbers',
    source: 'pinyin-in-china',
    generate(random, month) {
      const at = month.times.start(72);
      return month.times.scattered(at, scaled(600, month), 72).map((when) => {
        const person = drawPerson(random, 'zh');
        const digits = random.chance(0.7) ? drawDigits(random, person) : '';
        const name = nameOf(person, random);
        return {
          email: `${name}${name.length < 6 ? digits || drawDigits(random, person) : digits}@163.com`,
          ip: month.networks.anywhere('CN'),
          at: when,
        };
      });
    },
  },
  {
    name: 'nicknames with digits at hotmail.com',
    size: 400,
    hours: 48,
    shape: 'people with a nickname and a number at one large provider, from a page of one country',
    source: 'nicknames',
    generate(random, month) {
      const country = random.pick(['MX', 'ES', 'TR', 'BR', 'GB']);
      const spoken = language(random, month, country);
      const at = month.times.start(48);
      return month.times.scattered(at, 400, 48).map((when) => {
        const person = drawPerson(random, spoken);
        const name = random.chance(0.5) ? drawNickname(random, person) : nameOf(person, random);
        return {
          email: `${name.replace(/\d+$/, '')}${drawDigits(random, person)}@hotmail.com`,
          ip: month.networks.anywhere(country),
          at: when,
        };
      });
    },
  },
  {
    name: 'honest tags',
    size: 120,
    hours: 720,
    shape: 'people who use a tag for each thing they try: two to five signups a person in a month',
    source: 'honest-tags',
    generate(random, month) {
      const draw = createDraw(random, month);
      const signups = [];
      while (signups.length < 120) {
        const somebody = draw();
        const [local, domain] = somebody
          .mailbox(random.pick(['gmail.com', 'gmail.com', 'outlook.com', 'fastmail.com']))
          .split('@');
        const words = random.some(
          ['test', 'demo', 'work', 'trial', 'app', 'client', 'beta', 'team', 'staging'],
          random.between(2, 5),
        );
        for (const word of words)
          signups.push({
            email: `${local}+${word}@${domain}`,
            ip: somebody.ip,
            at: month.times.scattered(month.from, 1, month.days * 24)[0],
          });
      }
      return signups.slice(0, 120);
    },
  },
  {
    name: 'conference Wi-Fi',
    size: 250,
    hours: 14,
    shape:
      'visitors of a conference in its Wi-Fi: one range of 256 addresses, everybody with a mailbox of their own',
    source: 'shared-networks',
    generate(random, month) {
      const country = random.pick(COUNTRIES);
      const device = month.networks.block24(country);
      const draw = createDraw(random, month);
      const at = month.times.morning(month.countries[country].utcHours, 9);
      return month.times.scattered(at, 250, 10).map((when) => {
        const somebody = draw(random.chance(0.6) ? country : undefined);
        const email = random.chance(0.35)
          ? `${inOrder('first.last', somebody.person, random)}@${month.domains.company(somebody.person.language, somebody.endings)}`
          : somebody.mailbox();
        return { email, ip: device(), at: when };
      });
    },
  },
  {
    name: 'campaign of a mobile carrier',
    size: 1200,
    hours: 24,
    shape: "customers of one carrier after its message: all from the carrier's shared addresses",
    source: 'cgnat',
    generate(random, month) {
      const country = random.pick(['TR', 'RU', 'IN', 'BR', 'MX', 'FR', 'PL', 'US']);
      const addresses = month.networks.carrier(country, 160);
      const at = month.times.morning(month.countries[country].utcHours, 17);
      const count = scaled(1200, month);
      const moments = month.times.together(at, count, 24);
      return people(random, month, count, country).map((somebody, number) => ({
        email: somebody.mailbox(),
        ip: random.pick(addresses),
        at: moments[number],
      }));
    },
  },
  {
    name: 'game launch',
    size: 1500,
    hours: 12,
    shape: 'players on the evening of a launch: gamer names with digits, at a few large providers',
    source: 'game-launches',
    generate(random, month) {
      const count = scaled(1500, month);
      const moments = month.times.together(month.times.morning(-5, 17), count, 12);
      return people(random, month, count).map((somebody, number) => {
        const domain = random.weighted([
          ['gmail.com', 64],
          ['hotmail.com', 10],
          ['outlook.com', 10],
          ['yahoo.com', 6],
          ['icloud.com', 6],
          ['proton.me', 4],
        ]);
        const local = random.chance(0.6)
          ? drawGamerTag(random, somebody.person)
          : drawLocal(random, somebody.person, { domain });
        return { email: `${local}@${domain}`, ip: somebody.ip, at: moments[number] };
      });
    },
  },
  {
    name: 'small firms on one mail router',
    size: 150,
    hours: 700,
    shape:
      'bakers, clubs and families with a domain of their own whose mail Cloudflare forwards: one to four people each, some with a new domain',
    source: 'cloudflare-routing',
    generate(random, month) {
      const draw = createDraw(random, month);
      const signups = [];
      const taken = new Set();
      while (signups.length < 150) {
        const somebody = draw();
        const domain = month.domains.company(somebody.person.language, somebody.endings, 'cloudflare');
        if (random.chance(0.15))
          month.domains.put(domain, 'cloudflare', somebody.at - random.between(2, 25) * 24 * HOUR_MS);
        for (let number = random.pick([1, 1, 1, 2, 2, 3, 4]); number > 0; number -= 1) {
          const member = {
            ...drawPerson(random, somebody.person.language),
            last: random.chance(0.5)
              ? somebody.person.last
              : drawPerson(random, somebody.person.language).last,
          };
          const local = random.chance(0.25)
            ? random.pick(['info', 'hello', 'mail', 'office'])
            : inOrder(random.pick(['first', 'first.last', 'flast']), member, random);
          const email = `${local}@${domain}`;
          if (taken.has(email)) continue;
          taken.add(email);
          signups.push({
            email,
            ip: somebody.ip,
            at: month.times.inMonth(somebody.at + random.next() ** 2 * 90 * HOUR_MS),
          });
        }
      }
      return signups.slice(0, 150);
    },
  },
  {
    name: 'people whose addresses a stranger used',
    size: 20,
    hours: 600,
    shape:
      'somebody sends nine spellings of their address first, from one IP (the wave “nine spellings”); the same day they sign up themselves',
    source: 'list-bombing',
    stream: 'framed',
    generate: (random, month) => framed(random, month).map(({ victim }) => victim),
  },
];

/** Many people from everywhere, in a rush. */
function rush(random, month, count, hours) {
  const at = month.times.morning(1, 9, 7, 24);
  const moments = month.times.together(at, count, hours);
  return people(random, month, count).map((somebody, number) => {
    const email = random.chance(0.16)
      ? `${inOrder(random.pick(['first.last', 'first', 'flast']), somebody.person, random)}@${month.domains.company(somebody.person.language, somebody.endings)}`
      : somebody.mailbox();
    return { email, ip: somebody.ip, at: moments[number] };
  });
}

/** Twenty people, each with the nine signups of the stranger. */
export function framed(random, month) {
  const draw = createDraw(random, month);
  return Array.from({ length: 20 }, () => {
    const somebody = draw();
    const local = inOrder('firstlast', somebody.person, random);
    const ip = month.networks.anywhere(random.pick(['US', 'VN', 'RU', 'BR']));
    const at = month.times.start(24, 3);
    const spellings = month.times.machine(at, 9, 0.5).map((when) => ({
      email: `${local}+${random.text(random.between(3, 6), LETTERS)}@gmail.com`,
      ip,
      at: when,
    }));
    return {
      spellings,
      victim: {
        email: `${local}@gmail.com`,
        ip: somebody.ip,
        at: month.times.inMonth(at + random.between(1, 14) * HOUR_MS),
      },
    };
  });
}

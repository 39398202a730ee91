// Waves that one person makes alone: with one domain, one range of addresses, one address, domains bought in a row.
import { framed } from './crowds-from-everywhere.mjs';
import { MANNERS } from './domains.mjs';
import { ALPHANUMERIC, buy, farmed, HOUR_MS, kit, PROXIES, proxy, signups } from './kits.mjs';
import { NOUNS } from './names.mjs';

export const WAVES_OF_ONE = [
  {
    name: 'a sub-domain each of one domain',
    size: 300,
    hours: 1 / 60,
    shape: 'one own domain with a wildcard MX, a sub-domain for each account, 300 in a minute',
    source: 'sub-domains',
    generate(random, month) {
      const at = month.times.start(1);
      const [domain] = buy(random, month, 1, at, { mail: 'own' });
      const local = kit(random);
      const label = random.pick([
        () => random.text(6, ALPHANUMERIC),
        () => random.pick(NOUNS),
        (number) => `m${number + 1}`,
      ]);
      return signups(month.times.machine(at, 300, 1 / 60), (number) => ({
        email: `${local()}@${label(number)}.${domain}`,
        ip: proxy(random, month),
      }));
    },
  },
  ...[48, 56].map((bits) => ({
    name: `one IPv6 /${bits}`,
    size: 60,
    hours: 6,
    shape: `names of a kit at large providers, another /64 of one customer's /${bits} each time, six hours`,
    source: 'ipv6-rotation',
    generate(random, month) {
      const at = month.times.start(6);
      const address = month.networks.block6(random.pick(['DE', 'US', 'FR', 'GB', 'BR']), bits);
      const local = random.pick([kit, farmed])(random);
      const providers = random.some(
        ['gmail.com', 'outlook.com', 'hotmail.com', 'yahoo.com', 'gmx.com'],
        random.between(1, 3),
      );
      return signups(month.times.machine(at, 60, 6), () => ({
        email: `${local()}@${random.pick(providers)}`,
        ip: address(),
      }));
    },
  })),
  {
    name: 'one IPv4 /24',
    size: 60,
    hours: 6,
    shape: 'names of a kit at large providers, the addresses of one range of 256 in turn, six hours',
    source: 'ipv4-rotation',
    generate(random, month) {
      const at = month.times.start(6);
      const address = random.chance(0.5)
        ? month.networks.block24(random.pick(['US', 'RU', 'NL', 'UA']))
        : sameBlock(random, month.networks.server());
      const local = random.pick([kit, farmed])(random);
      const providers = random.some(
        ['gmail.com', 'outlook.com', 'hotmail.com', 'yahoo.com', 'gmx.com'],
        random.between(1, 3),
      );
      return signups(month.times.machine(at, 60, 6), () => ({
        email: `${local()}@${random.pick(providers)}`,
        ip: address(),
      }));
    },
  },
  {
    name: 'four an hour from one address',
    size: 96,
    hours: 24,
    shape:
      'one address of a home, a signup every fifteen minutes for a day and a night, names and digits at several providers',
    source: 'slow-and-steady',
    generate(random, month) {
      const at = month.times.start(24);
      const ip = month.networks.home(random.pick(PROXIES));
      const local = random.pick([kit, farmed])(random);
      return signups(month.times.machine(at, 96, 24, 0.2), () => ({
        email: `${local()}@${random.pick(['gmail.com', 'outlook.com', 'yahoo.com'])}`,
        ip,
      }));
    },
  },
  {
    name: 'five an hour of one domain',
    size: 120,
    hours: 24,
    shape:
      'one own domain, a signup every twelve minutes for a day and a night, an address of a home for each',
    source: 'slow-and-steady',
    generate(random, month) {
      const at = month.times.start(24);
      const [domain] = buy(random, month, 1, at);
      const local = kit(random);
      return signups(month.times.machine(at, 120, 24, 0.2), () => ({
        email: `${local()}@${domain}`,
        ip: proxy(random, month),
      }));
    },
  },
  {
    name: 'bought in a row behind Cloudflare',
    size: 240,
    hours: 288,
    shape:
      'two domains a day, named in one manner, mail forwarded by Cloudflare for every name, ten names of a kit each',
    source: 'cloudflare-routing',
    generate(random, month) {
      const start = month.times.start(300);
      const manner = random.pick(MANNERS);
      const local = random.pick([kit, farmed])(random);
      return Array.from({ length: 24 }, (_, number) => {
        const at = start + number * 12 * HOUR_MS;
        const [domain] = buy(random, month, 1, at, { mail: 'cloudflare', manner });
        return signups(month.times.machine(at, 10, 20, 2), () => ({
          email: `${local()}@${domain}`,
          ip: proxy(random, month),
        }));
      }).flat();
    },
  },
  {
    name: 'nine spellings',
    size: 180,
    hours: 600,
    isDecoy: true,
    shape:
      'nine tagged spellings of a stranger from one IP within half an hour, to have that person turned away; twenty strangers',
    source: 'list-bombing',
    stream: 'framed',
    generate: (random, month) => framed(random, month).flatMap(({ spellings }) => spellings),
  },
];

function sameBlock(random, address) {
  const start = address.replace(/\d+$/, '');
  return () => `${start}${random.between(2, 253)}`;
}

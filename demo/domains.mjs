// The mail domains of the demo: their mail hosts and their registration dates.

const DAY_MS = 86_400_000;
const BIG = {
  'gmail.com': ['gmail-smtp-in.l.google.com', 'alt1.gmail-smtp-in.l.google.com'],
  'privaterelay.appleid.com': ['mx01.mail.icloud.com'],
  'icloud.com': ['mx01.mail.icloud.com', 'mx02.mail.icloud.com'],
};
const FLEET = ['mx1.inboxfleet.net', 'mx2.inboxfleet.net'];
/** Forwards mail of honest small firms, too. */
const ROUTER = ['route1.mx.cloudflare.net', 'route2.mx.cloudflare.net'];
/** Listed domains with the same mail host as the campaign's domains. */
const FLEET_LISTED = 5;

/** @returns domains in the form for `startWorld`, and the companies, each with its maximum number of people. */
export function makeDomains({ names, random, from, to }) {
  const domains = new Map();
  const old = () => from - random.between(400, 7_000) * DAY_MS;
  const add = (name, mx, registeredAt = old()) => domains.set(name, { mx, registeredAt });
  for (const [name] of names.consumer) add(name, BIG[name] ?? [`mx.${name}`]);
  for (const name of names.relay) add(name, BIG[name] ?? [`mx.${name}`]);
  names.disposable.forEach((name, index) => {
    const fleet = index >= names.disposable.length - FLEET_LISTED;
    add(name, fleet ? FLEET : [`mail.${name}`]);
  });
  for (const name of names.wave) add(name, FLEET, from + random.between(12, 16) * DAY_MS);
  add(names.kit, [`mail.${names.kit}`], from + random.between(4, 8) * DAY_MS);
  names.bought.forEach((name, index) => {
    add(name, ROUTER, from + (22 + index / 3) * DAY_MS);
  });
  add(names.university, [`mx.${names.university}`]);
  add(names.summerSchool, ['aspmx.l.google.com'], from - 40 * DAY_MS);
  const companies = [];
  while (companies.length < 700) {
    const name = `${random.pick(names.trade)}${random.pick(names.business)}.${random.weighted(names.ends)}`;
    const twin = `${random.pick(names.trade)}-${random.pick(names.business)}.${random.weighted(names.ends)}`;
    const chosen = domains.has(name) ? twin : name;
    if (domains.has(chosen)) continue;
    add(chosen, serversOf(chosen, random), random.chance(0.04) ? young(random, from, to) : old());
    companies.push(chosen);
  }
  for (const [place, mx] of [
    [11, []],
    [23, ['.']],
    [37, []],
    [51, ['.']],
  ])
    domains.get(companies[place]).mx = mx;
  for (const place of [61, 67]) domains.get(companies[place]).silent = true;
  return { domains, companies };
}

/** Most companies use a mail provider. */
function serversOf(name, random) {
  const rented = random.weighted([
    ['google', 48],
    ['outlook', 38],
    ['own', 14],
  ]);
  if (rented === 'google') return ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'];
  return rented === 'outlook'
    ? [`${name.replaceAll('.', '-')}.mail.protection.outlook.com`]
    : [`mail.${name}`];
}

function young(random, from, to) {
  return from + random.next() * (to - from);
}

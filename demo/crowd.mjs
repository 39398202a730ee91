// People who sign up in the demo's month: ordinary ones of many kinds, attacks, and crowds of innocent people that look like one.
import { createAddresses } from './addresses.mjs';
import { makeGroups } from './groups.mjs';
import { createPeople } from './people.mjs';
import { dayBefore, moments } from './rhythm.mjs';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const SECOND_TRY = 0.035;

/**
 * Attempts in order of time: `{ at, account, key, email, ip, session, honest, isOfGroup }`; `honest` decides the feedback.
 * Days are counted from the end, so that the last day is today.
 */
export function makeCrowd({ from, to, count, names, companies, random }) {
  const addresses = createAddresses(random);
  const people = createPeople({ names, companies, addresses, random });
  const shares = { wave: 0.045, farm: 0.021, second: 0.06, test: 0.03 };
  const company = companies[15];
  const { groups, starts } = makeGroups({ to, count, names, company, people, addresses, random });
  const parts = {
    ...groups,
    wave: wave({
      start: dayBefore(to, 9) + 2 * HOUR_MS,
      count: Math.round(count * shares.wave),
      names,
      addresses,
      random,
    }),
    farm: farm({
      start: dayBefore(to, 5),
      count: Math.round(count * shares.farm),
      names,
      addresses,
      random,
      to,
    }),
    office: office({
      start: dayBefore(to, 12) + 9.5 * HOUR_MS,
      company: companies[5],
      people,
      addresses,
      random,
    }),
    booth: office({
      start: dayBefore(to, 3) + 13 * HOUR_MS,
      company: companies[9],
      people,
      addresses,
      random,
    }),
    test: tests({ from, to, count: Math.round(count * shares.test), names, addresses, random }),
  };
  const second = crowdOf('second', Math.round(count * shares.second));
  const special = Object.values(parts).reduce((sum, part) => sum + part.length, 0);
  const main = crowdOf('main', count - special - second.length);
  const attempts = [...main, ...second, ...Object.values(parts).flat()].filter(
    ({ at }) => at >= from && at < to,
  );
  attempts.sort((a, b) => a.at - b.at);
  return {
    attempts,
    addresses,
    starts: { ...starts, wave: dayBefore(to, 9) + 2 * HOUR_MS, office: dayBefore(to, 12) + 9.5 * HOUR_MS },
  };

  function crowdOf(account, number) {
    const found = [];
    const put = (at) => found.push({ account, ...people.someone(), at, key: keyOf(account, at) });
    const firstTries = Math.floor(number / (1 + SECOND_TRY));
    for (const at of moments({ from, to, count: firstTries, random })) {
      put(at);
      // People who are stopped, or who mistype, try again in the same session.
      if (found.length >= number || !random.chance(SECOND_TRY)) continue;
      const firstTry = found.at(-1);
      found.push({
        ...firstTry,
        ...people.again(firstTry),
        at: Math.min(to - 1, at + random.between(20, 200) * 1_000),
      });
    }
    for (const at of moments({ from, to, count: Math.max(0, number - found.length), random })) put(at);
    return found.slice(0, number);
  }

  function keyOf(account, at) {
    if (account === 'second') return 'second';
    return random.weighted([
      ['web', 66],
      ['mobile', 22],
      ['partner', 9],
      ['legacy', at < dayBefore(to, 18) ? 8 : 0],
    ]);
  }
}

/** A burst with disposable domains from a hosting network, within a night. */
function wave({ start, count, names, addresses, random }) {
  return Array.from({ length: count }, (_, index) => {
    const progress = index / count;
    const domain = random.chance(0.72) ? random.pick(names.wave) : random.pick(names.disposable);
    return {
      at: Math.floor(start + progress ** 0.85 * 4.2 * HOUR_MS + random.next() * 20_000),
      account: 'main',
      key: 'web',
      email: `${random.letters(random.between(8, 12))}@${domain}`,
      ip: addresses.campaign(),
      session: `s_${random.letters(16)}`,
      honest: false,
      isOfGroup: true,
    };
  });
}

/** Four mailboxes in hundreds of spellings, each from another compromised home computer. */
function farm({ start, count, names, addresses, random, to }) {
  const end = Math.min(to, start + 3 * DAY_MS);
  return Array.from({ length: count }, (_, index) => {
    const mailbox = random.pick(names.farm);
    return {
      at: Math.floor(start + ((index + random.next()) / count) * (end - start)),
      account: 'main',
      key: random.chance(0.8) ? 'mobile' : 'web',
      email: `${spelling(mailbox, random)}@gmail.com`,
      ip: random.chance(0.45) ? addresses.proxy() : addresses.home(),
      session: `s_${random.letters(16)}`,
      honest: false,
      isOfGroup: true,
    };
  });
}

function spelling(mailbox, random) {
  const bare = mailbox.replaceAll('.', '');
  const dotted = [...bare]
    .map((letter, at) => (at > 0 && random.chance(0.3) ? `.${letter}` : letter))
    .join('');
  return random.chance(0.5) ? `${dotted}+${random.letters(5)}` : dotted;
}

/** Honest colleagues who all sign up within an hour, from the same IP. */
function office({ start, company, people, addresses, random }) {
  const ip = addresses.home();
  return Array.from({ length: 18 }, (_, index) => ({
    ...people.colleague(company),
    at: Math.floor(start + index * 2.6 * MINUTE_MS + random.next() * MINUTE_MS),
    account: 'main',
    key: 'web',
    ip,
  }));
}

/** Signups that developers and nightly builds send with sandbox keys. */
function tests({ from, to, count, names, addresses, random }) {
  return moments({ from, to, count, random }).map((at) => ({
    at,
    account: 'main',
    key: random.chance(0.6) ? 'ci' : 'development',
    email: random.chance(0.5)
      ? `dev${random.below(40)}@${random.pick(names.disposable.slice(0, 4))}`
      : `dev${random.below(40)}@gmail.com`,
    ip: addresses.home(),
    session: null,
    honest: true,
  }));
}

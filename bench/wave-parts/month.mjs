// A month of signups at one service: everyday people, innocent crowds and waves, in order of time, each with a label that nobody is shown.
import { readFileSync } from 'node:fs';
import { CROWDS } from './all-crowds.mjs';
import { WAVES } from './all-waves.mjs';
import { createDomains } from './domains.mjs';
import { everyday } from './everyday.mjs';
import { createNetworks } from './networks.mjs';
import { createRandom } from './random.mjs';
import { createTimes } from './times.mjs';

export const COUNTRIES = JSON.parse(readFileSync(new URL('countries.json', import.meta.url), 'utf8'));
/** A Monday; schools and universities begin. */
export const FROM = Date.UTC(2025, 8, 1);
export const DAYS = 30;
export const USUAL_SIZE = 70_000;

/**
 * The same seed and size give the same rows. `size`: signups of everyday people; large crowds shrink with it, waves do not.
 * Returns `rows` of `{ email, ip, at, kind, name }`, and `zone`: what DNS and registries say of each domain that was made.
 */
export function generateMonth({ seed = 1, size = USUAL_SIZE } = {}) {
  const rows = [];
  const zone = new Map();
  const add = (kind, name, signups) => {
    for (const { email, ip, at, label = name } of signups) rows.push({ email, ip, at, kind, name: label });
  };
  const open = (part) => {
    const random = createRandom(seed, part);
    const domains = createDomains(random, FROM);
    const month = {
      from: FROM,
      days: DAYS,
      countries: COUNTRIES,
      scale: Math.min(1, size / USUAL_SIZE),
      domains,
      networks: createNetworks(random, COUNTRIES),
      times: createTimes(random, FROM, DAYS),
    };
    return { random, month };
  };
  const close = ({ month }) => {
    for (const [name, facts] of month.domains.zone) zone.set(name, facts);
  };
  const ordinary = open('everyday');
  add('everyday', 'everyday', everyday(ordinary.random, ordinary.month, size));
  close(ordinary);
  for (const [kind, list] of [
    ['crowd', CROWDS],
    ['wave', WAVES],
  ])
    for (const each of list) {
      const part = open(each.stream ?? `${kind}/${each.name}`);
      add(kind, each.name, each.generate(part.random, part.month));
      close(part);
    }
  rows.sort((a, b) => a.at - b.at || (a.email < b.email ? -1 : 1));
  return { rows, zone };
}

/** `email,ip,time,label`, a line each. */
export function toCsv(rows) {
  const lines = rows.map(
    ({ email, ip, at, kind, name }) => `${email},${ip},${new Date(at).toISOString()},${kind}/${name}`,
  );
  return `email,ip,time,label\n${lines.join('\n')}\n`;
}

// Sends three waves and three crowds, among everyday people, to a running service that asks a resolver and a registry on loopback; its wall clock shows the time of each signup.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getDomain } from 'tldts';
import { startWorld } from '../../demo/world.mjs';
import { assess } from '../attack-parts/sockets.mjs';
import { forgetSettings, startTarget } from '../attack-parts/target.mjs';
import { makeDirectory } from '../clean-up.mjs';
import { createFakeClock } from '../fake-clock.mjs';

export const LIVE_WAVES = [
  'kit at one catch-all domain',
  'four bought domains',
  'bought in a row behind Cloudflare',
];
export const LIVE_CROWDS = ['company staff', 'conference Wi-Fi', 'small firms on one mail router'];
/** Everyday people before and between them. */
const EVERYDAY = 800;
/** Gatehouse learns from a signup after its answer; people do not come within a millisecond either. */
const PAUSE_MS = 10;
const DAY_MS = 86_400_000;
/** Of what is not made up: providers, and universities' registrable names. */
const OLD_MS = 15 * 365 * DAY_MS;

/** The rows of a month that are sent, in order of time. */
export function chooseLive(rows) {
  const people = rows.filter(({ kind, name }) => kind === 'everyday' && name !== 'disposable');
  const step = Math.max(1, Math.floor(people.length / EVERYDAY));
  const chosen = new Set(people.filter((_, at) => at % step === 0));
  const wanted = { wave: LIVE_WAVES, crowd: LIVE_CROWDS, everyday: [] };
  return rows.filter((row) => chosen.has(row) || wanted[row.kind].includes(row.name));
}

/** The decision about each row, in the order of the rows. */
export async function sendLive(rows, zone, onProgress = () => {}) {
  forgetSettings();
  const clock = createFakeClock(join(makeDirectory('live-clock'), 'offset'));
  const now = { at: rows[0].at - DAY_MS };
  const turn = (at) => {
    now.at = at;
    clock.set(`${((at - Date.now()) / 1_000).toFixed(3)}`);
  };
  turn(now.at);
  const world = await startWorld(worldOf(rows, zone, now), [
    ...new Set(rows.map(({ email }) => email.split('.').at(-1))),
  ]);
  const target = await startTarget({
    plan: 'business',
    env: {
      ...clock.env,
      GATEHOUSE_DNS_SERVERS: world.dnsServer,
      GATEHOUSE_RDAP_BOOTSTRAP_URL: world.rdapBootstrapUrl,
    },
  });
  const decisions = [];
  try {
    for (const { email, ip, at } of rows) {
      turn(at);
      const { status, text } = await assess(target, { email, ip });
      if (status !== 200) throw new Error(`the service answered ${status} to ${email}: ${text}`);
      const { verdict, score, reasons } = JSON.parse(text);
      decisions.push({ verdict, score, detectors: reasons.map(({ code }) => code).join(' ') });
      onProgress(decisions.length);
      await sleep(PAUSE_MS);
    }
  } finally {
    await target.stop();
    await world.close();
  }
  return decisions;
}

/**
 * Answers of DNS and of the registry for every domain. The service takes ages from a clock that follows no jump for an hour, so it
 * keeps the first day of the month: the registry names the date that gives a domain the age which it has at the signup.
 */
function worldOf(rows, zone, now) {
  const start = now.at;
  const world = new Map();
  for (const { email } of rows) {
    const name = email.slice(email.lastIndexOf('@') + 1);
    const registrable = getDomain(name, { allowPrivateDomains: false }) ?? name;
    const { mx, registeredAt } = zone.get(name) ??
      zone.get(registrable) ?? { mx: [`mx.${name}`], registeredAt: start - OLD_MS };
    for (const each of [name, registrable])
      if (!world.has(each))
        world.set(each, {
          mx,
          get registeredAt() {
            return start - Math.max(0, now.at - registeredAt);
          },
        });
  }
  return world;
}

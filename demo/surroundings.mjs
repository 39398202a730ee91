// The surroundings of the demo's service: a resolver that knows the month's domains, and settings that ask nobody else, so that it is the same with and without a network.
import { readFileSync } from 'node:fs';
import { makeDomains } from './domains.mjs';
import { createSeeded } from './seeded.mjs';
import { startWorld } from './world.mjs';

const MONTH_MS = 30 * 86_400_000;

/** @param seed of the month */
export async function startSurroundings(seed) {
  const world = await startWorld(madeUpDomains(seed));
  return {
    settings: {
      GATEHOUSE_DNS_SERVERS: world.dnsServer,
      GATEHOUSE_CANARY_DOMAINS: 'off',
      GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
    },
    close: () => world.close(),
  };
}

/** The domains of the month, so that a test on the page gets the same evidence. */
function madeUpDomains(seed) {
  const to = Date.now();
  return makeDomains({ names: readNames(), random: createSeeded(seed), from: to - MONTH_MS, to }).domains;
}

export function readNames() {
  return JSON.parse(readFileSync(new URL('names.json', import.meta.url), 'utf8'));
}

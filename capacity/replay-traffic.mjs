// Simulated attempts as requests: the same people as in the simulation, with their own addresses and IPs.
import { createPeople } from './people.mjs';
import { createPicker, createRandom } from './random.mjs';

/** Of 16 attempts of an account, one belongs to a flood and one to a wave; the others are from ordinary people. */
const KINDS = [...Array(14).fill('ordinary'), 'floods', 'waves'];
const FIRST_IP = 16 * 2 ** 24;
const IPS = 2 ** 30;

/** @returns attempts in order, each with its `account`, its time `at` (ms) and the `request` */
export function makeTraffic({ accounts, secrets, assumptions, perSecond, seconds }) {
  const random = createRandom(assumptions.seed, 'replay');
  const names = Object.keys(assumptions.people.hotDomains);
  const people = accounts.map(({ id }) =>
    createPeople(assumptions, createRandom(assumptions.seed, `replay of ${id}`)),
  );
  const pick = createPicker(
    accounts.map(({ share }) => share),
    random,
  );
  const traffic = [];
  for (let at = 0; at < seconds * 1_000; at += random.exponential(1_000 / perSecond)) {
    const account = accounts[pick()];
    const attempt = { ...people[account.index][KINDS[random.below(KINDS.length)]]() };
    traffic.push({ at, account, attempt, request: requestOf(attempt, secrets[account.index], names) });
  }
  return traffic;
}

function requestOf({ network, domain, address, mailbox, tagged }, secret, names) {
  const body = JSON.stringify({
    email: `person${mailbox}${tagged ? `+${address}` : ''}@${names[domain] ?? `company-${domain}.com`}`,
    ip: ipOf(network),
    session_id: `session-${address}-${network}`,
  });
  return Buffer.from(
    `POST /v1/assess HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** A different value for each network: an odd factor permutes a power of two. */
function ipOf(network) {
  const ip = FIRST_IP + (Math.imul(network, 0x2c1b3c6d) & (IPS - 1));
  return [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.');
}

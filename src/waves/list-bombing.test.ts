/** Strangers who are signed up one after the other, so that they get mail: what the lists know of their addresses is enough to see it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aMember } from '../../test/support/a-member.ts';
import { parseEmail } from '../address/email.ts';
import { victimOf } from '../evidence/victim.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import type { Intel } from '../intel/intel.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import { WaveLearner } from './learner.ts';

const BYTES = 4_000_000;
const ORDINARY = 1_500;

let intel: Intel;
beforeAll(async () => {
  intel = await openSnapshot(BASELINE_FILE);
});

function memberOf(text: string, minute: number) {
  const email = parseEmail(text);
  if (email === undefined) throw new Error(`not an address: ${text}`);
  const { listed } = intel.domain(email.domain);
  const victim = victimOf(email, listed.sms_gateway);
  const isShared = listed.consumer || listed.sms_gateway;
  return aMember(text, minute, {
    victim,
    domainKind: isShared ? 'provider' : 'guarded',
    mayBeNew: false,
  });
}

/** Place of the first that belongs to a campaign, from 1; 0: none. */
function firstFound(learner: WaveLearner, addresses: readonly string[], minute: number): number {
  let first = 0;
  for (const [at, address] of addresses.entries()) {
    const member = memberOf(address, minute + at);
    if (first === 0 && learner.find(member) !== null) first = at + 1;
    learner.learn(member);
  }
  return first;
}

function usedLearner(): WaveLearner {
  const learner = new WaveLearner({ bytes: BYTES });
  const people = Array.from({ length: ORDINARY }, (_, at) =>
    at % 10 === 0 ? `office@firm-${at}.example` : `person.${at}@gmail.com`,
  );
  firstFound(learner, people, 0);
  return learner;
}

const DESKS = ['abuse@acme-net.example', 'noc@bolt-net.example', 'security@cask-net.example'];
const TEXTS = ['5551234567@vtext.com', '5557654321@txt.att.net', '5550001111@tmomail.net'];
const DOTS = ['j.a.ne.harbour@gmail.com', 'ja.n.e.harb.our@gmail.com', 'j.an.e.har.bo.ur@gmail.com'];
const STRANGERS = ['maria.silva@firm-a.example', 'jan.novak@firm-b.example', 'li.wei@firm-c.example'];

const mixed = (...kinds: readonly (readonly string[])[]) =>
  [0, 1, 2].flatMap((round) => kinds.map((kind) => kind[round] as string));

describe('a list bombing', () => {
  it.each([
    ['of phones', TEXTS.concat(TEXTS.map((text) => `1${text}`))],
    ['of phones, desks and dotted mailboxes', mixed(TEXTS, DESKS, DOTS)],
    ['with people of companies between them', mixed(TEXTS, STRANGERS, DESKS, DOTS)],
    ['of desks and dotted mailboxes', mixed(DESKS, DOTS)],
  ])('%s is found within eight signups', (_, addresses) => {
    const first = firstFound(usedLearner(), addresses, 3 * ORDINARY);
    expect(first).toBeGreaterThan(1);
    expect(first).toBeLessThanOrEqual(8);
  });

  it('with strangers between its victims is found at the fourth of these, five an hour', () => {
    const learner = usedLearner();
    const victims = [TEXTS[0], DESKS[0], TEXTS[1], DOTS[0]] as string[];
    const addresses = victims.flatMap((victim, at) => [victim, `${at}.${STRANGERS[0]}`]);
    const found = addresses.filter((address, at) => {
      const member = memberOf(address, ORDINARY + 12 * at);
      const isFound = learner.find(member) !== null;
      learner.learn(member);
      return isFound;
    });
    expect(found).toEqual([DOTS[0]]);
  });

  it('is not made of people with initials, particles and offices who come in an hour', () => {
    const people = Array.from({ length: 40 }, (_, at) => [
      `maria.de.la.cruz${at}@gmail.com`,
      `j.r.smith${at}@gmail.com`,
      `info@firm-${at}.example`,
      `webmaster@club-${at}.example`,
    ]).flat();
    const learner = usedLearner();
    firstFound(learner, people, 3 * ORDINARY);
    expect([...learner.takeChanged()].filter(({ mark }) => mark === 'victims')).toEqual([]);
  });
});

/** A replay of past signups counts the addresses of a mailbox as the service does: in order of time, by those that came before. */
import { describe, expect, it } from 'vitest';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { parseEmail } from '../address/email.ts';
import { createAddressHashes } from '../address/fingerprint.ts';
import type { Subject } from '../evidence/gather.ts';
import type { EmailAddress, SignupAttempt } from '../model/signup-attempt.ts';
import { toSubject } from '../signup/prepare-signup.ts';
import { createWaveReplay } from './wave-replay.ts';

const DAY_MS = 86_400_000;
const HASHES = createAddressHashes([Buffer.alloc(32, 7)]);
const START = Date.UTC(2026, 4, 10);

function subject(address: string, day: number, broughtBy: SignupAttempt['broughtBy'] = null): Subject {
  const email = parseEmail(address) as EmailAddress;
  const attempt = { email, ip: null, ipStatus: 'missing', sessionId: null, broughtBy } as const;
  return toSubject(attempt, { id: address, account: 'acc_1', at: START + day * DAY_MS }, HASHES);
}

describe('a replay of past signups', () => {
  it('counts the third address of a mailbox, whichever came first, and forgets it after 90 days', () => {
    const replay = createWaveReplay();
    const counts = [
      ['jo@gmail.com', 0],
      ['j.o@gmail.com', 7],
      ['jo+a@gmail.com', 14],
      ['jo+a@gmail.com', 15],
      ['al+a@gmail.com', 16],
      ['jo+b@gmail.com', 100],
    ].map(([address, day]) => {
      const signup = subject(address as string, day as number);
      const months = replay.count(signup);
      replay.learn(signup, ordinaryEvidence(), 'allow');
      return months;
    });
    const third = { all: 3, voices: 3, days: 90 };
    expect(counts).toEqual([null, null, third, third, null, null]);
  });

  it('counts nobody whom somebody brings, and blocked addresses as one', () => {
    const replay = createWaveReplay();
    for (let at = 0; at < 9; at += 1)
      replay.learn(subject(`jo+${at}@gmail.com`, at), ordinaryEvidence(), 'block');
    expect(replay.count(subject('jo+z@gmail.com', 10))).toEqual({ all: 10, voices: 2, days: 90 });
    expect(replay.count(subject('jo+z@gmail.com', 10, 'member'))).toBeNull();
    replay.learn(subject('al+a@gmail.com', 0, 'member'), ordinaryEvidence(), 'allow');
    replay.learn(subject('al+b@gmail.com', 0), ordinaryEvidence(), 'allow');
    expect(replay.count(subject('al+c@gmail.com', 1))).toBeNull();
  });
});

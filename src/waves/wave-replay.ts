/** Learns waves from signups that are replayed, and looks each of them up before it is judged: in memory, nothing stored. */
import type { GatherOptions, Subject } from '../evidence/gather.ts';
import type { Evidence } from '../model/evidence.ts';
import { dayOf } from '../model/mailbox-address.ts';
import { toMatch } from './campaign-index.ts';
import { WaveLearner } from './learner.ts';
import { createMailboxMemory } from './mailbox-index.ts';
import { MAILBOX_BYTES, MailboxLearner } from './mailbox-learner.ts';
import { toMember } from './to-member.ts';

export interface WaveReplay
  extends NonNullable<GatherOptions['campaigns']>,
    NonNullable<GatherOptions['mailboxes']> {
  /** Learns of a signup that was judged, in order of time. */
  learn(subject: Subject, evidence: Evidence, verdict: 'allow' | 'challenge' | 'block'): void;
}

/** Memory of a service for all its accounts, bytes. */
export const LEARNER_BYTES = 24_000_000;

/** Days that the service looks back unless it is told otherwise. */
const MAILBOX_DAYS = 90;

export function createWaveReplay(bytes = LEARNER_BYTES): WaveReplay {
  const learner = new WaveLearner({ bytes });
  const days = MAILBOX_DAYS;
  const mailboxes = new MailboxLearner({ days, bytes: MAILBOX_BYTES });
  const memory = createMailboxMemory({ days });
  return {
    find(subject, email, ip) {
      // A person whom somebody brings belongs to no wave.
      if (subject.broughtBy !== undefined) return null;
      const campaign = learner.find(toMember(subject, email, ip));
      return campaign === null ? null : toMatch({ ...campaign.toLearned(), decision: '', goodReports: 0 });
    },
    usual: (account, domain, at) => learner.usualOf(account, domain, at),
    count(subject) {
      const count = subject.broughtBy === undefined ? memory.count(subject) : null;
      return count === null ? null : { ...count, days };
    },
    learn(subject, { email, ip }, verdict) {
      if (subject.broughtBy !== undefined) return;
      const isStopped = verdict !== 'allow';
      const outcome = { isStopped, isLetIn: !isStopped, isBlocked: verdict === 'block' };
      const member = toMember(subject, email, ip, outcome);
      learner.learn(member);
      mailboxes.learn(member);
      for (const use of mailboxes.takeChanged())
        memory.put({ ...use, lastDay: dayOf(use.at), isGood: false });
    },
  };
}

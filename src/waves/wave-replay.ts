/** Learns waves from signups that are replayed, and looks each of them up before it is judged: in memory, nothing stored. */
import type { GatherOptions, Subject } from '../evidence/gather.ts';
import type { Evidence } from '../model/evidence.ts';
import { toMatch } from './campaign-index.ts';
import { WaveLearner } from './learner.ts';
import { toMember } from './to-member.ts';

export interface WaveReplay extends NonNullable<GatherOptions['campaigns']> {
  /** Learns of a signup that was judged, in order of time. */
  learn(subject: Subject, evidence: Evidence, verdict: 'allow' | 'challenge' | 'block'): void;
}

/** Memory of a service for all its accounts, bytes. */
export const LEARNER_BYTES = 64_000_000;

export function createWaveReplay(bytes = LEARNER_BYTES): WaveReplay {
  const learner = new WaveLearner({ bytes });
  return {
    find(subject, email, ip) {
      // Whom somebody brings belongs to no wave.
      if (subject.broughtBy !== undefined) return null;
      const campaign = learner.find(toMember(subject, email, ip));
      return campaign === null ? null : toMatch({ ...campaign.toLearned(), decision: '', goodReports: 0 });
    },
    usual: (account, domain, at) => learner.usualOf(account, domain, at),
    learn(subject, { email, ip }, verdict) {
      if (subject.broughtBy !== undefined) return;
      learner.learn(toMember(subject, email, ip, verdict !== 'allow'));
    },
  };
}

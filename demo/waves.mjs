// Learns the waves of the demo's month as the service does: behind each signup, and before the next one is judged.
import { createCampaignIndex } from '../dist/waves/campaign-index.js';
import { createCampaignRecorder } from '../dist/waves/campaign-recorder.js';
import { createWaveFollower } from '../dist/waves/follow-signups.js';
import { memberKeys } from '../dist/waves/member-keys.js';
import { toMember } from '../dist/waves/to-member.js';
import { createUsualIndex } from '../dist/waves/usual-index.js';
import { LEARNER_BYTES } from '../dist/waves/wave-replay.js';

/** `clock`: returns the time in the demo's month, milliseconds since the epoch. */
export async function openWaves({ store, clock }) {
  const usual = createUsualIndex();
  const index = createCampaignIndex({ source: store, usual });
  const recorder = createCampaignRecorder({
    store,
    index,
    usual,
    clock,
    onFault(error) {
      throw error;
    },
  });
  const members = [];
  const follower = createWaveFollower({
    next: async () => members.splice(0),
    standing: [],
    usual: [],
    isFirst: true,
    clock,
    bytes: LEARNER_BYTES,
    tell(learned) {
      learned.changed.forEach(recorder.learned);
      learned.silent.forEach(recorder.silent);
      learned.usual.forEach(recorder.usual);
    },
  });
  // Nothing was stored before.
  await follower.step();
  /** Evidence of signups that are not learned yet, by their ids. */
  const gathered = new Map();

  return {
    campaigns: {
      find: (subject, email, ip) => index.find(subject.account, () => memberKeys(subject, email, ip)),
      usual: usual.find,
    },
    note: (subject, { email, ip }) => gathered.set(subject.id, toMember(subject, email, ip)),
    /** In the order of the signups. Nothing is gathered of those in the sandbox. */
    async learn(requestId, { verdict, shadow }) {
      const member = gathered.get(requestId);
      if (member === undefined) return;
      gathered.delete(requestId);
      const isStopped = verdict !== 'allow';
      // In shadow mode everybody is let in.
      const outcome = { isStopped, isLetIn: shadow || !isStopped, isBlocked: verdict === 'block' && !shadow };
      members.push({ ...member, ...outcome });
      await follower.step();
      await recorder.flush();
    },
    /** Takes over what a person decided about a campaign. */
    decided(campaign) {
      index.put(campaign);
      follower.decided(campaign);
    },
    close: recorder.close,
  };
}

// The month's feedback: some good customers stopped, some fraud let in, and some fraud stopped.
import { reportMember } from '../dist/signup/report-member.js';

const HOUR_MS = 3_600_000;
const SHARE = { false_positive: 0.16, false_negative: 0.3, confirmed_fraud: 0.06 };
const STAFF = 'Member';

export async function giveFeedback({ store, judged, keys, names, random, to }) {
  // In the order of the crowd, not of the answers.
  const inOrder = judged
    .filter(({ mode }) => mode === 'live')
    .sort((a, b) => (a.requestId < b.requestId ? -1 : 1));
  for (const { requestId, at, verdict, honest, key } of inOrder) {
    const outcome = labelOf(verdict, honest);
    const reported = random.chance(SHARE[outcome] ?? 0);
    const later = at + (0.5 + random.next() * 60) * HOUR_MS;
    const note = random.pick(names.notes[outcome] ?? [null]);
    if (!reported || later >= to) continue;
    // Only people confirm, in the dashboard.
    const keyId = outcome === 'confirmed_fraud' ? STAFF : keys[key].id;
    const reportedAt = Math.floor(later);
    const stored = await store.findStored(requestId, { accountId: keys[key].accountId, mode: 'live' });
    await reportMember(store, stored, { outcome, at: reportedAt });
    await store.saveFeedback({ requestId, outcome, note, keyId, at: reportedAt });
  }
}

function labelOf(verdict, honest) {
  if (honest) return verdict === 'allow' ? undefined : 'false_positive';
  return verdict === 'allow' ? 'false_negative' : 'confirmed_fraud';
}

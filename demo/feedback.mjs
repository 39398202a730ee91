// What people report of the month's mistakes: some of those wrongly turned away, some of those wrongly let in.

const HOUR_MS = 3_600_000;
const SHARE = { false_positive: 0.16, false_negative: 0.3 };

export async function giveFeedback({ store, judged, keys, names, random, to }) {
  // In the order of the crowd, not of the answers.
  const inOrder = judged
    .filter(({ mode }) => mode === 'live')
    .sort((a, b) => (a.requestId < b.requestId ? -1 : 1));
  for (const { requestId, at, verdict, honest, key } of inOrder) {
    const outcome = mistakeOf(verdict, honest);
    const reported = random.chance(SHARE[outcome] ?? 0);
    const later = at + (0.5 + random.next() * 60) * HOUR_MS;
    const note = random.pick(names.notes[outcome] ?? [null]);
    if (!reported || later >= to) continue;
    await store.saveFeedback({ requestId, outcome, note, keyId: keys[key].id, at: Math.floor(later) });
  }
}

function mistakeOf(verdict, honest) {
  if (honest) return verdict === 'allow' ? undefined : 'false_positive';
  return verdict === 'allow' ? 'false_negative' : undefined;
}

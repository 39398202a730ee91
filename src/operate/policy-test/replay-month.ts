/** Judges the month of signups with one set of rules: bundled lists, counts of its time, nothing from outside. */
import type { Intel } from '../../intel/intel.ts';
import type { Evidence } from '../../model/evidence.ts';
import type { PastJudgement } from '../../signup/past-signup.ts';
import { createReplayJudge } from '../mirror/mirror.ts';
import { openPastSources } from '../past-sources.ts';
import type { MonthSignup } from './month-file.ts';
import type { TestedRules } from './tested-rules.ts';

/** Decision about a signup, and the entries that had a part in it. */
export interface MonthVerdict extends Pick<PastJudgement, 'verdict' | 'score' | 'findings'> {
  readonly list: Evidence['list'];
  readonly office: Evidence['office'];
}

const EVERY = 500;

/** @param onStep called now and then, with how many signups are judged */
export async function replayMonth(
  signups: readonly MonthSignup[],
  rules: TestedRules,
  intel: Intel,
  onStep: (judged: number) => void = () => {},
): Promise<MonthVerdict[]> {
  const verdicts: MonthVerdict[] = [];
  let evidence: Evidence | undefined;
  const { sources } = openPastSources(
    { dnsServers: [], canaryDomains: [] },
    { dns: false, clock: () => signups[0]?.at ?? 0 },
  );
  const judge = createReplayJudge({
    rules,
    intel,
    sources,
    clock: () => signups[0]?.at ?? 0,
    onEvidence(found) {
      evidence = found;
    },
  });
  for (const { email, ip, at } of signups) {
    const { verdict, score, findings } = await judge({ email, ip, at });
    const { list = null, office = null } = evidence ?? {};
    verdicts.push({ verdict, score, findings, list, office });
    if (verdicts.length % EVERY === 0) onStep(verdicts.length);
  }
  return verdicts;
}

/** Decides whether a signup that was let in would come in now, and if not, what came to be known since. */
import type { Verdict } from '../../contract/messages.ts';
import type { GatherStored } from '../../evidence/gather-stored.ts';
import type { Awaitable } from '../../model/awaitable.ts';
import type { Evidence, Hit } from '../../model/evidence.ts';
import type { Finding } from '../../model/finding.ts';
import { DENY_LIST } from '../../model/main-finding.ts';
import type { Policy } from '../../model/policy.ts';
import type { RecalledSignup } from '../../store/recall-store.ts';
import type { StoredAssessment } from '../../store/stored-assessment.ts';
import { ERASED_DOMAIN } from '../anonymize.ts';
import { type Judgement, judge } from '../judge.ts';
import { severityChange } from '../label-effect.ts';
import { RULES } from '../policy.ts';
import { evidenceOf } from '../rebuild-answer.ts';

/** @returns the new verdict with its cause, where it is stricter than the stored one; `null` otherwise. One call at a time. */
export type JudgeAgain = (signup: StoredAssessment, now: number) => Awaitable<RecalledSignup | null>;

export interface JudgeAgainOptions {
  readonly gatherStored: GatherStored;
  /** Policy in force for a key or a hook. */
  readonly policyOf: (accountId: string, keyId: string) => Policy;
}

type Cause = Pick<RecalledSignup, 'cause' | 'causeId' | 'finding'>;

const LISTED_BY = new Map(RULES.map(({ detector, listedBy }) => [detector, listedBy] as const));

/** Verdict that a stored signup would get now, and the evidence for it. */
export interface FreshVerdict {
  readonly verdict: Verdict;
  readonly evidence: Evidence;
}

/** @returns `null` for somebody who was erased. One call at a time */
export type VerdictNow = (signup: StoredAssessment, now: number) => Awaitable<FreshVerdict | null>;

export function createVerdictNow({ gatherStored, policyOf }: JudgeAgainOptions): VerdictNow {
  return (signup, now) => {
    if (signup.emailDomain === ERASED_DOMAIN) return null;
    const policy = policyOf(signup.accountId, signup.keyId);
    const gathered = gatherStored(signup, evidenceOf(signup), now);
    const toVerdict = (evidence: Evidence) => ({ verdict: judge(evidence, policy).verdict, evidence });
    return gathered instanceof Promise ? gathered.then(toVerdict) : toVerdict(gathered);
  };
}

export function createJudgeAgain({ gatherStored, policyOf }: JudgeAgainOptions): JudgeAgain {
  return (signup, now) => {
    if (signup.verdict === 'block' || signup.emailDomain === ERASED_DOMAIN) return null;
    const before = evidenceOf(signup);
    // Somebody let this person in, though perhaps only for a while.
    if (before.list?.action === 'allow') return null;
    const gathered = gatherStored(signup, before, now);
    return gathered instanceof Promise
      ? gathered.then((evidence) => compare(signup, before, evidence))
      : compare(signup, before, gathered);
  };

  function compare(signup: StoredAssessment, before: Evidence, evidence: Evidence): RecalledSignup | null {
    const { requestId, at, accountId, keyId, verdict: oldVerdict, score: oldScore } = signup;
    const policy = policyOf(accountId, keyId);
    const judgement = judge(evidence, policy);
    const { verdict: newVerdict, score: newScore } = judgement;
    if (severityChange(oldVerdict, newVerdict) <= 0) return null;
    const change = { before, evidence, judgement, asBefore: judge(before, policy) };
    return { requestId, at, oldVerdict, oldScore, newVerdict, newScore, ...causeOf(change) };
  }
}

/** Whether a signup with this verdict was let in, unless a challenge was passed. */
export function wasLetIn({
  verdict,
  shadow,
}: {
  readonly verdict: Verdict;
  readonly shadow: boolean;
}): boolean {
  return shadow || verdict === 'allow';
}

interface Change {
  readonly before: Evidence;
  readonly evidence: Evidence;
  readonly judgement: Judgement;
  /** The stored evidence under the policy in force. */
  readonly asBefore: Judgement;
}

function causeOf(change: Change): Cause {
  const { before, evidence, judgement, asBefore } = change;
  const [heaviest] = judgement.findings;
  if (evidence.list?.action === 'deny')
    return { cause: 'list', causeId: evidence.list.id, finding: DENY_LIST };
  if (severityChange(asBefore.verdict, judgement.verdict) <= 0)
    return { cause: 'policy', causeId: '', finding: heaviest?.detector ?? '' };
  const grown = judgement.findings.find((finding) => isGrown(finding, asBefore)) ?? heaviest;
  const finding = grown?.detector ?? '';
  if (finding.startsWith('wave_'))
    return { cause: 'campaign', causeId: evidence.campaign?.id ?? '', finding };
  const source = newSourceOf(finding, before, evidence);
  if (source !== undefined) return { cause: 'feed', causeId: source, finding };
  return { cause: hasLostLabel(before, evidence) ? 'label' : 'other', causeId: '', finding };
}

function isGrown({ detector, weight }: Finding, { findings }: Judgement): boolean {
  const was = findings.find((finding) => finding.detector === detector);
  return was === undefined || was.weight < weight;
}

/** Source of the first new hit that caused a finding, or of any new hit. */
function newSourceOf(detector: string, before: Evidence, evidence: Evidence): string | undefined {
  const added = {
    email: addedHits(before.email.hits, evidence.email.hits),
    ip: addedHits(before.ip?.hits ?? [], evidence.ip?.hits ?? []),
  };
  const listedBy = LISTED_BY.get(detector);
  const own = listedBy && added[listedBy.part].find(({ fact }) => fact === listedBy.category);
  return (own ?? added.email[0] ?? added.ip[0])?.source;
}

function addedHits(before: readonly Hit[], now: readonly Hit[]): Hit[] {
  return now.filter(({ fact, source }) => !before.some((hit) => hit.fact === fact && hit.source === source));
}

function hasLostLabel({ email: before }: Evidence, { email: now }: Evidence): boolean {
  const isGood = ({ hits, standing }: Evidence['email']) =>
    standing === 'known' || hits.some(({ fact }) => fact === 'labelled_good');
  return isGood(before) && !isGood(now);
}

/** Decides what caused a reported mistake: an own list entry, a wave, a score at a threshold, a shared office, or the main finding. */
import type { Label } from '../contract/dashboard-assessments.ts';
import { labelOfDetector } from '../contract/detectors.ts';
import { mainDetectorOf } from '../model/main-finding.ts';
import type { Thresholds } from '../model/policy.ts';
import type { HistoryEntry } from '../store/history-store.ts';
import { titleOfFinding } from './finding-title.ts';
import { reportedAs } from './label-effect.ts';
import { officeOfferOf } from './office-offer.ts';
import { readFacts } from './read-facts.ts';

/** Subject that a remedy is made from. */
export type CauseSubject =
  | { readonly kind: 'entry'; readonly id: string; readonly action: 'allow' | 'deny'; readonly value: string }
  | { readonly kind: 'wave'; readonly id: string }
  | { readonly kind: 'score'; readonly moves: keyof Thresholds; readonly score: number }
  | { readonly kind: 'office'; readonly value: string }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'finding' };

export interface MistakeCause {
  readonly id: string;
  readonly title: string;
  readonly side: 'good' | 'fraud';
  readonly subject: CauseSubject;
  /** Cause that several mistakes of one domain have in common instead; absent: strangers share the domain. */
  readonly ofDomain?: MistakeCause;
}

/** @param current thresholds that a change would move; `null`: the key has its own */
export function causeOf(
  signup: HistoryEntry,
  label: Label,
  current: (keyId: string) => Thresholds | null,
): MistakeCause {
  const side = reportedAs(label) ?? 'good';
  const { evidence, findings, thresholds } = readFacts(signup.facts, signup);
  const detector = mainDetectorOf(signup.facts);
  const cause = (subject: CauseSubject, id: string, title: string): MistakeCause => ({
    id: `${side}.${subject.kind}.${id}`,
    title,
    side,
    subject,
  });
  const { list, campaign, email } = evidence;
  if (list !== null) {
    const { id, action, value } = list;
    return cause({ kind: 'entry', id, action, value }, id, titleOfFinding(detector, evidence));
  }
  if (campaign !== null && detector.startsWith('wave_'))
    return cause({ kind: 'wave', id: campaign.id }, campaign.id, titleOfFinding(detector, evidence));
  const edge = isSame(thresholds, current(signup.keyId)) ? edgeOf(signup, side, thresholds) : undefined;
  if (edge !== undefined) {
    const { moves, score } = edge;
    return cause({ kind: 'score', moves, score }, String(score), titleOfEdge(edge, side));
  }
  const office = side === 'good' ? officeOfferOf(evidence, findings) : null;
  if (office !== null) return cause({ kind: 'office', value: office }, office, `Burst: ${office}`);
  const title = detector === '' ? 'No main finding' : labelOfDetector(detector);
  const found = cause({ kind: 'finding' }, detector, title);
  const { emailDomain: domain } = signup;
  if (email.consumer || email.relay || email.strangers || email.sharedSuffix !== '') return found;
  return { ...found, ofDomain: cause({ kind: 'domain', domain }, domain, domain) };
}

interface Edge {
  readonly moves: keyof Thresholds;
  readonly score: number;
}

/** The threshold that one point decided at. */
function edgeOf(
  { score, verdict }: Pick<HistoryEntry, 'score' | 'verdict'>,
  side: MistakeCause['side'],
  { challenge, block }: Thresholds,
): Edge | undefined {
  const beyond = side === 'good' ? 0 : 1;
  const [below, above] =
    side === 'good' ? (['challenge', 'block'] as const) : (['allow', 'challenge'] as const);
  if (verdict === below && score === challenge - beyond) return { moves: 'challenge', score };
  if (verdict === above && score === block - beyond) return { moves: 'block', score };
  return undefined;
}

function titleOfEdge({ moves, score }: Edge, side: MistakeCause['side']): string {
  const what = moves === 'challenge' ? 'challenges start' : 'blocking starts';
  return side === 'good'
    ? `Score exactly ${score}, where ${what}`
    : `Score ${score}, one below where ${what}`;
}

function isSame(a: Thresholds, b: Thresholds | null): boolean {
  return a.challenge === b?.challenge && a.block === b.block;
}

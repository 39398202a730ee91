/** Judges the cases of a policy file, each alone: with bundled lists, and with what the case says of the world outside. */
import type { Verdict } from '../../contract/messages.ts';
import { createGather } from '../../evidence/gather.ts';
import type { Intel } from '../../intel/intel.ts';
import { createTypingMistakes } from '../../intel/typing-mistake.ts';
import { EMPTY_EMAIL, type EmailEvidence, type Evidence, type IpEvidence } from '../../model/evidence.ts';
import { counterfactualsOf } from '../../signup/counterfactuals.ts';
import { describeFindings } from '../../signup/describe-finding.ts';
import { judge } from '../../signup/judge.ts';
import { velocityAlone } from '../../signup/past-signup.ts';
import { readSignupAttempt, toSubject } from '../../signup/prepare-signup.ts';
import { waterfallOf } from '../../signup/waterfall.ts';
import { withoutSources } from '../../wiring/evidence.ts';
import type { CaseEvidence } from '../policy/case-evidence.ts';
import type { PolicyCase } from '../policy/policy-file.ts';
import type { TestedRules } from './tested-rules.ts';

export interface CaseResult {
  readonly of: PolicyCase;
  readonly label: string;
  readonly verdict: Verdict;
  readonly score: number;
  readonly isRight: boolean;
  /** The findings, heaviest first. */
  readonly findings: readonly string[];
  /** Change that would have given an expected verdict; empty where no single one would. */
  readonly remedy: string;
}

const DONE: Readonly<Record<Verdict, string>> = {
  allow: 'allowed',
  challenge: 'challenged',
  block: 'blocked',
};

/** @throws Error of one line for a case that names no account or key of the file */
export async function judgeCases(
  cases: readonly PolicyCase[],
  rules: readonly TestedRules[],
  { intel, now }: { readonly intel: Intel; readonly now: number },
): Promise<CaseResult[]> {
  const typingMistakes = createTypingMistakes();
  const results: CaseResult[] = [];
  for (const each of cases) {
    const set = rulesOf(each, rules);
    const evidence = await gatherCase(each, set, { intel, now, typingMistakes });
    results.push(toResult(each, set, evidence));
  }
  return results;
}

/** The rules that decide about a case. */
function rulesOf(each: PolicyCase, all: readonly TestedRules[]): TestedRules {
  const { account: name, key: keyName, place } = each;
  const accounts = all.filter(({ key }) => key === null);
  const named = accounts.filter(
    ({ written }) => name === undefined || written?.name === name || written?.id === name,
  );
  const [account] = named;
  if (account === undefined) throw new Error(`${place}: the file has no account ${name}.`);
  if (named.length > 1)
    throw new Error(
      `${place}: the file has several accounts: say which one decides, as account: ${account.label}.`,
    );
  if (keyName === undefined) return account;
  const key = account.written?.keys.find(({ name: each, id }) => each === keyName || id === keyName);
  if (key === undefined) throw new Error(`${place}: ${account.label} has no key ${keyName} in the file.`);
  return all.find((set) => set.key === key) ?? account;
}

async function gatherCase(
  { email, ip, broughtBy, evidence: facts }: PolicyCase,
  { lists, hashes, account }: TestedRules,
  {
    intel,
    now,
    typingMistakes,
  }: {
    readonly intel: Intel;
    readonly now: number;
    readonly typingMistakes: ReturnType<typeof createTypingMistakes>;
  },
): Promise<Evidence> {
  const gather = createGather({
    ...withoutSources({
      typingMistakes,
      goodReports: { isGood: () => false },
      mailExchange: { lookup: (domain) => mailFacts(facts, domain).mx ?? EMPTY_EMAIL.mx },
      domainAge: { lookup: () => mailFacts(facts, '').age ?? EMPTY_EMAIL.age },
    }),
    intel: () => intel,
    // Lists compare the network that the case says.
    ownLists: {
      find: (subject, network) => lists.find(subject, withFacts(network, facts)),
      findOffice: (subject, network) => lists.findOffice(subject, withFacts(network, facts)),
    },
  });
  const attempt = readSignupAttempt({ email, ...(ip !== null && { ip }), brought_by: broughtBy });
  const subject = toSubject(attempt, { id: '1', account: account?.id ?? 'case', at: now }, hashes);
  const found = await gather(subject, velocityAlone(subject));
  return {
    ...found,
    // No source is asked about a reserved name such as partner.example; what the case says counts all the same.
    email: { ...found.email, ...mailFacts(facts, found.email.domain), ...facts.email },
    ip: withFacts(found.ip, facts),
    velocity: { ...found.velocity, ...facts.velocity },
  };
}

function mailFacts(
  { mx, ageDays }: CaseEvidence,
  domain: string,
): Partial<Pick<EmailEvidence, 'mx' | 'age'>> {
  return {
    ...(mx !== undefined && { mx: { status: mx, hosts: mx === 'valid' ? [`mx.${domain}`] : [] } }),
    ...(ageDays !== undefined && { age: { days: ageDays, status: 'known' } }),
  };
}

const withFacts = (ip: IpEvidence | null, facts: CaseEvidence) =>
  ip === null ? null : { ...ip, ...facts.ip };

function toResult(each: PolicyCase, { label, policy }: TestedRules, evidence: Evidence): CaseResult {
  const { verdict, score, findings } = judge(evidence, policy);
  const { thresholds, weights } = policy;
  const described = describeFindings(findings, evidence);
  const waterfall = waterfallOf({ score, verdict, findings: described, evidence, thresholds });
  const changes = counterfactualsOf({ score, verdict, thresholds, waterfall, evidence, weights });
  const wanted = each.expected.map((expected) => `have been ${DONE[expected]}`);
  return {
    of: each,
    label,
    verdict,
    score,
    isRight: each.expected.includes(verdict),
    findings: waterfall.map(({ detail, contribution }) => `${detail} (${contribution.toFixed(1)} points)`),
    remedy: changes.find((change) => wanted.some((words) => change.includes(words))) ?? '',
  };
}

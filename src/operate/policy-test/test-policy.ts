/** Tests a policy file: its cases, and the month of waves and innocent crowds under each set of its rules. Needs no installation and no network. */
import { openBundled } from '../../intel/feed-service.ts';
import type { AcceptedMiss, PolicyCase, PolicyFile } from '../policy/policy-file.ts';
import { findRemedy } from './find-remedy.ts';
import { judgeCases } from './judge-cases.ts';
import { EVERYDAY, type GroupResult, judgeMonth } from './judge-month.ts';
import { type Month, readMonth } from './month-file.ts';
import type { PolicyReport, RulesReport } from './policy-report.ts';
import { type MonthVerdict, replayMonth } from './replay-month.ts';
import { caseFailure, groupFailure } from './test-words.ts';
import { DEFAULT_RULES, type TestedRules, toTestedRules } from './tested-rules.ts';

export interface TestPolicyOptions {
  readonly policy: PolicyFile;
  /** Cases beside those of the file. */
  readonly cases: readonly PolicyCase[];
  /** Whether the cases alone are tested. */
  readonly casesOnly: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly onStep: (words: () => string) => void;
}

/** @throws Error of one line for what the file names and does not exist */
export async function testPolicy(options: TestPolicyOptions): Promise<PolicyReport> {
  const { policy, cases, casesOnly, now, onStep } = options;
  const [intel, own] = await Promise.all([openBundled(), toTestedRules(policy.accounts, now)]);
  const sets = own.length === 0 ? [DEFAULT_RULES] : own;
  const judged = await judgeCases([...policy.cases, ...cases], sets, { intel, now });
  const month = readMonth();
  const accepted = acceptedNames(policy.accepted, month);
  const replay = (rules: TestedRules) =>
    replayMonth(month.signups, rules, intel, (count) =>
      onStep(() => `${rules.label}: ${count} of ${month.signups.length} signups`),
    );
  const runs: RulesReport[] = [];
  if (!casesOnly) {
    const byDefault = await replay(DEFAULT_RULES);
    for (const rules of sets) {
      const verdicts = rules.isDefault ? byDefault : await replay(rules);
      runs.push(reportOf(month, { rules, verdicts, byDefault, accepted }));
    }
  }
  const failures = [
    ...runs.flatMap((run) => run.failures),
    ...judged.filter(({ isRight }) => !isRight).map(caseFailure),
  ];
  return {
    runs,
    cases: judged,
    failures,
    untested: policy.accounts.flatMap(({ entries }) => entries).filter(({ value }) => value === null).length,
    checks: judged.length + runs.reduce((sum, { results }) => sum + results.filter(isChecked).length, 0),
  };
}

/** A wave without a floor is only shown. */
const isChecked = ({ group, floor }: GroupResult) => group.kind !== 'wave' || floor !== null;

function reportOf(
  month: Month,
  {
    rules,
    verdicts,
    byDefault,
    accepted,
  }: {
    readonly rules: TestedRules;
    readonly verdicts: readonly MonthVerdict[];
    readonly byDefault: readonly MonthVerdict[];
    readonly accepted: ReadonlySet<string>;
  },
): RulesReport {
  const results = judgeMonth(month, verdicts, byDefault);
  const missed = results.filter(({ miss }) => miss !== null);
  const failed = missed.filter(({ group }) => !accepted.has(group.name));
  return {
    rules,
    results,
    failures: failed.map((result) =>
      groupFailure(result, rules, findRemedy({ result, rules, verdicts, byDefault })),
    ),
    accepted: missed.filter(({ group }) => accepted.has(group.name)).map(({ group }) => group.name),
  };
}

function acceptedNames(accepted: readonly AcceptedMiss[], { groups }: Month): ReadonlySet<string> {
  const named = groups.filter(({ kind }) => kind !== 'everyday');
  const names = new Set([...named.map(({ name }) => name), EVERYDAY]);
  for (const { name, place } of accepted)
    if (!names.has(name))
      throw new Error(
        `${place}: there is no wave or crowd ${name}; the table of \`policy test\` has their names.`,
      );
  return new Set(accepted.map(({ name }) => name));
}

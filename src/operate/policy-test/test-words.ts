/** The words of a test of a policy: one line for each failure, and the tables. */
import type { PolicyRemedy } from './find-remedy.ts';
import type { CaseResult } from './judge-cases.ts';
import { EVERYDAY, type GroupResult } from './judge-month.ts';
import type { PolicyFailure, PolicyReport, RulesReport } from './policy-report.ts';
import type { TestedRules } from './tested-rules.ts';

const percent = (share: number) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
const VERDICT_WORDS = { allow: 'allowed', challenge: 'challenged', block: 'blocked' } as const;

export function groupFailure(result: GroupResult, rules: TestedRules, remedy: PolicyRemedy): PolicyFailure {
  const { group } = result;
  return {
    place: remedy.place ?? rules.place,
    label: rules.label,
    kind: group.kind,
    name: group.name,
    what: whatOf(result),
    remedy: remedy.text,
  };
}

function whatOf({ group, tally, byDefault, miss }: GroupResult): string {
  if (miss === 'passes')
    return `the wave “${group.name}” passes: ${percent(tally.stopped)} of it stopped from its ${ordinal(group.knownFrom)} signup on (the defaults: ${percent(byDefault.stopped)}).`;
  const who = group.kind === 'everyday' ? EVERYDAY : `the innocent crowd “${group.name}”`;
  const [share, usual] =
    miss === 'blocked' ? [tally.blocked, byDefault.blocked] : [tally.challenged, byDefault.challenged];
  const count = Math.round(share * tally.signups);
  return `${who} ${group.kind === 'everyday' ? 'are' : 'is'} ${miss}: ${count} of ${tally.signups} (the defaults: ${Math.round(usual * tally.signups)}).`;
}

export function caseFailure({ of, label, verdict, score, findings, remedy }: CaseResult): PolicyFailure {
  const why = findings.length === 0 ? 'nothing was found against it' : findings.join('; ');
  const expected = of.expected.map((each) => VERDICT_WORDS[each]).join(' or ');
  return {
    place: of.place,
    label,
    kind: 'case',
    name: of.name,
    what: `the case “${of.name}” is ${VERDICT_WORDS[verdict]} (score ${score}), expected: ${expected}. Found: ${why}.`,
    remedy,
  };
}

/** `policy.yaml:12:5: Shop: what. PolicyRemedy.` */
export function failureText({ place, label, what, remedy }: PolicyFailure): string {
  return `${place === '' ? '' : `${place}: `}${label}: ${what}${remedy === '' ? '' : ` ${remedy}`}`;
}

/** The report as lines for people. */
export function toReportLines(report: PolicyReport): string[] {
  const { runs, cases, failures, untested } = report;
  return [
    ...runs.flatMap(runLines),
    ...(cases.length === 0 ? [] : ['Cases', ...cases.map(caseLine), '']),
    ...(untested === 0
      ? []
      : [`Not tested: ${untested} ${untested === 1 ? 'entry' : 'entries'} with a masked address.`, '']),
    ...failures.map(failureText),
    ...(failures.length === 0
      ? [report.checks === 1 ? 'The check passed.' : `All ${report.checks} checks passed.`]
      : []),
  ];
}

function runLines({ rules, results, accepted }: RulesReport): string[] {
  const { challenge, block } = rules.policy.thresholds;
  const state = ({ group, miss }: GroupResult) =>
    miss === null ? '' : accepted.includes(group.name) ? 'accepted' : 'FAILS';
  const waves = results.filter(({ group }) => group.kind === 'wave');
  const others = results.filter(({ group }) => group.kind !== 'wave');
  return [
    `${rules.label}: challenge ${challenge}, block ${block}`,
    '',
    ...table(
      ['Wave', 'signups', 'first stopped', 'stopped', 'floor', 'defaults', ''],
      waves.map((result) => [
        result.group.name,
        String(result.tally.signups),
        result.tally.first === 0 ? 'none' : ordinal(result.tally.first),
        percent(result.tally.stopped),
        result.floor === null ? '-' : percent(result.floor),
        percent(result.byDefault.stopped),
        state(result),
      ]),
    ),
    '',
    ...table(
      ['Innocent crowd', 'people', 'challenged', 'blocked', 'defaults', ''],
      others.map((result) => [
        result.group.name,
        String(result.tally.signups),
        count(result, 'challenged'),
        count(result, 'blocked'),
        `${Math.round(result.byDefault.challenged * result.tally.signups)} and ${Math.round(result.byDefault.blocked * result.tally.signups)}`,
        state(result),
      ]),
    ),
    '',
  ];
}

const count = ({ tally }: GroupResult, of: 'challenged' | 'blocked') =>
  String(Math.round(tally[of] * tally.signups));

function caseLine({ of, label, verdict, score, isRight }: CaseResult): string {
  const state = isRight ? 'ok   ' : 'FAILS';
  return `${state}  ${verdict.padEnd(9)}  ${String(score).padStart(3)}  ${of.name} (${label})`;
}

/** The first column to the left, the last one as it is, the others to the right. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [header, ...rows];
  const widths = header.map((_, at) => Math.max(...all.map((row) => (row[at] as string).length)));
  return all.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[at] as number)))
      .join('  ')
      .trimEnd(),
  );
}

function ordinal(number: number): string {
  const [tens, units] = [number % 100, number % 10];
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][units] ?? 'th');
  return `${number}${ending}`;
}

/** The report of a test of a policy for programs: JSON, and the XML that CI systems read (JUnit). */
import type { CaseResult } from './judge-cases.ts';
import type { GroupResult } from './judge-month.ts';
import type { PolicyFailure, PolicyReport } from './policy-report.ts';
import { failureText } from './test-words.ts';

export function toPolicyJson({ runs, cases, failures, untested, checks }: PolicyReport) {
  return {
    ok: failures.length === 0,
    checks,
    failures: failures.map(({ place, label, kind, name, what, remedy }) => ({
      place,
      rules: label,
      kind,
      name,
      what,
      remedy,
    })),
    rules: runs.map(({ rules, results, accepted }) => ({
      name: rules.label,
      thresholds: rules.policy.thresholds,
      results: results.map((result) => resultJson(result, accepted)),
    })),
    cases: cases.map(caseJson),
    untested_entries: untested,
  };
}

function resultJson({ group, tally, byDefault, floor, miss }: GroupResult, accepted: readonly string[]) {
  return {
    kind: group.kind,
    name: group.name,
    ...tally,
    floor,
    by_default: byDefault,
    miss,
    accepted: accepted.includes(group.name),
  };
}

function caseJson({ of, label, verdict, score, isRight, findings }: CaseResult) {
  return { name: of.name, rules: label, expected: of.expected, verdict, score, ok: isRight, findings };
}

/** A suite for each set of rules, and one for the cases. */
export function toJunit({ runs, cases, failures }: PolicyReport): string {
  const suites = [
    ...runs.map(({ rules, results }) => ({
      name: rules.label,
      tests: results.map(({ group }) => ({
        name: `${group.kind} ${group.name}`,
        failure: failures.find(
          ({ label, kind, name }) => label === rules.label && kind === group.kind && name === group.name,
        ),
      })),
    })),
    ...(cases.length === 0
      ? []
      : [
          {
            name: 'cases',
            tests: cases.map(({ of, label }) => ({
              name: `${label}: ${of.name}`,
              failure: failures.find(
                ({ kind, place, label: set }) => kind === 'case' && place === of.place && set === label,
              ),
            })),
          },
        ]),
  ];
  const lines = suites.flatMap(({ name, tests }) => [
    `  <testsuite name=${quoted(name)} tests="${tests.length}" failures="${tests.filter(({ failure }) => failure !== undefined).length}">`,
    ...tests.map((test) => testLine(test.name, name, test.failure)),
    '  </testsuite>',
  ]);
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...lines, '</testsuites>', ''].join('\n');
}

function testLine(name: string, suite: string, failure: PolicyFailure | undefined): string {
  const open = `    <testcase name=${quoted(name)} classname=${quoted(suite)}`;
  if (failure === undefined) return `${open}/>`;
  return `${open}><failure message=${quoted(failureText(failure))}/></testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function quoted(text: string): string {
  // XML 1.0 has no other control characters.
  const printable = text.replaceAll(/\p{C}/gu, ' ');
  return `"${printable.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] as string)}"`;
}

/** gatehouse policy test: fails where a wave passes, an innocent person falls, or a case gets another verdict. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Option } from 'commander';
import { command } from './options.ts';
import { type OutputOptions, printJson, printLine, wantsJson } from './output.ts';
import { createProgressLine } from './progress-line.ts';

interface TestOptions extends OutputOptions {
  readonly cases?: string;
  readonly casesOnly?: true;
  readonly junit?: string;
}

const HELP = `
Judges a generated month with the rules of the file: 20 waves of fake signups, 25 crowds of innocent people, and everyday
people. It fails where less of a wave is stopped than its floor, or where more people are challenged or blocked than
may be; each line says what happened, and what to change. Where the defaults of Gatehouse themselves miss a floor, the
result must be as good as theirs. It needs no installation, no network and no secret, and takes some seconds for each
account and for each key with thresholds of its own.

Your own cases are signups that must get a verdict, in the file under “cases:” or in a file of their own:

  cases:
    - name: partner from a data centre
      email: jo@partner.example
      ip: 203.0.113.7
      evidence: { hosting: true, mx: valid, domain_age_days: 900 }
      expect: allow

Exit status: 0 all checks passed, 1 some failed, or the file has an error, 2 wrong usage.

Examples:
  gatehouse policy test policy.yaml
  gatehouse policy test policy.yaml --cases cases.yaml --junit report.xml
  npx gatehouse-server policy test policy.yaml --json | jq -r '.failures[].what'

What a file may have, and a workflow for GitHub: docs/policy.md.`;

export function testCommand(): Command {
  return command(
    'test',
    'Try a policy file against waves of fake signups, innocent crowds and your own cases.',
    [
      new Option('--cases <file>', 'more cases, in a file of their own'),
      new Option('--cases-only', 'leave out the month of waves and crowds: done in a second'),
      new Option(
        '--junit <file>',
        'also write the results to this file, as CI systems read them (JUnit XML)',
      ),
    ],
  )
    .argument('<file>', 'the policy file; - reads the standard input')
    .addHelpText('after', HELP)
    .action((file: string, options: TestOptions) => run(file, options));
}

async function run(file: string, options: TestOptions): Promise<void> {
  const [{ nameOf, readPolicyFile, readText }, { readCasesText }, { testPolicy }, { toReportLines }] =
    await Promise.all([
      import('../operate/policy/read-policy-file.ts'),
      import('../operate/policy/read-cases.ts'),
      import('../operate/policy-test/test-policy.ts'),
      import('../operate/policy-test/test-words.ts'),
    ]);
  const policy = readPolicyFile(file);
  const { cases: casesFile } = options;
  const cases = casesFile === undefined ? [] : readCasesText(nameOf(casesFile), readText(casesFile));
  const line = createProgressLine(process.stderr);
  const report = await testPolicy({
    policy,
    cases,
    casesOnly: options.casesOnly === true,
    now: Date.now(),
    // A log needs no progress of some seconds.
    onStep: (words) => process.stderr.isTTY === true && line.show(words),
  }).finally(() => line.end());
  const { toJunit, toPolicyJson } = await import('../operate/policy-test/test-files.ts');
  if (options.junit !== undefined) writeFileSync(options.junit, toJunit(report));
  if (wantsJson(options)) printJson(toPolicyJson(report));
  else for (const text of toReportLines(report)) printLine(text);
  const { length } = report.failures;
  if (length > 0) throw new Error(`${length} of ${report.checks} checks failed`);
}

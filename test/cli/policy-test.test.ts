/** gatehouse policy test: a wave that passes and an innocent person who falls are named, with the place in the file and what to change. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASE_FACTS } from '../../src/operate/policy/case-evidence.ts';
import { gatehouse, ROOT } from '../support/command.ts';

interface Failure {
  readonly place: string;
  readonly rules: string;
  readonly kind: string;
  readonly name: string;
  readonly what: string;
  readonly remedy: string;
}

interface Report {
  readonly ok: boolean;
  readonly checks: number;
  readonly failures: readonly Failure[];
  readonly rules: readonly {
    readonly name: string;
    readonly results: readonly {
      readonly name: string;
      readonly accepted: boolean;
      readonly stopped: number;
    }[];
  }[];
  readonly cases: readonly { readonly name: string; readonly verdict: string; readonly ok: boolean }[];
  readonly untested_entries: number;
}

const PAGE = readFileSync(join(ROOT, 'docs/policy.md'), 'utf8');
const [EXAMPLE = '', CASES = ''] = [...PAGE.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
  ([, text]) => text as string,
);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-policy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function fileOf(text: string): string {
  files += 1;
  const path = join(folder, `policy-${files}.yaml`);
  writeFileSync(path, text);
  return path;
}
/** Nothing that a service has: no folder, no database, no resolver. */
const run = (...args: string[]) =>
  gatehouse(['policy', 'test', ...args], { PATH: '', GATEHOUSE_DATA_DIR: join(folder, 'nothing') });
async function report(text: string, ...args: string[]): Promise<Report> {
  const { stdout } = await run(fileOf(text), ...args, '--json');
  return JSON.parse(stdout) as Report;
}
const withoutShares = (text: string) => text.replaceAll(/\d+(?:\.\d+)?%/g, '%');

describe('policies', () => {
  const ACCOUNTS = `
version: 1
accounts:
  - name: lax
    thresholds: { challenge: 45, block: 60 }
  - name: strict
    thresholds: { challenge: 12, block: 25 }
  - name: blind
    weights: { wave_email: 0 }
  - name: harsh
    weights: { plus_alias: 35 }
  - name: open door
    lists: { allow: [{ value: gmail.com, wide: true }, { value: 1.1.1.1 }] }
  - name: shut door
    lists: { deny: [{ value: DE }] }
  - name: expired
    lists: { deny: [{ value: DE, expires: 2001-01-31 }, { value: j***@x.com, id: lst_1 }] }
    keys: [{ name: form, thresholds: { challenge: 45, block: 90 } }]
accept: [list bombing]
`;
  let all: Report;
  beforeAll(async () => {
    all = await report(ACCOUNTS);
  });
  const of = (rules: string) => all.failures.filter((failure) => failure.rules === rules);
  const find = (rules: string, name: string) => of(rules).find((failure) => failure.name === name);

  it('that let waves pass are told which threshold is too high', () => {
    expect(find('lax', 'numbered names at gmail.com')).toMatchObject({
      kind: 'wave',
      place: expect.stringMatching(/policy-\d+\.yaml:5:17$/),
      what: expect.stringMatching(
        /passes: 0% of it stopped from its 30th signup on \(the defaults: \d+%\)\.$/,
      ),
      remedy: expect.stringMatching(
        /^Its score is (4\d), and challenge is 45: set challenge to \1 or lower\.$/,
      ),
    });
    expect(of('lax').every(({ kind }) => kind === 'wave')).toBe(true);
  });

  it('that stop people are told which threshold is too low', () => {
    expect(find('strict', 'everyday people')).toMatchObject({
      kind: 'everyday',
      what: expect.stringMatching(/^everyday people are blocked: \d+ of \d+ \(the defaults: \d\)\.$/),
      remedy: expect.stringMatching(/^Their score is \d+, and block is 25: set block to \d+ or higher\.$/),
    });
    expect(of('strict').some(({ kind }) => kind === 'wave')).toBe(false);
  });

  it('with a changed weight are told which', () => {
    expect(find('blind', 'kit at outlook.com')).toMatchObject({
      place: expect.stringMatching(/:9:16$/),
      remedy: 'The weight of wave_email is 0, by default 40: set it back.',
    });
    expect(find('harsh', 'honest tags')).toMatchObject({
      place: expect.stringMatching(/:11:16$/),
      what: expect.stringMatching(/^the innocent crowd “honest tags” is challenged: \d+ of 120/),
      remedy: 'The weight of plus_alias is 35, by default 6: set it back.',
    });
  });

  it('with an entry that decides are told which', () => {
    expect(find('open door', 'numbered names at gmail.com')).toMatchObject({
      place: expect.stringMatching(/:13:22$/),
      remedy: expect.stringMatching(
        /^The entry allow gmail\.com lets in \d+ of them: remove it, or make it narrower\.$/,
      ),
    });
    expect(find('shut door', 'conference Wi-Fi')).toMatchObject({
      what: expect.stringMatching(/is blocked: \d+ of 250 \(the defaults: 0\)\.$/),
      remedy: expect.stringMatching(/^The entry deny DE stops \d+ of them/),
    });
    // An expired entry decides nothing, and one whose address is not known cannot be tried.
    expect(of('expired')).toEqual([]);
    expect(all.untested_entries).toBe(1);
  });

  it('of a key are tested apart, with the lists of its account', () => {
    expect(find('expired, key form', 'numbered names at gmail.com')?.remedy).toMatch(/^Its score is/);
  });

  it('may miss what they accept', () => {
    const [lax] = all.rules;
    expect(lax?.results.find(({ name }) => name === 'list bombing')).toMatchObject({ accepted: true });
    expect(all.failures.filter(({ name }) => name === 'list bombing')).toEqual([]);
  });
});

it('the defaults pass, and so does the example of docs/policy.md, with its cases', async () => {
  const { status, stdout, stderr } = await run(fileOf('version: 1\n'), '--text');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^kit at outlook\.com +\d+ +\w+ +9\d% +90% +9\d%$/m);
  expect(stdout).toMatch(/^All \d+ checks passed\.$/m);
  const example = await report(EXAMPLE);
  expect(example).toMatchObject({ ok: true, failures: [] });
  expect(example.cases.map(({ verdict }) => verdict)).toEqual(['allow', 'block']);
});

it('prints what docs/policy.md shows', async () => {
  const shown = /<!-- failing-test -->\n```text\n(.*)\n```/.exec(PAGE)?.[1] ?? '';
  const file = fileOf(EXAMPLE.replace('challenge: 30, block: 60', 'challenge: 45, block: 60'));
  const { status, stdout, stderr } = await run(file, '--text');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^gatehouse: \d+ of \d+ checks failed\n$/);
  const lines = stdout.replaceAll(file, 'policy.yaml').split('\n').map(withoutShares);
  expect(lines).toContain(withoutShares(shown));
  for (const fact of CASE_FACTS) expect(PAGE).toContain(`\`${fact}\``);
});

describe('cases', () => {
  const only = (...cases: string[]) =>
    report(
      [
        'version: 1',
        'accounts:',
        '  - name: Shop',
        '    lists: { deny: [{ value: BR }] }',
        'cases:',
        ...cases,
      ].join('\n'),
      '--cases-only',
    );

  it('are judged by the rules, by what they say of the world, and by lists', async () => {
    const { cases, failures, checks } = await only(
      '  - { name: plain, email: ann.weber@harbour.com, expect: allow }',
      '  - { name: no mail, email: ann@harbour.com, evidence: { mx: no_domain }, expect: block }',
      '  - { name: reserved, email: ann@partner.example, evidence: { mx: valid }, expect: allow }',
      '  - { name: new, email: ann@harbour.com, evidence: { domain_age_days: 2 }, expect: challenge }',
      '  - { name: tor, email: ann@harbour.com, ip: 79.192.0.1, evidence: { tor: true }, expect: challenge }',
      '  - { name: list, email: ann@harbour.com, ip: 79.192.0.1, evidence: { country: BR }, expect: block }',
      '  - { name: burst, email: ann@harbour.com, ip: 79.192.0.1, evidence: { signups_from_ip_1h: 60 }, expect: challenge }',
      '  - { name: brought, email: ann@harbour.com, ip: 79.192.0.1, brought_by: member, evidence: { signups_from_ip_1h: 60 }, expect: allow }',
    );
    expect(failures).toEqual([]);
    expect([cases.length, checks]).toEqual([8, 8]);
  });

  it('that fail say what was found, and which change would help', async () => {
    const { failures } = await only(
      '  - { name: tor, email: ann@harbour.com, ip: 79.192.0.1, evidence: { tor: true }, expect: allow }',
    );
    expect(failures).toMatchObject([
      {
        kind: 'case',
        place: expect.stringMatching(/:6:5$/),
        what: 'the case “tor” is challenged (score 48), expected: allowed. Found: 79.192.0.1 is a Tor exit (48.0 points).',
        remedy: 'Without the finding “79.192.0.1 is a Tor exit”, this would have been allowed (score 0).',
      },
    ]);
  });

  it('of another file are added; they name an account where there are several', async () => {
    const cases = fileOf(CASES);
    const added = await report('version: 1', '--cases', cases, '--cases-only');
    expect(added.cases).toMatchObject([{ name: 'customer of ticket 1881', ok: true }]);
    const two = fileOf('version: 1\naccounts: [{ name: A }, { name: B }]');
    const { status, stderr } = await run(two, '--cases', cases, '--cases-only');
    expect([status, stderr]).toEqual([
      1,
      `gatehouse: ${cases}:3:5: the file has several accounts: say which one decides, as account: A.\n`,
    ]);
    const unknown = fileOf('version: 1\naccept: [nothing]');
    expect((await run(unknown, '--cases-only')).stderr).toContain(':2:10: there is no wave or crowd nothing');
  });
});

it('writes the results as JUnit XML', async () => {
  const junit = join(folder, 'report.xml');
  const text =
    'version: 1\naccounts: [{ name: A & "B" }]\ncases: [{ name: <x>, email: a@mailinator.com, expect: allow }]';
  const { status } = await run(fileOf(text), '--junit', junit, '--cases-only');
  expect(status).toBe(1);
  const xml = readFileSync(junit, 'utf8');
  expect(xml).toContain('<testsuite name="cases" tests="1" failures="1">');
  expect(xml).toMatch(
    /<testcase name="A &amp; &quot;B&quot;: &lt;x&gt;" classname="cases"><failure message="[^"<]*:3:9: /,
  );
});

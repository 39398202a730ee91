/** The GitHub action: its steps run as a runner would run them, and its problem matcher reads what the command prints. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { BIN, ROOT } from '../support/command.ts';

interface Step {
  readonly run: string;
  readonly shell: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly if?: string;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string; readonly description: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const ACTION_FOLDER = join(ROOT, 'deploy/github-action');
const action = parse(readFileSync(join(ACTION_FOLDER, 'action.yml'), 'utf8')) as Action;
const { problemMatcher } = JSON.parse(readFileSync(join(ACTION_FOLDER, 'problem-matcher.json'), 'utf8')) as {
  problemMatcher: { owner: string; pattern: { regexp: string }[] }[];
};
const MATCHER = new RegExp(problemMatcher[0]?.pattern[0]?.regexp ?? '');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-action-'));
  // Stands for the package: the command that npx would fetch, and the arguments before it.
  const npx = `#!/bin/sh\necho "$1 $2" > npx.txt\nshift 2\nexec "${process.execPath}" "${BIN}" "$@"\n`;
  writeFileSync(join(folder, 'npx'), npx, { mode: 0o755 });
  writeFileSync(join(folder, 'policy.yaml'), 'version: 1\n');
  writeFileSync(
    join(folder, 'bad policy.yaml'),
    'version: 1\naccounts: [{ name: Shop, thresholds: { challenge: 45, block: 60 } }]\n',
  );
  writeFileSync(
    join(folder, 'lax.yaml'),
    'version: 1\naccounts: [{ name: Shop, thresholds: { challenge: 45, block: 60 } }]\n',
  );
  writeFileSync(join(folder, 'cases.yaml'), 'cases: [{ email: a@mailinator.com, expect: block }]\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Output of a step and its status; inputs are those of a workflow, else the defaults. */
function runStep(step: Step, inputs: Readonly<Record<string, string>> = {}) {
  const env = Object.entries(step.env ?? {}).map(([name, text]) => {
    const value = text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) => {
      return inputs[input] ?? (action.inputs[input] as { default: string }).default;
    });
    return [name, value];
  });
  return new Promise<{ status: number; output: string }>((done) => {
    execFile(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run],
      {
        cwd: folder,
        env: {
          ...Object.fromEntries(env),
          PATH: `${folder}:${process.env.PATH}`,
          GITHUB_ACTION_PATH: ACTION_FOLDER,
        },
      },
      (error, stdout, stderr) =>
        done({ status: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

const [add, test, remove] = action.runs.steps as [Step, Step, Step];

describe('the action', () => {
  it('has steps of bash, and reads no input but as a value of the environment', () => {
    expect(action.runs).toMatchObject({ using: 'composite', steps: { length: 3 } });
    for (const { shell, run } of action.runs.steps) {
      expect(shell).toBe('bash');
      expect(run).not.toContain('${{');
    }
    expect(remove.if).toBe('always()');
  });

  it('adds the matcher, and removes it by its name', async () => {
    const [, path = ''] = /^::add-matcher::(.*)\n$/.exec((await runStep(add)).output) ?? [];
    expect(existsSync(path)).toBe(true);
    expect((await runStep(remove)).output).toBe(`::remove-matcher owner=${problemMatcher[0]?.owner}::\n`);
  });

  it('passes for a good policy, with cases, in the version that was asked for', async () => {
    const { status, output } = await runStep(test, { cases: 'cases.yaml', version: '0.1.0' });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/All \d+ checks passed/) });
    expect(output).toMatch(/^ok +block .* a@mailinator\.com/m);
    expect(readFileSync(join(folder, 'npx.txt'), 'utf8')).toBe('--yes gatehouse-server@0.1.0\n');
    expect(readFileSync(join(folder, 'gatehouse-policy.xml'), 'utf8')).toContain('failures="0"');
  });

  it('fails for a bad one, and each failure is matched at its line', async () => {
    const { status, output } = await runStep(test, { policy: 'lax.yaml' });
    expect(status).toBe(1);
    const matched = output.split('\n').flatMap((line) => MATCHER.exec(line) ?? []);
    expect(matched.slice(1, 4)).toEqual(['lax.yaml', '2', '38']);
    expect(matched[4]).toMatch(/^Shop: the wave “.*” passes: .* set challenge to \d+ or lower\.$/);
    // Spaces in a name stay one name.
    expect((await runStep(test, { policy: 'bad policy.yaml' })).status).toBe(1);
  });

  it('matches an error of the file, too', async () => {
    writeFileSync(join(folder, 'broken.yaml'), 'version: 1\naccount: []\n');
    const { status, output } = await runStep(test, { policy: 'broken.yaml' });
    expect(status).toBe(1);
    expect(MATCHER.exec(output.trim())?.slice(1)).toEqual([
      'broken.yaml',
      '2',
      '1',
      'a policy file has no account; did you mean accounts?',
    ]);
  });
});

it('the workflow of docs/policy.md names inputs that the action has, and may only read', () => {
  const page = readFileSync(join(ROOT, 'docs/policy.md'), 'utf8');
  const workflow = parse(/<!-- workflow -->\n```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
  expect(workflow.permissions).toEqual({ contents: 'read' });
  const step = workflow.jobs.test.steps.at(-1);
  expect(step.uses).toBe('./.github/actions/gatehouse-policy');
  expect(Object.keys(step.with).filter((name) => !(name in action.inputs))).toEqual([]);
});

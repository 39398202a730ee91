/** gatehouse policy: what is exported is applied without a change, a plan says old → new, all of it is applied or nothing. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type CommandResult, failureOf, gatehouse } from '../support/command.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { plant, plantKey } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { withStored } from '../support/stored.ts';
import { inTerminal, NO_TERMINAL } from '../support/terminal.ts';

interface Applied {
  readonly applied: boolean;
  readonly counts: { readonly create: number; readonly change: number; readonly remove: number };
  readonly changes: readonly {
    readonly kind: string;
    readonly what: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
  readonly not_in_file: number;
  readonly expired_in_file: number;
}

let installation: Installation;
let accounts: string[];
beforeAll(async () => {
  installation = await createInstallation();
  const made = [];
  for (const name of ['Shop', 'Blog', 'Forum', 'Twin', 'Twin'])
    made.push(await plant(installation, { name }));
  accounts = made.map(({ id }) => id);
  const thresholds = { challenge: 20, block: 50 };
  const [shop = '', , forum = ''] = accounts;
  for (const account of [shop, forum])
    await plantKey(installation, account, 'live', { name: 'signup form: "a"', thresholds });
});
afterAll(() => installation?.remove());

const run = (...args: string[]): Promise<CommandResult> =>
  gatehouse(['policy', ...args], installation.environment);
const list = (account: string, ...args: string[]) =>
  installation.json('list', 'add', '--account', account, ...args);
const exported = async (account: string) => {
  const { stdout, stderr, status } = await run('export', '--account', account);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
};
let files = 0;
function fileOf(text: string): string {
  files += 1;
  const path = join(installation.directory, `policy-${files}.yaml`);
  writeFileSync(path, text);
  return path;
}
async function apply(text: string, ...args: string[]): Promise<Applied> {
  const { stdout, stderr, status } = await run('apply', fileOf(text), ...args, '--json');
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return JSON.parse(stdout) as Applied;
}
const refusal = async (text: string, ...args: string[]) =>
  failureOf(await run('apply', fileOf(text), '--yes', ...args), 1).replace(/^.*policy-\d+\.yaml:/, '');
const auditOf = async (account: string) =>
  (
    await installation.json<{ action: string; target: string; detail: string }[]>(
      'audit',
      '--account',
      account,
    )
  ).map(({ action, target, detail }) => `${action} ${target} ${detail}`);

describe('export', () => {
  it('writes all rules in one order, without secrets, and applying it again changes nothing', async () => {
    const [shop = ''] = accounts;
    await list(shop, '--allow', 'partner.example', '--reason', 'contract: of May, #3');
    await list(shop, '--allow', 'gmail.com', '--wide', '--expires', '2099-01-31');
    await list(shop, '--deny', 'NO', '--reason', 'yes');
    await list(shop, '--deny', 'jo@example.com');
    await list(shop, '--deny', 'jo@example.com', '--exact');
    await list(shop, '--office', 'example.com + 203.0.113.7');
    await installation.run('account', 'set', shop, '--challenge', '25', '--block', '70');
    const text = await exported(shop);
    expect(parse(text)).toEqual({
      version: 1,
      accounts: [
        {
          name: 'Shop',
          thresholds: { challenge: 25, block: 70 },
          keys: [{ name: 'signup form: "a"', thresholds: { challenge: 20, block: 50 } }],
          lists: {
            allow: [
              { value: 'gmail.com', kind: 'domain', expires: '2099-01-31T00:00:00Z', wide: true },
              { value: 'partner.example', kind: 'domain', reason: 'contract: of May, #3' },
            ],
            deny: [
              { value: 'j***@example.com', kind: 'address', id: expect.stringMatching(/^lst_/) },
              { value: 'j***@example.com', kind: 'mailbox', id: expect.stringMatching(/^lst_/) },
              { value: 'NO', kind: 'country', reason: 'yes' },
            ],
          },
          shared_offices: [{ value: 'example.com + 203.0.113.7', kind: 'domain_network' }],
        },
      ],
    });
    expect(text).toContain('Lists may have personal data');
    expect(text).not.toMatch(/sk_live|jo@example/);
    // YAML 1.1 reads NO and yes as false and true.
    expect(parse(text, { version: '1.1' })).toEqual(parse(text));
    expect(await exported(shop)).toBe(text);
    for (const args of [[], ['--prune'], ['--prune', '--yes']])
      expect(await apply(text, ...args)).toMatchObject({ applied: false, changes: [], not_in_file: 0 });
    expect(await exported(shop)).toBe(text);
  });

  it('writes the file for its owner alone, prints the same as JSON, and names accounts with one name by their ids', async () => {
    const path = join(installation.directory, 'all.yaml');
    const written = await installation.json('policy', 'export', path);
    expect(written).toEqual({ file: path, accounts: 5, entries: 6 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { stdout } = await run('export', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      accounts: [
        { name: 'Blog' },
        { name: 'Forum' },
        { name: 'Shop' },
        ...accounts
          .slice(3)
          .toSorted()
          .map((id) => ({ name: 'Twin', id })),
      ],
    });
    expect((await run('export')).stdout).toBe(readFileSync(path, 'utf8'));
    // A whole installation, and JSON is YAML.
    for (const text of [readFileSync(path, 'utf8'), stdout])
      expect(await apply(text, '--prune', '--yes')).toMatchObject({ changes: [], not_in_file: 0 });
  });

  it('has whole addresses where the installation keeps them', async () => {
    const full = { ...installation.environment, GATEHOUSE_STORE_EMAILS: 'on' };
    const [, , , twin = ''] = accounts;
    await gatehouse(['list', 'add', '--account', twin, '--deny', 'Jo.Doe+x@gmail.com'], full);
    const text = await exported(twin);
    expect(parse(text).accounts[0].lists.deny).toEqual([{ value: 'jodoe@gmail.com', kind: 'mailbox' }]);
    expect(await apply(text, '--prune')).toMatchObject({ changes: [] });
  });
});

describe('apply', () => {
  const POLICY = `
version: 1
accounts:
  - name: Blog
    thresholds: { challenge: 20, block: 50 }
    weights: { vpn: 40, hosting: 0 }
    lists:
      allow:
        - { value: partner.example, reason: contract, expires: 2099-01-31 }
        - { value: ann@example.com }
      deny:
        - { value: 203.0.113.0/24, expires: 2001-01-31 }
    shared_offices:
      - { value: harbour.example + AS64500 }
`;

  it('shows a plan, changes nothing without --yes, then all of it with its audit entries, and nothing again', async () => {
    const [, blog = ''] = accounts;
    await list(blog, '--deny', 'old.example', '--reason', 'bots');
    const before = await exported(blog);
    const plan = await apply(POLICY);
    expect(plan).toMatchObject({ applied: false, not_in_file: 1, expired_in_file: 1 });
    expect(plan.counts).toEqual({ create: 3, change: 3, remove: 0 });
    expect(plan.changes.map(({ what, from, to }) => [what, from, to])).toEqual([
      ['thresholds', 'the default thresholds', 'challenge 20, block 50'],
      ['weight vpn', '28', '40'],
      ['weight hosting', '28', '0'],
      ['allow partner.example', null, 'contract, until 2099-01-31T00:00:00Z'],
      ['allow a***@example.com', null, 'for ever'],
      ['shared office harbour.example + AS64500', null, 'for ever'],
    ]);
    expect(await exported(blog)).toBe(before);
    expect(await apply(POLICY, '--yes')).toMatchObject({ applied: true, changes: plan.changes });
    expect(await apply(POLICY, '--yes')).toMatchObject({ applied: false, changes: [], not_in_file: 1 });
    expect((await auditOf(blog)).slice(0, 5)).toEqual([
      'list.office harbour.example + AS64500 ',
      'list.allow a***@example.com ',
      'list.allow partner.example contract',
      'policy.save custom-1 vpn 28 → 40, hosting 28 → 0',
      'thresholds.set account the default thresholds → challenge 20, block 50',
    ]);
    const shown = await installation.json<{ value: string; author: string }[]>(
      'list',
      'show',
      '--account',
      blog,
    );
    expect(shown.find(({ value }) => value === 'a***@example.com')?.author).toMatch(/^command line \(/);
  });

  it('changes what differs, and with --prune removes what the file does not name', async () => {
    const [, blog = ''] = accounts;
    const changed = POLICY.replace('reason: contract,', 'reason: new contract,').replace(', hosting: 0', '');
    const kept = await apply(changed, '--yes');
    expect(kept.changes).toEqual([
      expect.objectContaining({
        kind: 'change',
        from: 'contract, until 2099-01-31T00:00:00Z',
        to: 'new contract, until 2099-01-31T00:00:00Z',
      }),
    ]);
    expect(kept.not_in_file).toBe(2);
    const { stdout } = await run('apply', fileOf(changed), '--prune', '--yes', '--text');
    expect(stdout).toBe(
      [
        `Blog (${blog})`,
        '  - weight hosting: 0 → 28, the default',
        '  - deny old.example: bots, for ever',
        '',
        '0 to create, 0 to change, 2 to remove.',
        '1 entry of the file expired: left out.',
        'Applied.',
        '',
      ].join('\n'),
    );
    const all = 'version: 1\naccounts:\n  - name: Blog\n';
    expect((await apply(all, '--prune', '--yes')).counts).toEqual({ create: 0, change: 0, remove: 5 });
    expect(parse(await exported(blog)).accounts).toEqual([{ name: 'Blog', thresholds: 'default' }]);
  });

  it('sets the thresholds of keys by name, and takes them away', async () => {
    const [, , forum = ''] = accounts;
    const keys = (text: string) => `version: 1\naccounts:\n  - name: Forum\n    keys:\n${text}`;
    const name = `name: 'signup form: "a"'`;
    const set = await apply(keys(`      - { ${name}, thresholds: { challenge: 21, block: 51 } }`), '--yes');
    expect(set.changes).toMatchObject([
      { what: 'live key signup form: "a"', from: 'challenge 20, block 50', to: 'challenge 21, block 51' },
    ]);
    const away = await apply(keys(`      - { ${name}, thresholds: account }`), '--yes');
    expect(away.changes).toMatchObject([{ kind: 'change', to: 'the account’s thresholds' }]);
    expect(parse(await exported(forum)).accounts[0]).not.toHaveProperty('keys');
  });

  it.each([
    ['    id: acc_nobody', /^3:5: there is no account acc_nobody/],
    ['    name: Nobody', /^3:5: there is no account Nobody/],
    ['    name: Twin', /^3:5: 2 accounts have this name: add the id, acc_\S+ or acc_/],
    [
      '    name: Shop\n    keys: [{ name: x, thresholds: account }]',
      /^4:12: Shop has no live key x; `gatehouse key list --account acc_\S+` shows its keys$/,
    ],
    [
      '    name: Shop\n    lists: { deny: [{ value: j***@x.com, id: lst_x }] }',
      /^4:21: Shop has no such entry lst_x: write the whole address instead/,
    ],
    [
      '    name: Forum\n    lists: { deny: [{ value: gmail.com }] }',
      /^4:21: gmail\.com is shared by many unrelated people; add wide: true if you mean all of them$/,
    ],
  ])('refuses what the installation does not have, and changes nothing: %j', async (member, line) => {
    const text = `version: 1\naccounts:\n  -${member.slice(3)}\n`;
    const before = (await run('export')).stdout;
    expect(await refusal(text)).toMatch(line);
    expect((await run('export')).stdout).toBe(before);
  });

  it('applies thousands of entries together, or none of them', { timeout: 240_000 }, async () => {
    const entries = Array.from(
      { length: 3_000 },
      (_, at) => `        - { value: bot-${at}.example, reason: bots }`,
    );
    const many = (more: string[]) =>
      ['version: 1', 'accounts:', '  - name: Forum', '    lists:', '      deny:', ...entries, ...more].join(
        '\n',
      );
    expect((await apply(many([]), '--yes')).counts.create).toBe(3_000);
    const [, , forum = ''] = accounts;
    expect(await withStored(installation, (store) => store.listEntries(forum))).toHaveLength(3_000);
    const more = Array.from({ length: 2_001 }, (_, at) => `        - { value: more-${at}.example }`);
    const changed = many(more).replaceAll('reason: bots', 'reason: robots');
    expect(await refusal(changed)).toBe(
      '5001 changes are too many at once: apply parts of the file, 5000 changes each',
    );
  });

  it.skipIf(isSkipped(NO_TERMINAL))('asks on a terminal, and does what it is answered', async () => {
    const file = fileOf(POLICY);
    const no = await inTerminal(['policy', 'apply', file], installation.environment, /\[y\/N\]/, 'n\r');
    expect(no).toContain('Nothing was changed: --yes applies it.');
    const yes = await inTerminal(['policy', 'apply', file], installation.environment, /\[y\/N\]/, 'y\r');
    expect(yes).toContain('Apply these 6 changes?');
    expect(yes).toContain('Applied.');
    expect(await apply(POLICY)).toMatchObject({ changes: [] });
  });
});

it('names a file that is not there, and the place of an error in one that is', async () => {
  for (const command of ['apply', 'test']) {
    expect(failureOf(await run(command, '/nowhere/policy.yaml'), 1)).toBe(
      'there is no file /nowhere/policy.yaml',
    );
    const file = fileOf('version: 1\naccounts: [{ nam: x }]');
    expect(failureOf(await run(command, file), 1)).toBe(
      `${file}:2:14: an account has no nam; did you mean name?`,
    );
  }
});

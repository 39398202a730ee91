/** gatehouse list: add, remove and show, without a running service; the effect of entries is tested over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, failureOf, gatehouse } from '../support/command.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { everythingStored, withStored } from '../support/stored.ts';

interface Shown {
  readonly id: string;
  readonly [member: string]: unknown;
}

let installation: Installation;
/** Created before any command runs: opening the store between commands would keep it open during them. */
const accounts: string[] = [];
beforeAll(async () => {
  installation = await createInstallation();
  for (let count = 0; count < 13; count += 1) accounts.push((await plant(installation)).id);
});
afterAll(() => installation?.remove());

const newAccount = () => accounts.pop() as string;
const run = (...args: string[]): Promise<CommandResult> =>
  gatehouse(['list', ...args], installation.environment);
const read = async <T = Shown>(...args: string[]): Promise<T> => {
  const { status, stdout, stderr } = await run(...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as T;
};
const answerOfAdd = (account: string, ...args: string[]) =>
  read<Shown & { replaced: object | null; conflicts: object[] }>('add', '--account', account, ...args);
/** The entry alone. */
async function add(account: string, ...args: string[]): Promise<Shown> {
  const { replaced, conflicts, ...entry } = await answerOfAdd(account, ...args);
  return entry;
}
const show = (account: string) => read<Shown[]>('show', '--account', account, '--json');

describe('add', () => {
  it('prints the stored entry, with its canonical value', async () => {
    const account = newAccount();
    const made = await add(account, '--deny', ' Shop.EXAMPLE ');
    expect(made).toEqual({
      id: expect.stringMatching(/^lst_[0-9a-z]{26}$/),
      account_id: account,
      action: 'deny',
      kind: 'domain',
      value: 'shop.example',
      reason: null,
      author: 'cli',
      created_at: expect.stringMatching(/Z$/),
      expires_at: null,
      expired: false,
      hits: 0,
      last_hit_at: null,
    });
    expect(await show(account)).toEqual([made]);
  });

  it('names what it replaces, and the entries that it contradicts with their authors, reasons and who wins', async () => {
    const account = newAccount();
    const wide = ['--deny', 'shop.example', '--reason', 'Three chargebacks', '--author', 'jo'];
    const denied = await answerOfAdd(account, ...wide);
    expect(denied).toMatchObject({ replaced: null, conflicts: [] });
    const same = await answerOfAdd(account, '--allow', 'shop.example', '--reason', 'our partner');
    const named = { id: denied.id, author: 'jo', reason: 'Three chargebacks', value: 'shop.example' };
    expect(same.conflicts).toEqual([expect.objectContaining({ ...named, action: 'deny', winner: 'new' })]);
    const again = await answerOfAdd(account, ...wide.slice(0, 2), '--expires', '2100-01-31');
    expect(again.replaced).toEqual({ author: 'jo', reason: 'Three chargebacks', expires_at: null });
    expect(again.conflicts).toEqual([expect.objectContaining({ id: same.id, winner: 'existing' })]);
    const person = await answerOfAdd(account, '--deny', 'jo@shop.example');
    expect(person.conflicts).toEqual([expect.objectContaining({ id: same.id, winner: 'new' })]);
    const { stdout } = await run('add', '--account', account, '--allow', 'shop.example', '--text');
    expect(stdout).toContain('The entry existed already, added by cli (“our partner”), with no expiry.');
    expect(stdout).toContain('cli denies shop.example: for what both match, the new entry decides.');
    expect(stdout).toContain('cli denies j***@shop.example: for what both match, that entry still decides.');
  });

  it('of a top-level domain without its dot says how to write it', async () => {
    const failed = await run('add', '--account', 'acc_nobody', '--deny', 'com');
    expect(failureOf(failed, 2)).toMatch(/For every domain that ends in \.com, write \.com\.$/);
  });

  it('of a domain that unrelated people share needs --wide', async () => {
    const account = newAccount();
    for (const value of ['co.uk', 'github.io', 'gmail.com']) {
      const refused = await run('add', '--account', account, '--deny', value);
      expect(failureOf(refused, 1)).toContain(`${value} is shared by many unrelated people; add --wide`);
    }
    expect(await show(account)).toEqual([]);
    expect(await add(account, '--deny', 'co.uk', '--wide')).toMatchObject({ value: 'co.uk' });
  });

  it('of the same value and action changes the existing entry', async () => {
    const account = newAccount();
    const first = await add(account, '--allow', 'AS64500', '--reason', 'partner', '--expires', '2999-12-31');
    expect(first).toMatchObject({ kind: 'asn', reason: 'partner', expires_at: '2999-12-31T00:00:00Z' });
    const second = await add(account, '--allow', '64500', '--author', 'jo@desk');
    expect(second).toEqual({ ...first, reason: null, author: 'jo@desk', expires_at: null });
    await add(account, '--deny', 'AS64500');
    expect((await show(account)).map(({ action }) => action)).toEqual(['allow', 'deny']);
  });

  it('accepts a relative time', async () => {
    const account = newAccount();
    const inDays = 30 * 86_400_000;
    const { expires_at } = await add(account, '--deny', 'FR', '--expires', '30d');
    const remainingMs = Date.parse(expires_at as string) - Date.now();
    expect(remainingMs).toBeGreaterThan(inDays - 60_000);
    expect(remainingMs).toBeLessThanOrEqual(inDays);
  });
});

describe('an address', () => {
  it('is shown masked, is never stored in clear text, and is found by its text', async () => {
    const account = newAccount();
    const made = await add(account, '--deny', 'Unmistakable.Jo@shop.example');
    expect(made).toMatchObject({ kind: 'mailbox', value: 'u***@shop.example' });
    const pieces = await everythingStored(installation);
    expect(pieces.some((bytes) => bytes.includes('u***@shop.example'))).toBe(true);
    expect(pieces.some((bytes) => bytes.includes('unmistakable'))).toBe(false);
    expect(await read('remove', '--account', account, 'UNMISTAKABLE.jo@shop.example')).toEqual(made);
    expect(await show(account)).toEqual([]);
  });

  it('means its mailbox, and with --exact this spelling alone; both are removed by their text', async () => {
    const account = newAccount();
    const mailbox = await add(account, '--deny', 'J.Doe+x@GoogleMail.com', '--reason', 'first');
    expect(mailbox).toMatchObject({ kind: 'mailbox', value: 'j***@gmail.com' });
    expect(await add(account, '--deny', 'jdoe@gmail.com')).toEqual({ ...mailbox, reason: null });
    const exact = await add(account, '--deny', 'j.doe@gmail.com', '--exact', '--reason', 'this one');
    expect(exact).toMatchObject({ kind: 'address', value: 'j***@gmail.com' });
    const wide = await run('add', '--account', account, '--deny', 'shop.example', '--exact');
    expect(failureOf(wide, 2)).toContain('--exact is for an address');
    const line = failureOf(await run('remove', '--account', account, 'j.doe@gmail.com'), 1);
    expect(line).toContain(`${mailbox.id} (deny)`);
    expect(line).toContain(`${exact.id} (deny, exact)`);
    expect(await read('remove', '--account', account, 'jd.oe@gmail.com')).toMatchObject({ id: mailbox.id });
    expect(await read('remove', '--account', account, 'j.doe@gmail.com')).toEqual(exact);
    const history = await read<Shown[]>('history', '--account', account, 'J.DOE+y@gmail.com');
    expect(history.map(({ change, reason }) => [change, reason])).toEqual([
      ['removed', 'only this spelling: Block list'],
      ['removed', 'Block list'],
      ['added to or changed in the Block list', 'only this spelling: this one'],
      ['added to or changed in the Block list', 'first, for ever → for ever'],
      ['added to or changed in the Block list', 'first'],
    ]);
  });

  it('is stored in full if the setting stores full addresses', async () => {
    const account = newAccount();
    const environment = { ...installation.environment, GATEHOUSE_STORE_EMAILS: 'on' };
    const args = ['list', 'add', '--account', account, '--deny', 'Jo@shop.example'];
    const { stdout } = await gatehouse(args, environment);
    expect(JSON.parse(stdout)).toMatchObject({ value: 'jo@shop.example' });
  });
});

describe('remove', () => {
  it('accepts an id or a value, but only of its own account', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const byId = await add(account, '--deny', '203.0.113.0/24');
    const byValue = await add(account, '--deny', '2001:db8::/32');
    await add(other, '--deny', '203.0.113.0/24');
    expect(failureOf(await run('remove', '--account', other, byId.id), 1)).toContain(byId.id);
    expect(await read('remove', '--account', account, byId.id)).toEqual(byId);
    expect(await read('remove', '--account', account, '2001:DB8:0::/32', '--json')).toEqual(byValue);
    expect(await show(account)).toEqual([]);
    expect(await show(other)).toHaveLength(1);
  });

  it('asks which entry to remove if a value is both allowed and denied', async () => {
    const account = newAccount();
    const allow = await add(account, '--allow', 'shop.example');
    const deny = await add(account, '--deny', 'shop.example');
    const line = failureOf(await run('remove', '--account', account, 'shop.example'), 1);
    expect(line).toContain(`${allow.id} (allow)`);
    expect(line).toContain(`${deny.id} (deny)`);
    expect(await show(account)).toHaveLength(2);
  });
});

describe('a failure', () => {
  it('has status 1 and one line that says why', async () => {
    const account = newAccount();
    const failing: [string[], string][] = [
      [['add', '--account', 'acc_nobody', '--deny', 'FR'], 'acc_nobody'],
      [['show', '--account', 'acc_nobody'], 'acc_nobody'],
      [['remove', '--account', 'acc_nobody', 'FR'], 'acc_nobody'],
      [['remove', '--account', account, 'lst_nobody'], 'lst_nobody'],
      [['remove', '--account', account, 'FR'], 'no entry FR'],
    ];
    await Promise.all(
      failing.map(async ([args, named]) => expect(failureOf(await run(...args), 1)).toContain(named)),
    );
  });
});

describe('history', () => {
  it('says who added, changed and removed an entry, until that is erased', async () => {
    const account = newAccount();
    const of = ['--account', account];
    const value = 'jo@mail.example';
    await add(account, '--deny', value, '--reason', 'first');
    await add(account, '--deny', value, '--reason', 'second');
    await add(account, '--allow', 'other.example');
    await read('remove', value, ...of);
    const shown = { value: 'j***@mail.example', by: expect.stringMatching(/^command line \(/) };
    expect(await read('history', value, ...of)).toEqual([
      { ...shown, at: expect.any(String), change: 'removed', reason: 'Block list' },
      ...['first, for ever → second, for ever', 'first'].map((reason) => ({
        ...shown,
        at: expect.any(String),
        reason,
        change: 'added to or changed in the Block list',
      })),
    ]);
    expect(await read('erase-history', value, ...of)).toEqual({ would_erase: true, entries: 3 });
    expect(await read('erase-history', value, ...of, '--yes')).toEqual({ erased: true, entries: 3 });
    expect(await read('history', value, ...of)).toEqual([]);
    expect(await read('history', 'other.example', ...of)).toHaveLength(1);
    const { entries } = await withStored(installation, (store) => store.auditEntries(account, null, 10));
    expect(entries.map(({ action, target, detail }) => [action, target, detail])).toEqual([
      ['list.history_erased', 'an entry', '3 entries of this log'],
      ['list.remove', 'erased', ''],
      ['list.allow', 'other.example', ''],
      ['list.deny', 'erased', ''],
      ['list.deny', 'erased', ''],
    ]);
  });
});

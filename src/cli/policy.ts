/** gatehouse policy: thresholds, weights, lists and shared offices as a file that is reviewed, tested and applied. */
import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { readConfig } from '../config/config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { isCrowdedEntry, mayBeCrowded } from '../evidence/list-trial.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { PlannedChange, PolicyPlan } from '../operate/policy/plan-policy.ts';
import type { WrittenPolicy } from '../operate/policy/write-policy-file.ts';
import { writePrivateFile } from '../platform/private-file.ts';
import { StaleVersion } from '../store/sql-database.ts';
import { auditOf, commandLineUser, findAccount, withStore } from './installation.ts';
import { command, group } from './options.ts';
import { type OutputOptions, printJson, printLine, printOne, wantsJson } from './output.ts';
import { testCommand } from './policy-test.ts';

interface ExportOptions extends OutputOptions {
  readonly account?: string;
}

interface ApplyOptions extends OutputOptions {
  readonly yes?: true;
  readonly prune?: true;
}

type Entry = Pick<ListEntry, 'kind' | 'value'>;

/** More would make everybody who writes wait for too long. */
const MAX_CHANGES = 5_000;

export function policy(): Command {
  return group(
    'policy',
    'Keep thresholds, weights, lists and shared offices in a file: write it, test it, apply it.',
    [exportCommand(), testCommand(), applyCommand()],
  );
}

const EXPORT_HELP = `
Writes thresholds of accounts and keys, weights that are not the defaults, own lists and shared offices. The order is
always the same, so that two files differ where the rules do. It has no secrets. Lists may have personal data: keep the
file as carefully as they are. Of an address that the installation does not keep in full, it has the masked form and the
id of the entry.

Examples:
  gatehouse policy export > policy.yaml
  gatehouse policy export policy.yaml --account acc_…

The form of the file: docs/policy.md.`;

function exportCommand(): Command {
  return command(
    'export',
    'Write the rules of all accounts as a policy file (YAML).',
    [new Option('--account <id>', 'only of this account')],
    'print JSON, which is YAML, too',
    'print YAML (default)',
  )
    .argument('[file]', 'the file to write; without it, or with -, it is printed')
    .addHelpText('after', EXPORT_HELP)
    .action(async (file: string | undefined, options: ExportOptions) => {
      const written = await readWritten(options);
      const { toYaml } = await import('../operate/policy/write-policy-file.ts');
      if (file !== undefined && file !== '-') {
        writePrivateFile(file, toYaml(written));
        printOne({ file, accounts: written.accounts.length, entries: countEntries(written) }, options);
      } else if (options.json === true) printJson(written);
      else process.stdout.write(toYaml(written));
    });
}

function readWritten({ account }: ExportOptions): Promise<WrittenPolicy> {
  return withStore(async (store, hashes) => {
    const [{ readInstalledRules }, { toWrittenPolicy }] = await Promise.all([
      import('../operate/policy/installed-rules.ts'),
      import('../operate/policy/write-policy-file.ts'),
    ]);
    if (account !== undefined) await findAccount(store, account);
    const installed = await readInstalledRules(store, Date.now(), account);
    const isCrowded = await openIsCrowded(installed.accounts.flatMap(({ entries }) => entries));
    return toWrittenPolicy(installed, { hashes, isCrowded });
  });
}

const countEntries = ({ accounts }: WrittenPolicy) =>
  accounts.reduce(
    (sum, { lists, shared_offices }) => sum + lists.allow.length + lists.deny.length + shared_offices.length,
    0,
  );

/** The snapshot is read only where an entry may be about a domain that strangers share. */
async function openIsCrowded(entries: readonly Entry[]): Promise<(entry: Entry) => boolean> {
  if (entries.every((entry) => mayBeCrowded(entry) === undefined)) return () => false;
  const { openIntel } = await import('../wiring/intel.ts');
  const intel = await openIntel(readConfig());
  return (entry) => isCrowdedEntry(entry, intel);
}

const APPLY_HELP = `
Shows what would be created, changed and removed, old → new. On a terminal it asks before it changes anything; elsewhere
it changes nothing without --yes. All of it is done in one transaction, or nothing. Each change is in the audit log, and a
running service follows within a second. Applying the same file again changes nothing.

Of the accounts in the file, what the file does not name stays as it is. With --prune it is removed: list entries and
shared offices go, weights and thresholds return to the defaults. Other accounts never change. Accounts and keys are not
created.

Examples:
  gatehouse policy apply policy.yaml
  gatehouse policy apply policy.yaml --prune --yes

The form of the file: docs/policy.md.`;

function applyCommand(): Command {
  return command('apply', 'Change an installation so that it is as a policy file says; shows a plan first.', [
    new Option('--yes', 'apply it without a question'),
    new Option('--prune', 'remove what the file does not name of its accounts'),
  ])
    .argument('<file>', 'the policy file; - reads the standard input')
    .addHelpText('after', APPLY_HELP)
    .action((file: string, options: ApplyOptions) => apply(file, options));
}

async function apply(file: string, options: ApplyOptions): Promise<void> {
  const [{ readPolicyFile }, { readInstalledRules }, { planPolicy }] = await Promise.all([
    import('../operate/policy/read-policy-file.ts'),
    import('../operate/policy/installed-rules.ts'),
    import('../operate/policy/plan-policy.ts'),
  ]);
  const written = readPolicyFile(file);
  const values = written.accounts.flatMap(({ entries }) => entries.flatMap(({ value }) => value ?? []));
  await withStore(async (store, hashes) => {
    const now = Date.now();
    const installed = await readInstalledRules(store, now);
    const plan = planPolicy(written, installed, {
      prune: options.prune === true,
      hashes,
      storeEmails: readConfig().storeEmails,
      makeId: createMakeId(),
      author: commandLineUser(),
      auditOf,
      isCrowded: await openIsCrowded(values),
      now,
    });
    if (plan.rules.length > MAX_CHANGES)
      throw new Error(
        `${plan.rules.length} changes are too many at once: apply parts of the file, ${MAX_CHANGES} changes each`,
      );
    const isText = !wantsJson(options);
    if (isText) for (const line of planLines(plan)) printLine(line);
    const isApplied =
      plan.rules.length > 0 && (options.yes === true || (await isConfirmed(file, plan, options)));
    if (isApplied) await store.changeRules(installed.versions, plan.rules).catch(sayMeanwhile);
    if (!isText) printJson(planJson(plan, isApplied));
    else if (isApplied) printLine('Applied.');
    else if (plan.rules.length > 0) printLine('Nothing was changed: --yes applies it.');
  });
}

/** Only a person at a terminal is asked. */
async function isConfirmed(file: string, { changes }: PolicyPlan, options: ApplyOptions): Promise<boolean> {
  if (wantsJson(options) || file === '-' || process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(
      `Apply ${changes.length === 1 ? 'this change' : `these ${changes.length} changes`}? [y/N] `,
    );
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

function sayMeanwhile(error: Error): never {
  if (!(error instanceof StaleVersion)) throw error;
  throw new Error(
    'somebody else changed accounts, keys or lists meanwhile, and nothing was applied: run this again',
  );
}

const MARKS: Readonly<Record<PlannedChange['kind'], string>> = { create: '+', change: '~', remove: '-' };

function planLines({ changes, unnamed, expired }: PolicyPlan): string[] {
  const lines: string[] = [];
  let account = '';
  for (const change of changes) {
    if (change.account.id !== account) lines.push(`${change.account.name} (${change.account.id})`);
    account = change.account.id;
    lines.push(`  ${MARKS[change.kind]} ${change.what}: ${arrow(change)}`);
  }
  if (lines.length > 0) lines.push('');
  const counts = countsOf(changes);
  lines.push(
    changes.length === 0
      ? 'Nothing to change.'
      : `${counts.create} to create, ${counts.change} to change, ${counts.remove} to remove.`,
  );
  if (unnamed > 0)
    lines.push(
      `${unnamed} ${unnamed === 1 ? 'setting or entry is not in the file and stays' : 'settings and entries are not in the file and stay'}: --prune removes them.`,
    );
  if (expired > 0)
    lines.push(`${expired} ${expired === 1 ? 'entry' : 'entries'} of the file expired: left out.`);
  return lines;
}

const arrow = ({ from, to }: PlannedChange) =>
  from === null || to === null ? (from ?? to ?? '') : `${from} → ${to}`;

function planJson({ changes, unnamed, expired }: PolicyPlan, applied: boolean) {
  return {
    applied,
    counts: countsOf(changes),
    changes: changes.map(({ account, ...change }) => ({
      account: account.id,
      account_name: account.name,
      ...change,
    })),
    not_in_file: unnamed,
    expired_in_file: expired,
  };
}

function countsOf(changes: readonly PlannedChange[]) {
  const of = (kind: PlannedChange['kind']) => changes.filter((change) => change.kind === kind).length;
  return { create: of('create'), change: of('change'), remove: of('remove') };
}

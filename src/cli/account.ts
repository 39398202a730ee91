/** gatehouse account: creates, changes and shows accounts. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { describeAccountChanges, describeNewThresholds } from '../accounts/audit-log.ts';
import { limitsOf } from '../accounts/plans.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { PLAN_NAMES, type PlanName } from '../contract/messages.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { parseTimeZone, type TimeZone, UTC } from '../model/time-zone.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { Account, AccountChanges } from '../store/store.ts';
import { deleteAccount } from './account-delete.ts';
import { auditEntry, findAccount, withStore } from './installation.ts';
import {
  command,
  group,
  nameOption,
  type ThresholdOptions,
  thresholdOptions,
  thresholdsFrom,
  wholeNumber,
} from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

const MAX_QUOTA = 1_000_000_000_000;
const MAX_RPS = 100_000;

/** A limit of the account's own, or the plan's. */
type OwnLimit = number | 'plan';

interface LimitOptions extends OutputOptions {
  readonly monthlyQuota?: OwnLimit;
  readonly rps?: OwnLimit;
  readonly timeZone?: TimeZone;
}

interface CreateOptions extends LimitOptions {
  readonly name: string;
  readonly plan: PlanName;
}

interface SetOptions extends LimitOptions, ThresholdOptions {
  readonly name?: string;
  readonly plan?: PlanName;
  readonly overage?: 'on' | 'off';
}

export function account(deletionGraceMs?: number): Command {
  const commands = [create(), set(), list(), deleteAccount(deletionGraceMs)];
  return group('account', 'Create, change and delete accounts.', commands);
}

const planOption = () =>
  new Option('--plan <plan>', 'the plan: rate limit and monthly quota').choices(PLAN_NAMES);

const limitOptions = () => [
  new Option('--monthly-quota <n>', 'assessments a month; “plan” for the plan’s own').argParser(
    limit(0, MAX_QUOTA),
  ),
  new Option('--rps <n>', 'requests per second; “plan” for the plan’s own').argParser(limit(1, MAX_RPS)),
  new Option('--time-zone <name>', 'the zone in which its pages show times, such as Europe/Berlin').argParser(
    timeZone,
  ),
];

function create(): Command {
  return command('create', 'Create an account.', [
    nameOption().makeOptionMandatory(),
    planOption().makeOptionMandatory(),
    ...limitOptions(),
  ]).action(async (options: CreateOptions) => {
    const { name, plan } = options;
    const now = Date.now();
    const limits = limitsFrom(options);
    const created: Account = {
      id: createMakeId()('acc', now),
      name,
      plan,
      overage: false,
      monthlyQuota: limits.monthlyQuota ?? null,
      requestsPerSecond: limits.requestsPerSecond ?? null,
      thresholds: null,
      timeZone: limits.timeZone ?? UTC,
      createdAt: now,
    };
    const entry = auditEntry(
      created.id,
      'account_created',
      name,
      describeAccountChanges({ plan, ...limits }),
    );
    await withStore((store) => store.saveAccount(created, entry), 'make');
    printOne(toRow(created), options);
  });
}

function set(): Command {
  return command('set', 'Change an account; a running service follows within a second.', [
    planOption(),
    new Option('--overage <state>', 'accept requests above the monthly quota').choices(['on', 'off']),
    ...thresholdOptions(),
    ...limitOptions(),
    nameOption(),
  ])
    .argument('<id>', 'the account’s id')
    .action((id: string, options: SetOptions) =>
      withStore(async (store) => {
        const before = await findAccount(store, id);
        const changes = changesOf(before, options);
        await store.changeAccount(id, changes, ...auditEntriesOf(before, changes));
        printOne(toRow(await findAccount(store, id)), options);
      }),
    );
}

function list(): Command {
  return command('list', 'Show all accounts.').action(async (options: OutputOptions) => {
    const { accounts } = await withStore((store) => store.changesSince(0));
    printMany(accounts.map(toRow), options, 'No accounts yet: `gatehouse account create` creates one.');
  });
}

/** @throws when the change does not fit the plan or the thresholds */
function changesOf(before: Account, options: SetOptions): AccountChanges {
  const plan = options.plan ?? before.plan;
  if (plan === 'free' && options.overage === 'on') throw new Error('plan free does not allow overage');
  const overage = options.overage === undefined ? undefined : options.overage === 'on';
  return {
    name: options.name,
    plan: options.plan,
    overage: options.plan === 'free' ? false : overage,
    ...limitsFrom(options),
    thresholds: thresholdsFrom(options, before.thresholds ?? DEFAULT_THRESHOLDS),
  };
}

/** Entries for a change, as on the dashboard: new limits and new thresholds are two. */
function auditEntriesOf({ id, ...before }: Account, changes: AccountChanges): AuditEntry[] {
  const { name = before.name, thresholds } = changes;
  const isChanged = describeAccountChanges(changes) !== '' || changes.name !== undefined;
  return [
    ...(isChanged ? [auditEntry(id, 'account_changed', name, describeAccountChanges(changes, before))] : []),
    ...(thresholds === undefined
      ? []
      : [
          auditEntry(
            id,
            'thresholds.set',
            'account',
            describeNewThresholds('account', before.thresholds, thresholds),
          ),
        ]),
  ];
}

/** Limits as they are stored: `undefined` without the option, `null` for the plan's. */
function limitsFrom({ monthlyQuota, rps, timeZone }: LimitOptions) {
  const toStored = (value: OwnLimit | undefined) => (value === 'plan' ? null : value);
  return { monthlyQuota: toStored(monthlyQuota), requestsPerSecond: toStored(rps), timeZone };
}

function limit(min: number, max: number) {
  const read = wholeNumber(min, max);
  return (text: string): OwnLimit => (text === 'plan' ? text : read(text));
}

function timeZone(text: string): TimeZone {
  const zone = parseTimeZone(text);
  if (zone !== undefined) return zone;
  throw new InvalidArgumentError('Use an IANA name such as Europe/Berlin, or UTC.');
}

function toRow(shown: Account) {
  const limits = limitsOf(shown);
  return {
    id: shown.id,
    name: shown.name,
    plan: shown.plan,
    monthly_quota: limits.monthlyAssessments,
    rps: limits.requestsPerSecond,
    overage: shown.overage,
    challenge: shown.thresholds?.challenge ?? null,
    block: shown.thresholds?.block ?? null,
    time_zone: shown.timeZone,
    created_at: toTime(shown.createdAt),
  };
}

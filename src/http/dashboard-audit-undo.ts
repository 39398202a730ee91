/** POST …/audit/undo: takes back one change that the audit log has, if what it changed is still as it left it. */
import {
  describeAccountChanges,
  describeNewThresholds,
  describeThresholds,
  describeWeights,
  fromTo,
  nameActor,
  nameUser,
  parseAccountChanges,
} from '../accounts/audit-log.ts';
import { changeDirectory } from '../accounts/change-directory.ts';
import { createKeyAdmin } from '../accounts/key-admin.ts';
import { describeKey } from '../accounts/key-audit.ts';
import { createListAdmin, detailOf, type ListAdminOptions } from '../accounts/list-admin.ts';
import { Problem } from '../contract/problem.ts';
import { effectiveWeights, overlay } from '../signup/account-policy.ts';
import { DEFAULT_POLICY } from '../signup/policy.ts';
import type { AuditEntry, MakeAuditEntry } from '../store/audit-store.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import type { Account, Key } from '../store/store.ts';
import type { TakeBackStore } from '../store/take-back-store.ts';
import type { JobAdmin } from '../takeback/job-admin.ts';
import { mayUndo, readKeyUndo, readRoles, readRotation, readThresholds } from './audit-undo-changes.ts';
import { newerEntries, undoerOf } from './audit-undo-mark.ts';
import type { PolicyRoutesOptions } from './dashboard-policy.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf } from './dashboard-values.ts';

export interface AuditUndoOptions extends PolicyRoutesOptions {
  readonly store: PolicyRoutesOptions['store'] &
    ListAdminOptions['store'] &
    Pick<PeopleStore, 'users' | 'memberships' | 'changeRole'> &
    Pick<TakeBackStore, 'takeBackJob'>;
  readonly jobs: Pick<JobAdmin, 'undo'>;
}

/** A change that is to be taken back. */
interface Undo {
  readonly entry: AuditEntry;
  readonly account: Account;
  readonly call: AccountCall<{ readonly id: number }>;
  /** Marks its entries as an undo. */
  readonly audit: MakeAuditEntry;
  /** @throws Problem `conflict`, which says who changed it since, where the log has that */
  refuse(): Promise<never>;
}

/** An entry of a list and its line of the log are written at about the same time. */
const MAX_APART_MS = 10_000;

export function auditUndoRoute(routes: DashboardRoutes, options: AuditUndoOptions): void {
  const { store } = options;
  const undoOf = createUndo(options);
  routes.forAccount<{ readonly id: number }>({
    method: 'POST',
    path: '/accounts/:account/audit/undo',
    minRole: 'owner',
    body: bodyOf({ id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER - 1 } }),
    async handle(call) {
      const { account, body, user, auditEntry } = call;
      const page = await store.auditEntries(account.id, body.id + 1, 1);
      const [entry] = page.entries;
      if (entry === undefined || page.positions[0] !== body.id) throw new Problem('not_found');
      if (!mayUndo(entry, user.operator)) throw notUndoable();
      const audit: MakeAuditEntry = (...parts) => {
        const made = auditEntry(...parts);
        return { ...made, by: undoerOf(made.by, body.id) };
      };
      const refuse = async () => {
        throw await changedSince(options, account.id, entry, body.id);
      };
      await undoOf({ entry, account, call, audit, refuse });
    },
  });
}

function createUndo(options: AuditUndoOptions): (undo: Undo) => Promise<void> {
  const undoKey = createUndoKey(options);
  const undoList = createUndoList(options);
  return async (undo) => {
    const { action, target } = undo.entry;
    if (action === 'thresholds.set' && target === 'account') return undoThresholds(undo, options);
    if (action === 'policy.save') return undoPolicy(undo, options);
    if (action === 'role_changed') return undoRole(undo, options);
    if (action === 'account_changed') return undoAccountChange(undo, options);
    if (action === 'takeback.start') return undoTakeBack(undo, options);
    return action.startsWith('list.') ? undoList(undo) : undoKey(undo);
  };
}

async function undoThresholds({ entry, account, audit, refuse }: Undo, options: AuditUndoOptions) {
  const [before, after] = readThresholds(entry.detail) ?? [];
  if (before === undefined || after === undefined) throw notUndoable();
  await changeDirectory(options, async (conditional) => {
    const current = options.directory.account(account.id)?.thresholds ?? null;
    if (describeThresholds('account', current) !== describeThresholds('account', after)) return refuse();
    const detail = describeNewThresholds('account', after, before);
    await conditional.changeAccount(
      account.id,
      { thresholds: before },
      audit('thresholds.set', 'account', detail),
    );
  });
}

/** Saves the weights of the version before as a new one. */
async function undoPolicy({ entry, account, call, audit, refuse }: Undo, options: AuditUndoOptions) {
  const { directory, store } = options;
  await changeDirectory(options, async (conditional) => {
    const current = directory.policyOf(account.id);
    if (current?.version !== entry.target) return refuse();
    const versions = await store.policies(account.id);
    const at = versions.findIndex(({ version }) => version === current.version);
    const weights = versions[at + 1]?.weights ?? {};
    const note = `Undo of ${current.version}`;
    const made = { accountId: account.id, weights, createdAt: call.now, author: nameUser(call.user), note };
    const after = overlay(DEFAULT_POLICY.weights, weights);
    const words = describeWeights(effectiveWeights(current).weights, after);
    await conditional.savePolicy(made, (version) => audit('policy.save', version, words));
  });
}

async function undoRole({ entry, account, audit, refuse }: Undo, { store }: AuditUndoOptions) {
  const [before, after] = readRoles(entry.detail) ?? [];
  if (before === undefined || after === undefined) throw notUndoable();
  const users = new Map((await store.users()).map((user) => [user.id, user]));
  const memberships = await store.memberships({ accountId: account.id });
  const members = memberships.filter(({ userId, role }) => {
    const person = users.get(userId);
    return role === after && person !== undefined && nameActor(person, account.id) === entry.target;
  });
  const [member] = members;
  if (member === undefined || members.length > 1) return refuse();
  const entryOfUndo = audit('role_changed', entry.target, fromTo(after, before));
  if (await store.changeRole({ ...member, role: before }, after, entryOfUndo)) return;
  throw new Problem('conflict', undefined, {
    message: 'This is the only owner of the account, or the role changed just now.',
    resolution: 'Make somebody else an owner first, or look at the page People.',
  });
}

/** Releases the accounts that a job holds. */
async function undoTakeBack(
  { entry, account, call, audit, refuse }: Undo,
  { store, jobs }: AuditUndoOptions,
): Promise<void> {
  const job = await store.takeBackJob(account.id, entry.target);
  if (job === undefined || !(await jobs.undo(job, call.now, audit))) await refuse();
}

async function undoAccountChange({ entry, account: { id }, audit, refuse }: Undo, options: AuditUndoOptions) {
  const [before, after] = parseAccountChanges(entry.detail) ?? [];
  if (before === undefined || after === undefined) throw notUndoable();
  await changeDirectory(options, async (conditional) => {
    const current = options.directory.account(id);
    const settings = Object.keys(after) as (keyof typeof after)[];
    if (current === undefined || settings.some((setting) => current[setting] !== after[setting]))
      return refuse();
    const { plan, overage } = { ...current, ...before };
    if (plan === 'free' && overage) return refuse();
    const entryOfUndo = audit('account_changed', current.name, describeAccountChanges(before, current));
    await conditional.changeAccount(id, before, entryOfUndo);
  });
}

function createUndoKey(options: AuditUndoOptions): (undo: Undo) => Promise<void> {
  const keys = createKeyAdmin(options);
  return async ({ entry, account, call, audit, refuse }) => {
    const named = options.directory
      .keysOf(account.id)
      .filter(
        (key) => key.revokedAt === null && describeKey(key) === entry.target && key.createdAt <= entry.at,
      );
    const [key] = named;
    if (key === undefined || named.length > 1) return refuse();
    // Another key may have the name since.
    for await (const [, newer] of newerEntries(options.store, account.id, call.body.id))
      if (newer.action === 'key.rename' && newer.target === entry.target) return refuse();
    const change = readKeyUndo(entry);
    const prefix = readRotation(entry.detail);
    const check = async (current: Key) => {
      const isAsLeft = change === undefined ? current.prefix === prefix : change.isAsLeft(current);
      if (!isAsLeft || describeKey(current) !== entry.target) await refuse();
    };
    if (change === undefined) await keys.undoRotation(key, call.now, audit, check);
    else await keys.change(key, change.changes, audit, check);
  };
}

function createUndoList(options: AuditUndoOptions): (undo: Undo) => Promise<void> {
  const lists = createListAdmin(options);
  return async ({ entry: { action, target, detail, at }, account, audit, refuse }) => {
    const found = (await options.store.listEntries(account.id)).filter(
      (entry) =>
        `list.${entry.action}` === action &&
        entry.shown === target &&
        detailOf(entry, entry.reason ?? '') === detail &&
        Math.abs(entry.createdAt - at) < MAX_APART_MS,
    );
    const [entry] = found;
    if (entry === undefined || found.length > 1) return refuse();
    await lists.remove(entry, audit, async (saved) => {
      const isAsLeft = saved.some(({ id, createdAt }) => id === entry.id && createdAt === entry.createdAt);
      if (!isAsLeft) await refuse();
    });
  };
}

function notUndoable(): Problem {
  return new Problem('conflict', undefined, {
    message: 'This entry of the log cannot be taken back: it does not have the old value.',
    resolution: 'Nothing was changed. Change it on its page.',
  });
}

/** The newest change of the same thing, for people. */
async function changedSince(
  { store }: AuditUndoOptions,
  accountId: string,
  entry: AuditEntry,
  position: number,
): Promise<Problem> {
  const resolution = 'Nothing was changed. Look at the newer entries, and change it on its page.';
  for await (const [, newer] of newerEntries(store, accountId, position)) {
    if (!isOfSameThing(newer, entry)) continue;
    const words = newer.detail === '' ? '' : ` (${newer.detail})`;
    return new Problem('conflict', undefined, {
      message: `${newer.by} changed this since${words}.`,
      resolution,
    });
  }
  return new Problem('conflict', undefined, {
    message: 'What this entry is about is not as the entry left it, or is gone.',
    resolution,
  });
}

/** Whether a newer entry is about what this one changed, perhaps under a new name. */
function isOfSameThing(newer: AuditEntry, entry: AuditEntry): boolean {
  if (newer.action === 'key.rename' && newer.detail.startsWith(`${nameOfKey(entry)} → `)) return true;
  if (newer.target !== entry.target && entry.action !== 'policy.save') return false;
  return groupOf(newer) === groupOf(entry) || ['key.revoke', 'person_removed'].includes(newer.action);
}

const nameOfKey = ({ target }: AuditEntry) => target.replace(/^\w+ key /, '');

/** Actions that change the same: both directions of a switch, all changes of a secret or of a list entry. */
function groupOf({ action }: AuditEntry): string {
  const [, group] = /^(list\.|key\.rotate|key\.(?:shadow|enforce))/.exec(action) ?? [];
  return group === undefined ? action : group.replace('enforce', 'shadow');
}

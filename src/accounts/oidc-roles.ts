/** Decides which roles a person has after a sign-in: those that their groups give, beside those that people gave. */
import type { GroupRole } from '../model/group-role.ts';
import { isAtLeast, type Role } from '../model/role.ts';
import type { HeldRole, HeldRoleChange } from '../store/identity-store.ts';

/** The highest role that groups give in each of these accounts. */
export function rolesOfGroups(
  groups: readonly string[],
  mapping: readonly GroupRole[],
  accountIds: readonly string[],
): ReadonlyMap<string, Role> {
  const own = new Set(groups);
  const roles = new Map<string, Role>();
  for (const { role, accountId } of mapping.filter(({ group }) => own.has(group))) {
    const accounts = accountId === null ? accountIds : accountIds.filter((id) => id === accountId);
    for (const id of accounts) roles.set(id, higher(roles.get(id), role));
  }
  return roles;
}

/** Changes from the roles that a person holds to those that the groups give now. A role that people gave is never lowered. */
export function roleChanges(
  held: ReadonlyMap<string, HeldRole>,
  given: ReadonlyMap<string, Role>,
): HeldRoleChange[] {
  const accounts = [...new Set([...held.keys(), ...given.keys()])].sort();
  return accounts.flatMap((accountId) => {
    const before = held.get(accountId) ?? null;
    const after = roleAfter(before, given.get(accountId));
    return isSame(before, after) ? [] : [{ accountId, before, after }];
  });
}

/** Whether a change takes rights away. */
export function isLoss({ before, after }: HeldRoleChange): boolean {
  return before !== null && (after === null || !isAtLeast(after.role, before.role));
}

function roleAfter(before: HeldRole | null, given: Role | undefined): HeldRole | null {
  const handRole = before === null ? null : before.byGroups ? before.handRole : before.role;
  if (given !== undefined) return { role: higher(handRole ?? undefined, given), byGroups: true, handRole };
  return handRole === null ? null : { role: handRole, byGroups: false, handRole: null };
}

function isSame(one: HeldRole | null, other: HeldRole | null): boolean {
  return one?.role === other?.role && one?.byGroups === other?.byGroups && one?.handRole === other?.handRole;
}

function higher(one: Role | undefined, other: Role): Role {
  return one !== undefined && isAtLeast(one, other) ? one : other;
}

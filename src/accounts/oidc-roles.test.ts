import { expect, it } from 'vitest';
import type { GroupRole } from '../model/group-role.ts';
import type { HeldRole } from '../store/identity-store.ts';
import { isLoss, roleChanges, rolesOfGroups } from './oidc-roles.ts';

const MAPPING: readonly GroupRole[] = [
  { group: 'all', role: 'member', accountId: null },
  { group: 'leads', role: 'owner', accountId: 'acc_1' },
  { group: 'fraud', role: 'analyst', accountId: 'acc_1' },
  { group: 'leads', role: 'owner', accountId: 'acc_gone' },
];
const held = (role: HeldRole['role'], byGroups: boolean, handRole: HeldRole['handRole'] = null) => ({
  role,
  byGroups,
  handRole,
});

it('takes the highest role of the groups, in accounts that exist', () => {
  const roles = rolesOfGroups(['fraud', 'all', 'leads', 'ALL'], MAPPING, ['acc_1', 'acc_2']);
  expect([...roles]).toEqual([
    ['acc_1', 'owner'],
    ['acc_2', 'member'],
  ]);
  expect(rolesOfGroups(['ALL', 'lead'], MAPPING, ['acc_1']).size).toBe(0);
});

it.each([
  ['a new role', null, 'member', held('member', true)],
  ['a higher role', held('member', true), 'owner', held('owner', true)],
  ['a lower role', held('owner', true), 'member', held('member', true)],
  ['a group that is gone', held('owner', true), undefined, null],
  ['a role by people, without groups', held('owner', false), undefined, undefined],
  ['a role by people, with a lower one', held('owner', false), 'member', held('owner', true, 'owner')],
  ['a role by people, with a higher one', held('member', false), 'owner', held('owner', true, 'member')],
  ['a role by people that is left', held('owner', true, 'member'), undefined, held('member', false)],
  ['the same role', held('member', true), 'member', undefined],
] as const)('decides %s', (_, before, given, after) => {
  const changes = roleChanges(
    new Map(before === null ? [] : [['acc_1', before]]),
    new Map(given === undefined ? [] : [['acc_1', given]]),
  );
  expect(changes).toEqual(after === undefined ? [] : [{ accountId: 'acc_1', before, after }]);
});

it('knows a loss', () => {
  const loss = (before: HeldRole | null, after: HeldRole | null) =>
    isLoss({ accountId: 'acc_1', before, after });
  expect(loss(held('owner', true), null)).toBe(true);
  expect(loss(held('owner', true), held('member', true))).toBe(true);
  expect(loss(held('member', true), held('member', false))).toBe(false);
  expect(loss(null, held('member', true))).toBe(false);
});

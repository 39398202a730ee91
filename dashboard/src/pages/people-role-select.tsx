/** The role of a person in an account, changed in place; it can be taken back for a moment. */
import { NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ROLES, type Role } from '../../../src/model/role.ts';
import { send, useSend } from '../api.ts';
import { capitalized } from '../ui/format.ts';
import { useUndoToast } from '../ui/undo-toast.tsx';
import type { Seat } from './people-columns.tsx';

const PATH = '/operator/memberships';

export function RoleSelect({ seat: { user, account_id, role } }: { seat: Seat }) {
  const client = useQueryClient();
  const toast = useUndoToast();
  const refreshes = ['/operator/people', `/accounts/${account_id}/audit`, '/session'];
  const change = useSend<unknown, { user_id: string; account_id: string; role: Role }>('PATCH', PATH, {
    refreshes,
  });
  const of = { user_id: user.id, account_id };
  const choose = (next: Role) =>
    change.mutate(
      { ...of, role: next },
      {
        onSuccess: () =>
          toast({
            text: `${user.name || user.email} is ${next === 'member' ? 'a' : 'an'} ${next} now.`,
            async undo() {
              await send('PATCH', PATH, { ...of, role });
              await client.invalidateQueries({
                predicate: ({ queryKey: [key] }) => refreshes.some((path) => String(key).startsWith(path)),
              });
            },
          }),
      },
    );
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${user.email}`}
      value={role}
      disabled={change.isPending}
      error={change.error?.message}
      data={ROLES.map((value) => ({ value, label: capitalized(value) }))}
      onChange={(event) => choose(event.currentTarget.value as Role)}
    />
  );
}

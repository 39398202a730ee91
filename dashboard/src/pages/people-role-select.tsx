/** The role of a person in an account, changed in place; it can be taken back for a moment. */
import { NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ChangedRole } from '../../../src/contract/dashboard-installation.ts';
import { ROLES, type Role } from '../../../src/model/role.ts';
import { send, useSend, withQuery } from '../api.ts';
import { capitalized } from '../ui/format.ts';
import { MeanwhileDialog } from '../ui/meanwhile-dialog.tsx';
import { meanwhileOf } from '../ui/meanwhile-note.tsx';
import { useUndoToast } from '../ui/undo-toast.tsx';
import type { Seat } from './people-columns.tsx';

const PATH = '/operator/memberships';

export function RoleSelect({ seat: { user, account_id, role, version } }: { seat: Seat }) {
  const client = useQueryClient();
  const toast = useUndoToast();
  const refreshes = ['/operator/people', `/accounts/${account_id}/audit`, '/session'];
  const change = useSend<ChangedRole, { user_id: string; account_id: string; role: Role }>('PATCH', PATH, {
    refreshes,
    version,
    begun: version,
  });
  const name = user.name || user.email;
  const of = { user_id: user.id, account_id };
  const choose = (next: Role) =>
    change.mutate(
      { ...of, role: next },
      {
        onSuccess: ({ version }) =>
          toast({
            text: `${name} is ${withArticle(next)} now.`,
            async undo() {
              await send('PATCH', withQuery(PATH, { version }), { ...of, role });
              await client.invalidateQueries({
                predicate: ({ queryKey: [key] }) => refreshes.some((path) => String(key).startsWith(path)),
              });
            },
          }),
      },
    );
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={`Role of ${user.email}`}
        value={role}
        disabled={change.isPending}
        error={meanwhileOf(change.error) === undefined ? change.error?.message : undefined}
        data={ROLES.map((value) => ({ value, label: capitalized(value) }))}
        onChange={(event) => choose(event.currentTarget.value as Role)}
      />
      <MeanwhileDialog
        error={change.error}
        title={`Make ${name} ${withArticle(change.variables?.role ?? role)}?`}
        verb="Change role"
        onSave={() => choose(change.variables?.role ?? role)}
        onYield={change.reset}
      />
    </>
  );
}

function withArticle(role: Role): string {
  return `${role === 'member' ? 'a' : 'an'} ${role}`;
}

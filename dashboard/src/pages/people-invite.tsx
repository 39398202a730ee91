/** Invites a person into an account: address, role, then the link, shown only once. */
import { SegmentedControl, Select, TextInput } from '@mantine/core';
import type { Role } from '../../../src/contract/dashboard-account.ts';
import type { CreatedInvitation } from '../../../src/contract/dashboard-installation.ts';
import { useSend, useSession } from '../api.ts';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { useForm } from '../ui/use-form.ts';

export interface InvitePersonProps {
  /** `undefined`: it is chosen here. */
  readonly account: { readonly id: string; readonly name: string } | undefined;
  onClose(): void;
}

interface Invitation {
  readonly email: string;
  readonly account_id: string;
  readonly role: Role;
}

const ROLE_HINTS: Record<Role, string> = {
  member:
    'Support: finds the person who wrote, reads why, reports mistakes and asks to let a customer in. Changes no settings.',
  analyst: 'Signups, reports, lists and waves. Sees no keys and no people, and changes no thresholds.',
  owner: 'Can do everything in the account: keys, thresholds, weights, lists, and inviting others.',
};

export function InvitePerson({ account, onClose }: InvitePersonProps) {
  const accounts = useSession().data?.accounts ?? [];
  const change = useSend<CreatedInvitation, Invitation>('POST', '/operator/invitations', {
    refreshes: ['/operator/people', ...accounts.map(({ id }) => `/accounts/${id}/audit`)],
  });
  const form = useForm<Invitation, Invitation>({
    values: { email: '', role: 'member', account_id: account?.id ?? accounts[0]?.id ?? '' },
    change,
    body: (invitation) => ({ ...invitation, email: invitation.email.trim() }),
    onClose,
  });
  if (change.data !== undefined) return <InvitationLink created={change.data} onClose={onClose} />;
  const { account_id, role } = form.values;
  return (
    <FormDialog form={form} title="Invite a person" verb="Create invite link" disabled={account_id === ''}>
      <TextInput
        label="Email"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        data-autofocus
        {...form.text('email')}
      />
      {account === undefined && (
        <Select
          label="Account"
          searchable
          allowDeselect={false}
          value={account_id}
          onChange={(id) => form.set({ account_id: id ?? '' })}
          data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
          error={form.errorOf('account_id')}
        />
      )}
      <SegmentedControl
        aria-label="Role"
        value={role}
        onChange={(value) => form.set({ role: value as Role })}
        data={[
          { value: 'member', label: 'Member' },
          { value: 'analyst', label: 'Analyst' },
          { value: 'owner', label: 'Owner' },
        ]}
      />
      <FormHint>{ROLE_HINTS[role]}</FormHint>
    </FormDialog>
  );
}

const ROLE_WORDS: Record<Role, string> = { member: 'a member', analyst: 'an analyst', owner: 'an owner' };

/** Shows the link of an invitation, only once. */
function InvitationLink({ created, onClose }: { created: CreatedInvitation; onClose: () => void }) {
  const { email, account_name, role, expires_at } = created.invitation;
  return (
    <SecretDialog
      title={`${email} is invited`}
      label="Invitation link"
      secret={created.link}
      onClose={onClose}
    >
      Send them this link yourself: Gatehouse does not send it, and it is not shown again. The person who
      accepts it first becomes {ROLE_WORDS[role]} of {account_name}. It expires{' '}
      <RelativeTime at={expires_at} />.
    </SecretDialog>
  );
}

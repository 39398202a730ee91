/** Invites a person into an account: whom, as what, then the link, shown this once. */
import { Button, Group, Modal, SegmentedControl, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Role } from '../../../src/contract/dashboard-account.ts';
import type { CreatedInvitation } from '../../../src/contract/dashboard-installation.ts';
import { useSend, useSession } from '../api.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useSending } from '../ui/use-sending.ts';
import { InvitationLink } from './people-invitation-link.tsx';
import styles from './people-page.module.css';

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

export function InvitePerson({ account, onClose }: InvitePersonProps) {
  const accounts = useSession().data?.accounts ?? [];
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [accountId, setAccountId] = useState(account?.id ?? accounts[0]?.id ?? '');
  const invite = useSend<CreatedInvitation, Invitation>('POST', '/operator/invitations', {
    refreshes: ['/operator/people', `/accounts/${accountId}/audit`],
  });
  const { send, close } = useSending(invite, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send({ email: email.trim(), account_id: accountId, role });
  };
  if (invite.data !== undefined) return <InvitationLink created={invite.data} onClose={onClose} />;
  const wrongEmail = invite.error?.param === 'email';
  return (
    <Modal
      opened
      onClose={close}
      title="Invite a person"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} className={styles.form}>
        <TextInput
          label="Email"
          type="email"
          required
          withAsterisk={false}
          maxLength={254}
          autoComplete="off"
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={wrongEmail ? invite.error?.message : undefined}
        />
        {account === undefined && (
          <Select
            label="Account"
            searchable
            allowDeselect={false}
            value={accountId}
            onChange={(id) => setAccountId(id ?? '')}
            data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <SegmentedControl
          aria-label="Role"
          value={role}
          onChange={(value) => setRole(value as Role)}
          data={[
            { value: 'member', label: 'Member' },
            { value: 'owner', label: 'Owner' },
          ]}
        />
        <p className={styles.hint}>
          {role === 'member'
            ? 'Reads assessments and statistics, reports outcomes, tries the sandbox. Sees no keys and changes no settings.'
            : 'Does everything in the account: keys, thresholds, policies, lists, and inviting others.'}
        </p>
        <ProblemNote error={wrongEmail ? null : invite.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={invite.isPending} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={accountId === ''} loading={invite.isPending}>
            Create invite link
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** Deletes an account after its name was typed; says before how much goes with it. */
import { TextInput } from '@mantine/core';
import type { AccountContentsAnswer, OperatorAccount } from '../../../src/contract/dashboard-installation.ts';
import { useGet, useSend } from '../api.ts';
import { Fact } from '../ui/fact.tsx';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { grouped } from '../ui/format.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './accounts-page.module.css';

type CountName = Exclude<keyof AccountContentsAnswer, 'indexing' | 'users'>;

const ROWS: readonly (readonly [CountName, string])[] = [
  ['assessments', 'Signups, live and test'],
  ['feedback', 'Reports of outcomes'],
  ['keys', 'Keys'],
  ['hooks', 'Hooks'],
  ['tokens', 'Management tokens'],
  ['list_entries', 'List entries'],
  ['campaigns', 'Campaigns'],
  ['policies', 'Policy versions'],
  ['members', 'People'],
  ['invitations', 'Invites'],
  ['audit_entries', 'Audit log entries'],
];

export function DeleteAccount({ account, onClose }: { account: OperatorAccount; onClose: () => void }) {
  const path = `/operator/accounts/${account.id}`;
  const contents = useGet<AccountContentsAnswer>(`${path}/contents`);
  const form = useForm({
    values: { confirm: '' },
    change: useSend<unknown, { confirm: string }>('DELETE', path, {
      refreshes: ['/operator/accounts', '/operator/people', '/operator/audit', '/session'],
    }),
    body: ({ confirm }) => (isName(confirm, account) ? { confirm: confirm.trim() } : undefined),
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Delete ${account.name}?`}
      verb="Delete account"
      danger
      disabled={!isName(form.values.confirm, account)}
    >
      <p>
        Requests with its keys are refused from now on. Everything of the account is deleted. This cannot be
        undone.
      </p>
      <ProblemNote error={contents.error} />
      <Contents contents={contents.data} />
      <TextInput
        label={`Type ${account.name} to confirm`}
        required
        autoComplete="off"
        data-autofocus
        {...form.text('confirm')}
      />
      <FormHint>
        The audit log of the installation keeps one entry: who deleted the account, and how much data it had.
        Backups still contain the account.
      </FormHint>
    </FormDialog>
  );
}

const isName = (text: string, { name }: OperatorAccount) => text.trim() === name.trim();

/** Keeps its height while the counts are on their way. */
function Contents({ contents }: { contents: AccountContentsAnswer | undefined }) {
  const users = contents?.users ?? 0;
  return (
    <>
      <dl className={styles.contents} aria-label="What is deleted" aria-busy={contents === undefined}>
        {ROWS.map(([name, words]) => (
          <Fact key={name} name={words}>
            {contents === undefined ? '…' : countOf(name, contents)}
          </Fact>
        ))}
      </dl>
      <p>
        {users === 0
          ? 'No user is deleted: everybody here also belongs to another account.'
          : `${grouped(users)} of its people ${users === 1 ? 'belongs' : 'belong'} to no other account: ${users === 1 ? 'this user is' : 'these users are'} deleted too.`}
      </p>
    </>
  );
}

function countOf(name: CountName, contents: AccountContentsAnswer): string {
  const count = grouped(contents[name]);
  return name === 'assessments' && contents.indexing ? `${count} or more` : count;
}

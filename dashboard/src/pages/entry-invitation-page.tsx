/** An invitation: who invites to what, accepted by somebody new or by the person who is signed in. */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { InvitationOffer } from '../../../src/contract/dashboard-people.ts';
import { type ApiProblem, auth, forgetSession, send, useSession } from '../api.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { useLink } from './entry-link.ts';
import { type Person, PersonFields } from './entry-person-fields.tsx';

export function InvitationPage() {
  const { secret, offer, forget } = useLink<InvitationOffer>('invitations', '/invitations');
  const session = useSession().data;
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const accept = useMutation<unknown, ApiProblem, Person | undefined>({
    mutationFn: (person) =>
      send('POST', '/invitations', {
        secret,
        ...(person === undefined ? {} : { name: person.name, password: person.password }),
      }),
    onSuccess: async () => {
      forget();
      await forgetSession(client);
      navigate('/', { replace: true });
    },
  });
  const signOut = useMutation<unknown, ApiProblem>({
    mutationFn: () => auth('/sign-out'),
    onSuccess: () => forgetSession(client),
  });
  if (offer.error !== null)
    return (
      <EntryFrame title="This invitation does not work">
        <ErrorState
          error={offer.error}
          // A link that is spent stays so.
          {...(offer.error.status < 500 ? {} : { onRetry: () => void offer.refetch() })}
        />
      </EntryFrame>
    );
  if (offer.data === undefined || session === undefined) return null;
  const { account_name, role, invited_by, email } = offer.data;
  const lead = `${invited_by} invites you as ${role} of this account.`;
  return (
    <EntryFrame title={`Join ${account_name}`} lead={lead}>
      {session === null ? (
        <>
          <PersonFields
            email={email}
            verb="Accept invitation"
            busy={accept.isPending}
            error={accept.error}
            onSubmit={accept.mutate}
          />
          <p className={styles.hint}>
            Already here under this address? Use the password you have, or{' '}
            <a href={`/sign-in?${new URLSearchParams({ next: '/invitations' })}`}>sign in first</a>.
          </p>
        </>
      ) : session.user.email !== email ? (
        <div className={styles.form}>
          <p>
            This invitation is for {email}. You are signed in as {session.user.email}.
          </p>
          <Button fullWidth loading={signOut.isPending} onClick={() => signOut.mutate()}>
            Sign out
          </Button>
          <ProblemNote error={signOut.error} />
        </div>
      ) : (
        <div className={styles.form}>
          <p>You are signed in as {session.user.email}.</p>
          <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate(undefined)}>
            Accept invitation
          </Button>
          <ProblemNote error={accept.error} />
        </div>
      )}
    </EntryFrame>
  );
}

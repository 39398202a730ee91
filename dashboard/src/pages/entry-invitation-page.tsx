/** An invitation: who invites to which account; a new or a signed-in person accepts it. */
import { Button } from '@mantine/core';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { FirstStart, InvitationOffer } from '../../../src/contract/dashboard-people.ts';
import { type ApiProblem, auth, forgetSession, send, useGet, useSession } from '../api.ts';
import { linkTo } from '../pages.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { useLink } from './entry-link.ts';
import { type Person, PersonFields } from './entry-person-fields.tsx';
import { OidcButton } from './oidc-button.tsx';

export function InvitationPage() {
  const { secret, offer, enter } = useLink<InvitationOffer>('invitations', '/invitations');
  const session = useSession().data;
  const accept = useMutation<unknown, ApiProblem, Person | undefined>({
    mutationFn: (person) =>
      send('POST', '/invitations', {
        secret,
        ...(person === undefined ? {} : { name: person.name, password: person.password }),
      }),
    onSuccess: enter,
  });
  if (offer.error !== null)
    return (
      <EntryFrame title="This invitation does not work">
        <ErrorState
          error={offer.error}
          // A used link never works again.
          {...(offer.error.status < 500 ? {} : { onRetry: () => void offer.refetch() })}
        />
      </EntryFrame>
    );
  if (offer.data === undefined || session === undefined) return null;
  const { account_name, role, invited_by, email } = offer.data;
  return (
    <EntryFrame title={`Join ${account_name}`} lead={`${invited_by} invites you as ${role} of this account.`}>
      {session === null ? (
        <NewUser email={email} accept={accept} secret={secret} />
      ) : (
        <SignedInUser email={email} user={session.user.email} accept={accept} />
      )}
    </EntryFrame>
  );
}

type Accept = UseMutationResult<unknown, ApiProblem, Person | undefined>;

function NewUser({ email, accept, secret }: { email: string; accept: Accept; secret: string }) {
  const next = new URLSearchParams({ next: linkTo('/invitations') });
  const signInMethods = useGet<FirstStart>('/first-start').data;
  if (signInMethods === undefined) return null;
  const atProvider = signInMethods.oidc !== null && (
    <div className={styles.choice}>
      {!signInMethods.passwords && <p>This invitation is for {email}.</p>}
      <OidcButton
        verb={`Accept with ${signInMethods.oidc}`}
        intent={{ invitation: secret }}
        primary={!signInMethods.passwords}
      />
    </div>
  );
  if (!signInMethods.passwords) return atProvider;
  return (
    <>
      <PersonFields email={email} verb="Accept invitation" change={accept} />
      <p className={styles.hint}>
        Do you have a password for this address already? Use that one, or{' '}
        <a href={`${linkTo('/sign-in')}?${next}`}>sign in first</a>.
      </p>
      {atProvider}
    </>
  );
}

function SignedInUser({ email, user, accept }: { email: string; user: string; accept: Accept }) {
  const client = useQueryClient();
  const signOut = useMutation<unknown, ApiProblem>({
    mutationFn: () => auth('/sign-out'),
    onSuccess: () => forgetSession(client),
  });
  const isInvited = user === email;
  return (
    <div className={styles.choice}>
      <p>
        {!isInvited && `This invitation is for ${email}. `}You are signed in as {user}.
      </p>
      <ProblemNote error={isInvited ? accept.error : signOut.error} />
      {isInvited ? (
        <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate(undefined)}>
          Accept invitation
        </Button>
      ) : (
        <Button fullWidth loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      )}
    </div>
  );
}

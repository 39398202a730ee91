/** Set up: the one-time link that makes the first operator, or sets a new password for one who is locked out. */
import { useMutation } from '@tanstack/react-query';
import type { Claim } from '../../../src/contract/dashboard-people.ts';
import { ApiProblem, send } from '../api.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { useLink } from './entry-link.ts';
import { type Person, PersonFields } from './entry-person-fields.tsx';

export function SetupPage() {
  const { secret, offer: claim, enter } = useLink<Claim>('setup', '/claim');
  const reset = claim.data?.purpose === 'reset';
  const take = useMutation<void, ApiProblem, Person>({
    mutationFn: async ({ name, email, password }) => {
      // It also signs in, but not those who use 2FA.
      const person = reset ? { password } : { name, email, password };
      await send('POST', '/claim', { secret, ...person }).catch((error: unknown) => {
        if (!reset || !(error instanceof ApiProblem) || error.status !== 401) throw error;
      });
    },
    onSuccess: enter,
  });
  if (claim.error !== null)
    return (
      <EntryFrame title="This link does not work">
        <ErrorState
          error={claim.error}
          // A used link never works again.
          {...(claim.error.status < 500 ? {} : { onRetry: () => void claim.refetch() })}
        />
      </EntryFrame>
    );
  if (claim.data === undefined) return null;
  return (
    <EntryFrame
      title={reset ? 'Set a new password' : 'Set up Gatehouse'}
      lead={
        reset
          ? 'The link works once. Your other sessions end.'
          : 'You become the first operator: you see every account and invite the others. The link works once.'
      }
    >
      <PersonFields
        email={claim.data.email}
        passwordOnly={reset}
        verb={reset ? 'Set password' : 'Create operator'}
        change={take}
      />
    </EntryFrame>
  );
}

/** Asks a person whose session ended to sign in again above the page, so that what they typed stays. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Session } from '../../../src/contract/dashboard-account.ts';
import type { FirstStart } from '../../../src/contract/dashboard-people.ts';
import { ApiProblem, auth, forgetSession, resumeSession, useGet } from '../api.ts';
import { linkTo } from '../pages.ts';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useForm } from '../ui/use-form.ts';

interface Values {
  readonly email: string;
  readonly password: string;
  readonly code: string;
}

const STILL_OUT = {
  code: 'signed_out',
  message: 'You are not signed in yet.',
  resolution: 'Sign in in another tab first.',
};

interface SignInAnswer {
  readonly twoFactorRedirect?: boolean;
}

export function SessionEnded({ user }: { user: Session['user'] }) {
  const client = useQueryClient();
  const [asksCode, setAsksCode] = useState(false);
  const signInMethods = useGet<FirstStart>('/first-start').data;
  const byPassword = signInMethods?.passwords !== false;
  const change = useMutation<void, ApiProblem, Values>({
    mutationFn: async ({ email, password, code }) => {
      if (!byPassword) {
        if (await resumeSession(client, user.id)) return;
        throw new ApiProblem(409, STILL_OUT);
      }
      if (asksCode) await auth('/two-factor/verify-totp', { code });
      else {
        const answer = await auth<SignInAnswer>('/sign-in/email', { email, password });
        if (answer.twoFactorRedirect === true) return setAsksCode(true);
      }
      if (await resumeSession(client, user.id)) return;
      // Another person sees nothing of what was typed.
      await forgetSession(client);
      window.location.replace('/');
    },
  });
  const form = useForm<Values, Values>({
    values: { email: user.email, password: '', code: '' },
    change,
    body: ({ email, password, code }) => ({ email: email.trim(), password, code: code.replace(/\s/g, '') }),
    onDone: () => {},
  });
  const leave = (
    <Button variant="subtle" disabled={form.busy} onClick={() => void forgetSession(client)}>
      Leave the page
    </Button>
  );
  return (
    <FormDialog form={form} title="Sign in again" verb={byPassword ? 'Sign in' : 'Go on'} stays aside={leave}>
      <FormHint>
        Your session has ended. What you typed on this page is kept: sign in as {user.email} to go on. If
        somebody else signs in, the page starts empty.
      </FormHint>
      {typeof signInMethods?.oidc === 'string' && <AtProvider label={signInMethods.oidc} userId={user.id} />}
      {!byPassword ? null : asksCode ? (
        <TextInput
          label="Code of your authenticator app"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          autoFocus
          {...form.text('code')}
        />
      ) : (
        <>
          <TextInput label="Email" type="email" autoComplete="username" required {...form.text('email')} />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            data-autofocus
            {...form.text('password')}
          />
        </>
      )}
    </FormDialog>
  );
}

function AtProvider({ label, userId }: { label: string; userId: string }) {
  const client = useQueryClient();
  // The person comes back from the tab in which they signed in.
  useEffect(() => {
    const resume = () => void resumeSession(client, userId).catch(() => false);
    window.addEventListener('focus', resume);
    return () => window.removeEventListener('focus', resume);
  }, [client, userId]);
  return (
    <p>
      <a href={linkTo('/sign-in')} target="_blank" rel="noopener">
        Sign in with {label}
      </a>{' '}
      in another tab, then come back to this one.
    </p>
  );
}

/** Sign in: at the OpenID provider, or with email and password, then a code if the person uses 2FA. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { FirstStart } from '../../../src/contract/dashboard-people.ts';
import { type ApiProblem, auth, forgetSession, useGet } from '../api.ts';
import { Form } from '../ui/form.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { SecondFactor } from './entry-second-factor.tsx';
import { OidcButton } from './oidc-button.tsx';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface SignInAnswer {
  readonly twoFactorRedirect?: boolean;
}

export function SignInPage() {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { data: signInMethods, isError } = useGet<FirstStart>('/first-start');
  const enter = async () => {
    await forgetSession(client);
    navigate(safeNext(search.get('next')), { replace: true });
  };
  const change = useMutation<SignInAnswer, ApiProblem, Credentials>({
    mutationFn: (credentials) => auth<SignInAnswer>('/sign-in/email', credentials),
    onSuccess: (answer) => (answer.twoFactorRedirect === true ? undefined : enter()),
  });
  const form = useForm<Credentials, Credentials>({
    values: { email: '', password: '' },
    change,
    body: ({ email, password }) => ({ email: email.trim(), password }),
    onDone: () => {},
  });
  if (change.data?.twoFactorRedirect === true)
    return <SecondFactor onDone={enter} onBack={() => change.reset()} />;
  // Nobody should see a form that is about to go.
  if (signInMethods === undefined && !isError) return <EntryFrame title="Sign in">{null}</EntryFrame>;
  const next = safeNext(search.get('next'));
  const atProvider = typeof signInMethods?.oidc === 'string' && (
    <div className={styles.choice}>
      <OidcButton
        verb={`Sign in with ${signInMethods.oidc}`}
        intent={{ next }}
        primary={!signInMethods.passwords}
      />
      <SignedInElsewhere label={signInMethods.oidc} />
    </div>
  );
  if (signInMethods?.passwords === false) return <EntryFrame title="Sign in">{atProvider}</EntryFrame>;
  const submit = (
    <Button type="submit" fullWidth loading={form.busy}>
      Sign in
    </Button>
  );
  return (
    <EntryFrame title="Sign in">
      <Form form={form} actions={submit}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          data-autofocus
          {...form.text('email')}
        />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.text('password')} />
      </Form>
      {atProvider}
      <Help firstStart={signInMethods?.needs_operator === true} />
    </EntryFrame>
  );
}

/** The provider’s own sign-out, after ours: otherwise it signs the person in again without asking. */
function SignedInElsewhere({ label }: { label: string }) {
  const [url] = useState(() => sessionStorage.getItem('gatehouse.sign-out'));
  useEffect(() => sessionStorage.removeItem('gatehouse.sign-out'), []);
  if (url === null) return null;
  return (
    <p className={styles.hint}>
      You signed out here. <a href={url}>Sign out of {label}, too</a>.
    </p>
  );
}

function Help({ firstStart }: { firstStart: boolean }) {
  return (
    <>
      {firstStart && (
        <p className={styles.hint}>
          First start? Open the link that the service printed. It is also in{' '}
          <span className="gh-mono">setup-link.txt</span> in the data folder.
        </p>
      )}
      <p className={styles.hint}>
        Locked out? The operator of this installation can print a new link with{' '}
        <span className="gh-mono">gatehouse user link</span>.
      </p>
    </>
  );
}

/** Address to go to after signing in: a path of this dashboard, never another site. */
function safeNext(next: string | null): string {
  if (next === null || !URL.canParse(next, window.location.origin)) return '/';
  const url = new URL(next, window.location.origin);
  return url.origin === window.location.origin && next.startsWith('/') ? `${url.pathname}${url.search}` : '/';
}

/** Sign in: email and password, then the code of the second factor where the person has one. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { FirstStart } from '../../../src/contract/dashboard-people.ts';
import { type ApiProblem, auth, forgetSession, useGet } from '../api.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { SecondFactor } from './entry-second-factor.tsx';

interface SignInAnswer {
  readonly twoFactorRedirect?: boolean;
}

export function SignInPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const firstStart = useGet<FirstStart>('/first-start').data?.needs_operator === true;
  const enter = async () => {
    await forgetSession(client);
    navigate(safeNext(search.get('next')), { replace: true });
  };
  const signIn = useMutation<SignInAnswer, ApiProblem>({
    mutationFn: () => auth<SignInAnswer>('/sign-in/email', { email: email.trim(), password }),
    onSuccess: (answer) => (answer.twoFactorRedirect === true ? undefined : enter()),
  });
  if (signIn.data?.twoFactorRedirect === true)
    return <SecondFactor onDone={enter} onBack={() => signIn.reset()} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <EntryFrame title="Sign in">
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth mt={4} loading={signIn.isPending}>
          Sign in
        </Button>
        <ProblemNote error={signIn.error} />
        {firstStart && (
          <p className={styles.hint}>
            First start? Open the link that the service printed, or that is in{' '}
            <span className="gh-mono">setup-link.txt</span> in its data folder.
          </p>
        )}
        <p className={styles.hint}>
          Locked out? Whoever runs this installation can print a new link with{' '}
          <span className="gh-mono">gatehouse user link</span>.
        </p>
      </form>
    </EntryFrame>
  );
}

/** Where to go after signing in: a path of this dashboard, never another site. */
function safeNext(next: string | null): string {
  if (next === null || !URL.canParse(next, window.location.origin)) return '/';
  const url = new URL(next, window.location.origin);
  return url.origin === window.location.origin && next.startsWith('/') ? `${url.pathname}${url.search}` : '/';
}

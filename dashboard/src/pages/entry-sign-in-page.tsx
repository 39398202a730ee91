/** Sign in: email and password, then a code if the person uses 2FA. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'wouter';
import type { FirstStart } from '../../../src/contract/dashboard-people.ts';
import { type ApiProblem, auth, forgetSession, useGet } from '../api.ts';
import { Form } from '../ui/form.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { SecondFactor } from './entry-second-factor.tsx';

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
  const firstStart = useGet<FirstStart>('/first-start').data?.needs_operator === true;
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
      <Help firstStart={firstStart} />
    </EntryFrame>
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

/** Switches the second factor on, in three steps (password, authenticator, backup codes), or off. */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiProblem, auth, forgetSession } from '../api.ts';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { CodeStep } from './profile-code-step.tsx';
import styles from './profile-page.module.css';
import { PasswordStep } from './profile-password-step.tsx';

interface Enrolment {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

export function TwoFactor({ on }: { on: boolean }) {
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const client = useQueryClient();
  const enable = useMutation<Enrolment, ApiProblem, string>({
    mutationFn: (password) => auth<Enrolment>('/two-factor/enable', { password }),
  });
  const disable = useMutation<unknown, ApiProblem, string>({
    mutationFn: (password) => auth('/two-factor/disable', { password }),
    onSuccess: async () => {
      setAsking(false);
      await forgetSession(client);
    },
  });

  if (codes !== undefined)
    return (
      <SecretDialog
        title="The second factor is on"
        label="Backup codes"
        secret={codes.join('\n')}
        file="gatehouse-backup-codes.txt"
        onClose={() => setCodes(undefined)}
      >
        Keep these backup codes apart from your phone: each signs you in once without it. They are shown only
        once.
      </SecretDialog>
    );
  if (on && asking)
    return (
      <PasswordStep
        verb="Switch off"
        danger
        lead="From now on the password alone is enough to sign in."
        busy={disable.isPending}
        error={disable.error}
        onSubmit={disable.mutate}
        onCancel={() => setAsking(false)}
      />
    );
  if (on)
    return (
      <>
        <p className={styles.lead}>Signing in asks for a code of your authenticator.</p>
        <Button variant="default" onClick={() => setAsking(true)}>
          Switch off…
        </Button>
      </>
    );
  if (enable.data !== undefined)
    return (
      <CodeStep
        uri={enable.data.totpURI}
        onDone={async () => {
          setCodes(enable.data.backupCodes);
          setAsking(false);
          enable.reset();
          await forgetSession(client);
        }}
        onCancel={() => enable.reset()}
      />
    );
  if (asking)
    return (
      <PasswordStep
        verb="Continue"
        lead="First your password, so that nobody at your open screen can do this."
        busy={enable.isPending}
        error={enable.error}
        onSubmit={enable.mutate}
        onCancel={() => setAsking(false)}
      />
    );
  return (
    <>
      <p className={styles.lead}>
        With a second factor a stolen password is not enough. You need an authenticator app that makes
        time-based codes.
      </p>
      <Button onClick={() => setAsking(true)}>Set up second factor</Button>
    </>
  );
}

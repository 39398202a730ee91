/** Turns 2FA on, in three steps (password, authenticator, backup codes), or off. */
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
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined)
    return (
      <SecretDialog
        title="2FA is on"
        label="Backup codes"
        secret={codes.join('\n')}
        file="gatehouse-backup-codes.txt"
        onClose={() => setCodes(undefined)}
      >
        Do not keep these backup codes on your phone. Each lets you sign in once without it. They are shown
        only once.
      </SecretDialog>
    );
  return on ? <TurnOff /> : <TurnOn onDone={setCodes} />;
}

function TurnOff() {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const disable = useMutation<unknown, ApiProblem, string>({
    mutationFn: (password) => auth('/two-factor/disable', { password }),
    onSuccess: () => forgetSession(client),
  });
  if (asking)
    return (
      <PasswordStep
        verb="Turn off 2FA"
        danger
        lead="From now on, your password alone is enough to sign in."
        change={disable}
        onCancel={() => setAsking(false)}
      />
    );
  return (
    <>
      <p className={styles.lead}>You sign in with your password and a code from your authenticator app.</p>
      <Button variant="default" onClick={() => setAsking(true)}>
        Turn off…
      </Button>
    </>
  );
}

function TurnOn({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const enable = useMutation<Enrolment, ApiProblem, string>({
    mutationFn: (password) => auth<Enrolment>('/two-factor/enable', { password }),
  });
  if (enable.data !== undefined)
    return (
      <CodeStep
        uri={enable.data.totpURI}
        onDone={async () => {
          onDone(enable.data.backupCodes);
          await forgetSession(client);
        }}
        onCancel={() => enable.reset()}
      />
    );
  if (asking)
    return (
      <PasswordStep
        verb="Continue"
        lead="Type your password first, so that nobody else at your screen can do this."
        change={enable}
        onCancel={() => setAsking(false)}
      />
    );
  return (
    <>
      <p className={styles.lead}>
        With 2FA, a stolen password is not enough to sign in. You need an authenticator app on your phone.
      </p>
      <Button onClick={() => setAsking(true)}>Set up 2FA</Button>
    </>
  );
}

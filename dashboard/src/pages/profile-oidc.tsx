/** Connects the person with who they are at the OpenID provider, after they typed their password. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { OidcConnection, OidcStart, OidcStartBody } from '../../../src/contract/dashboard-people.ts';
import { type ApiProblem, send, useGet } from '../api.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { refusalWords } from './oidc-words.ts';
import { PasswordStep } from './profile-password-step.tsx';

export interface OidcConnectionCardProps {
  readonly label: string;
  readonly hasPasswords: boolean;
}

export function OidcConnectionCard({ label, hasPasswords }: OidcConnectionCardProps) {
  const connected = useGet<OidcConnection>('/oidc').data?.connected;
  if (connected === undefined) return null;
  if (connected) return <p>You can sign in with {label}.</p>;
  if (!hasPasswords)
    return <p>You are not connected to {label}. You cannot connect here while passwords are off.</p>;
  return <Connect label={label} />;
}

function Connect({ label }: { label: string }) {
  const [asking, setAsking] = useState(false);
  const [search] = useSearchParams();
  const start = useMutation<OidcStart, ApiProblem, string>({
    mutationFn: (password) => {
      const body: OidcStartBody = { connect: true, next: '/profile', password };
      return send('POST', '/oidc', body);
    },
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (asking)
    return (
      <PasswordStep
        verb={`Continue to ${label}`}
        lead="Type your password first, so that nobody else at your screen can do this."
        change={{ ...start, isPending: start.isPending || start.isSuccess }}
        onCancel={() => setAsking(false)}
      />
    );
  const refusal = refusalWords(search.get('oidc'));
  return (
    <>
      <p className="gh-dim">Sign in there once, and you can sign in here with {label} from then on.</p>
      <ProblemNote error={refusal === undefined ? null : new Error(refusal)} />
      <Button variant="default" onClick={() => setAsking(true)}>
        Connect {label}…
      </Button>
    </>
  );
}

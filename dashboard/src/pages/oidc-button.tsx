/** The way to the OpenID provider, and what came of the last attempt. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { OidcStart, OidcStartBody } from '../../../src/contract/dashboard-people.ts';
import { type ApiProblem, send } from '../api.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { refusalWords } from './oidc-words.ts';

export interface OidcButtonProps {
  readonly verb: string;
  readonly intent: OidcStartBody;
  readonly primary: boolean;
}

export function OidcButton({ verb, intent, primary }: OidcButtonProps) {
  const [search] = useSearchParams();
  const start = useMutation<OidcStart, ApiProblem>({
    mutationFn: () => send('POST', '/oidc', intent),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const refusal = refusalWords(search.get('oidc'));
  return (
    <>
      <ProblemNote error={start.error ?? (refusal === undefined ? null : new Error(refusal))} />
      <Button
        fullWidth
        variant={primary ? 'filled' : 'default'}
        loading={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        {verb}
      </Button>
    </>
  );
}

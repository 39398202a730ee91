'use client';

import { useActionState } from 'react';
import { type SignUpState, signUp } from './actions';
import { Blocked, Fields } from './parts';

export default function Page() {
  const [state, action, isPending] = useActionState<SignUpState, FormData>(signUp, {});
  if (state.outcome === 'block') return <Blocked reference={state.reference} />;
  return (
    <>
      <h1>Create an account</h1>
      <form action={action}>
        <Fields isPending={isPending} problem={state.problem} />
      </form>
    </>
  );
}

'use server';

import { protectAction } from 'gatehouse-client/next';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { problemOf } from './check';
import { gatehouse, returnUrl } from './gatehouse';

export interface SignUpState {
  outcome?: 'block';
  problem?: string | undefined;
  reference?: string | undefined;
}

export const signUp = protectAction<SignUpState>(
  gatehouse,
  {
    headers,
    email: (form) => form.get('email'),
    // With a key for each form, no two visitors share a challenge.
    idempotencyKey: () => crypto.randomUUID(),
    // Your own checks come first: a form that they refuse is not assessed.
    validate: (form) => {
      const problem = problemOf(form);
      return problem === undefined ? undefined : { problem };
    },
    onInvalid: () => ({ problem: 'Please check your email address.' }),
    onBlock: (_form, { assessment }) => ({ outcome: 'block', reference: assessment?.request_id }),
    onChallenge: async (_form, { assessment }) => {
      // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
      const { page, cookie } = await gatehouse.client().beginProof({
        requestId: assessment?.request_id,
        returnUrl: returnUrl(await headers()),
        state: crypto.randomUUID(),
      });
      (await cookies()).set(cookie);
      redirect(page);
    },
  },
  async (_form) => {
    // Create the account here.
    redirect('/welcome');
  },
);

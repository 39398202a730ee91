'use server';

import { protectAction } from 'gatehouse-client/next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { problemOf } from './check';
import { gatehouse } from './gatehouse';
import { beginProof } from './proofs';

export interface SignUpState {
  outcome?: 'challenge' | 'block';
  problem?: string | undefined;
  reference?: string | undefined;
}

export const signUp = protectAction<SignUpState>(
  gatehouse,
  {
    headers,
    email: (form) => form.get('email'),
    // Your own checks come first: a form that they refuse is not assessed.
    validate: (form) => {
      const problem = problemOf(form);
      return problem === undefined ? undefined : { problem };
    },
    onInvalid: () => ({ problem: 'Please check your email address.' }),
    onBlock: (_form, { assessment }) => ({ outcome: 'block', reference: assessment?.request_id }),
    onChallenge: async (_form, { mailUnwanted, assessment }) => {
      // It may be a stranger's address, which gets no mail: the visitor's browser does a proof of work.
      if (mailUnwanted && assessment) redirect(await beginProof(assessment.request_id));
      // Send a code to the address here, and create the account when it comes back.
      return { outcome: 'challenge' };
    },
  },
  async (_form) => {
    // Create the account here.
    redirect('/welcome');
  },
);

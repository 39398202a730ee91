'use server';

import { protectAction } from 'gatehouse-client/next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { gatehouse } from './gatehouse';

export interface SignUpState {
  outcome?: 'challenge' | 'block';
  reference?: string | undefined;
}

export const signUp = protectAction<SignUpState>(
  gatehouse,
  {
    headers,
    email: (form) => form.get('email'),
    onBlock: (_form, { assessment }) => ({ outcome: 'block', reference: assessment?.request_id }),
    // Send a code to the address here, and create the account when it comes back.
    onChallenge: () => ({ outcome: 'challenge' }),
  },
  async (_form) => {
    // Create the account here.
    redirect('/welcome');
  },
);

'use client';

import { signIn } from 'next-auth-4/react';
import { Form } from '../parts';

export default function Page() {
  async function signUp(form: FormData) {
    await signIn('email', { email: form.get('email'), callbackUrl: '/v4/welcome' });
  }
  return <Form action={signUp} />;
}

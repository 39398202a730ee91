import { Form } from '../parts';
import { signIn } from './auth';

export default function Page() {
  async function signUp(form: FormData) {
    'use server';
    await signIn('email', { email: form.get('email'), redirectTo: '/v5/welcome' });
  }
  return <Form action={signUp} />;
}

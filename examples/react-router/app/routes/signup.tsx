/** The form and its action: the application checks the form, then Gatehouse decides, then the account is created. */
import { data, Form, redirect } from 'react-router';
import { gatehouse } from '../gatehouse.server';
import type { Route } from './+types/signup';

interface Answer {
  readonly outcome?: 'challenge' | 'block';
  readonly problem?: string;
  readonly reference?: string | undefined;
}

const MIN_PASSWORD_LENGTH = 12;

export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  // Your own checks come first: a form that they refuse is not assessed.
  const problem = problemOf(form);
  if (problem !== undefined) return data<Answer>({ problem }, 422);
  const { decision, assessment, mailUnwanted } = await gatehouse.protectSignup(request, {
    email: form.get('email'),
  });
  if (decision === 'invalid') return data<Answer>({ problem: 'Please check your email address.' }, 400);
  // It may be a stranger's address: ask for a proof of work (docs/challenges.md) before you send mail there. This form has none.
  if (decision === 'block' || (decision === 'challenge' && mailUnwanted))
    return data<Answer>({ outcome: 'block', reference: assessment?.request_id }, 403);
  // Send a code to the address here, and create the account when it comes back.
  if (decision === 'challenge') return data<Answer>({ outcome: 'challenge' }, 202);
  // Create the account here.
  return redirect('/welcome');
}

function problemOf(form: FormData): string | undefined {
  return String(form.get('password') ?? '').length < MIN_PASSWORD_LENGTH
    ? `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
    : undefined;
}

export default function SignUp({ actionData: answer }: Route.ComponentProps) {
  if (answer?.outcome === 'block')
    return (
      <>
        <h1>We cannot create this account</h1>
        <p>If you think that this is a mistake, write to our support.</p>
        <p>
          Reference: <code>{answer.reference ?? '–'}</code>
        </p>
      </>
    );
  if (answer?.outcome === 'challenge')
    return (
      <>
        <h1>Confirm your address</h1>
        <p>We have sent you a code.</p>
      </>
    );
  return (
    <>
      <h1>Create an account</h1>
      <p role="alert">{answer?.problem}</p>
      <Form method="post">
        <label htmlFor="email">Email</label>
        <input id="email" name="email" type="email" autoComplete="email" required />
        <label htmlFor="password">Password</label>
        <input id="password" name="password" type="password" autoComplete="new-password" required />
        <button type="submit">Sign up</button>
      </Form>
    </>
  );
}

/** The form and its action: the application checks the form, then Gatehouse decides, then the account is created. */
import { data, Form, redirect } from 'react-router';
import { gatehouse } from '../gatehouse.server';
import type { Route } from './+types/signup';

interface Answer {
  readonly outcome?: 'block';
  readonly problem?: string;
  readonly reference?: string | undefined;
}

const MIN_PASSWORD_LENGTH = 12;

export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  // Your own checks come first: a form that they refuse is not assessed.
  const problem = problemOf(form);
  if (problem !== undefined) return data<Answer>({ problem }, 422);
  const { decision, assessment } = await gatehouse.protectSignup(request, {
    email: form.get('email'),
    // With a key for each form, no two visitors share a challenge.
    idempotencyKey: crypto.randomUUID(),
  });
  if (decision === 'invalid') return data<Answer>({ problem: 'Please check your email address.' }, 400);
  if (decision === 'block') return data<Answer>({ outcome: 'block', reference: assessment?.request_id }, 403);
  if (decision === 'challenge') {
    // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
    const { page, setCookie } = await gatehouse.beginProof({
      requestId: assessment?.request_id,
      returnUrl: new URL('/proved', request.url).href,
      state: crypto.randomUUID(),
    });
    return redirect(page, { headers: { 'set-cookie': setCookie } });
  }
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

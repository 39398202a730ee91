/** The form's endpoint: the application checks the form, then Gatehouse decides, then the account is created. */
import type { APIRoute } from 'astro';
import { gatehouse } from '../../lib/gatehouse';

const MIN_PASSWORD_LENGTH = 12;

export const POST: APIRoute = async ({ request, redirect }) => {
  const form = await request.formData();
  // Your own checks come first: a form that they refuse is not assessed.
  const problem = problemOf(form);
  if (problem !== undefined) return redirect(`/?problem=${encodeURIComponent(problem)}`, 303);
  const { decision, assessment, mailUnwanted } = await gatehouse.protectSignup(request, {
    email: form.get('email'),
  });
  if (decision === 'invalid') return redirect('/?problem=Please+check+your+email+address.', 303);
  // It may be a stranger's address: ask for a proof of work (docs/challenges.md) before you send mail there. This form has none.
  if (decision === 'block' || (decision === 'challenge' && mailUnwanted))
    return redirect(`/blocked?reference=${assessment?.request_id ?? ''}`, 303);
  // Send a code to the address here, and create the account when it comes back.
  if (decision === 'challenge') return redirect('/confirm', 303);
  // Create the account here.
  return redirect('/welcome', 303);
};

function problemOf(form: FormData): string | undefined {
  return String(form.get('password') ?? '').length < MIN_PASSWORD_LENGTH
    ? `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
    : undefined;
}

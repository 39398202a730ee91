/** The form's endpoint: the application checks the form, then Gatehouse decides, then the account is created. */
import type { APIRoute } from 'astro';
import { gatehouse } from '../../lib/gatehouse';

const MIN_PASSWORD_LENGTH = 12;

export const POST: APIRoute = async ({ request, cookies, redirect, url }) => {
  const form = await request.formData();
  // Your own checks come first: a form that they refuse is not assessed.
  const problem = problemOf(form);
  if (problem !== undefined) return redirect(`/?problem=${encodeURIComponent(problem)}`, 303);
  const { decision, assessment } = await gatehouse.protectSignup(request, {
    email: form.get('email'),
    // With a key for each form, no two visitors share a challenge.
    idempotencyKey: crypto.randomUUID(),
  });
  if (decision === 'invalid') return redirect('/?problem=Please+check+your+email+address.', 303);
  if (decision === 'block') return redirect(`/blocked?reference=${assessment?.request_id ?? ''}`, 303);
  if (decision === 'challenge') {
    // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
    const { page, cookie } = await gatehouse.beginProof({
      requestId: assessment?.request_id,
      returnUrl: new URL('/proved', url).href,
      state: crypto.randomUUID(),
    });
    cookies.set(cookie.name, cookie.value, cookie);
    return redirect(page, 303);
  }
  // Create the account here.
  return redirect('/welcome', 303);
};

function problemOf(form: FormData): string | undefined {
  return String(form.get('password') ?? '').length < MIN_PASSWORD_LENGTH
    ? `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
    : undefined;
}

/** The form's action: the application checks the form, then Gatehouse decides, then the account is created. */
import { fail, redirect } from '@sveltejs/kit';
import { gatehouse } from '../lib/server/gatehouse';
import type { Actions } from './$types';

const MIN_PASSWORD_LENGTH = 12;

export const actions = {
  default: async ({ request, cookies, getClientAddress, url }) => {
    const form = await request.formData();
    // Your own checks come first: a form that they refuse is not assessed.
    const problem = problemOf(form);
    if (problem !== undefined) return fail(422, { problem });
    const { decision, assessment } = await gatehouse().protectSignup(request, {
      email: form.get('email'),
      peer: getClientAddress(),
      // With a key for each form, no two visitors share a challenge.
      idempotencyKey: crypto.randomUUID(),
    });
    if (decision === 'invalid') return fail(400, { problem: 'Please check your email address.' });
    if (decision === 'block') return fail(403, { outcome: 'block', reference: assessment?.request_id });
    if (decision === 'challenge') {
      // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
      const { page, cookie } = await gatehouse().beginProof({
        requestId: assessment?.request_id,
        returnUrl: `${url.origin}/proved`,
        state: crypto.randomUUID(),
      });
      cookies.set(cookie.name, cookie.value, cookie);
      redirect(303, page, { external: true });
    }
    // Create the account here.
    redirect(303, '/welcome');
  },
} satisfies Actions;

function problemOf(form: FormData): string | undefined {
  return String(form.get('password') ?? '').length < MIN_PASSWORD_LENGTH
    ? `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
    : undefined;
}

/** The form's action: the application checks the form, then Gatehouse decides, then the account is created. */
import { fail, redirect } from '@sveltejs/kit';
import { gatehouse } from '../lib/server/gatehouse';
import type { Actions } from './$types';

const MIN_PASSWORD_LENGTH = 12;

export const actions = {
  default: async ({ request, getClientAddress }) => {
    const form = await request.formData();
    // Your own checks come first: a form that they refuse is not assessed.
    const problem = problemOf(form);
    if (problem !== undefined) return fail(422, { problem });
    const { decision, assessment, mailUnwanted } = await gatehouse().protectSignup(request, {
      email: form.get('email'),
      peer: getClientAddress(),
    });
    if (decision === 'invalid') return fail(400, { problem: 'Please check your email address.' });
    // It may be a stranger's address: ask for a proof of work (docs/challenges.md) before you send mail there. This form has none.
    if (decision === 'block' || (decision === 'challenge' && mailUnwanted))
      return fail(403, { outcome: 'block', reference: assessment?.request_id });
    // Send a code to the address here, and create the account when it comes back.
    if (decision === 'challenge') return { outcome: 'challenge' };
    // Create the account here.
    redirect(303, '/welcome');
  },
} satisfies Actions;

function problemOf(form: FormData): string | undefined {
  return String(form.get('password') ?? '').length < MIN_PASSWORD_LENGTH
    ? `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
    : undefined;
}

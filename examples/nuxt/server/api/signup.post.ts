/** The form's endpoint: the application checks the form, then Gatehouse decides, then the account is created. */

const MIN_PASSWORD_LENGTH = 12;

export default defineEventHandler(async (event) => {
  const form = await readBody(event);
  // Your own checks come first: a form that they refuse is not assessed.
  const problem = problemOf(form);
  if (problem !== undefined) throw createError({ status: 422, message: problem });
  const { decision, assessment, mailUnwanted } = await gatehouse.protectSignup(event.node.req, {
    email: form?.email,
  });
  if (decision === 'invalid') throw createError({ status: 400, message: 'Please check your email address.' });
  // It may be a stranger's address: ask for a proof of work (docs/challenges.md) before you send mail there. This form has none.
  if (decision === 'block' || (decision === 'challenge' && mailUnwanted))
    return { outcome: 'block', reference: assessment?.request_id };
  // Send a code to the address here, and create the account when it comes back.
  if (decision === 'challenge') return { outcome: 'challenge' };
  // Create the account here.
  return { outcome: 'allow' };
});

function problemOf(form?: { password?: unknown }): string | undefined {
  return String(form?.password ?? '').length < MIN_PASSWORD_LENGTH
    ? `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
    : undefined;
}

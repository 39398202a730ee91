/** The form's endpoint: the application checks the form, then Gatehouse decides, then the account is created. */

const MIN_PASSWORD_LENGTH = 12;

export default defineEventHandler(async (event) => {
  const form = await readBody(event);
  // Your own checks come first: a form that they refuse is not assessed.
  const problem = problemOf(form);
  if (problem !== undefined) throw createError({ status: 422, message: problem });
  const { decision, assessment } = await gatehouse.protectSignup(event.node.req, {
    email: form?.email,
    // With a key for each form, no two visitors share a challenge.
    idempotencyKey: crypto.randomUUID(),
  });
  if (decision === 'invalid') throw createError({ status: 400, message: 'Please check your email address.' });
  if (decision === 'block') return { outcome: 'block', reference: assessment?.request_id };
  if (decision === 'challenge') {
    // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
    const { page, setCookie } = await gatehouse.beginProof({
      requestId: assessment?.request_id,
      returnUrl: new URL('/proved', getRequestURL(event)).href,
      state: crypto.randomUUID(),
    });
    setHeader(event, 'set-cookie', setCookie);
    return { outcome: 'challenge', page };
  }
  // Create the account here.
  return { outcome: 'allow' };
});

function problemOf(form?: { password?: unknown }): string | undefined {
  return String(form?.password ?? '').length < MIN_PASSWORD_LENGTH
    ? `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
    : undefined;
}

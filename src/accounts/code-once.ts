/** Lets each code of an authenticator be tried only once a user: another person may have seen it being typed. */
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

const PATH = '/two-factor/verify-totp';
/** The library's name of the cookie between the password and the code. */
const CHALLENGE_COOKIE = 'two_factor';
/** A code is accepted in its own 30 seconds, those before and those after. */
const REMEMBERED_MS = 120_000;

/**
 * A hook for the sign-in library. A code is claimed before it is checked, by the primary key of a row, so that of two
 * tries at once, on any nodes, one is refused. Wrong codes are claimed too: the refusal reveals nothing about the code.
 */
export const refuseReusedCode = createAuthMiddleware(async (context) => {
  if (context.path !== PATH) return;
  const code: unknown = context.body?.code;
  if (typeof code !== 'string' || !/^\d{6}$/.test(code)) return;
  const userId = await findUserId(context);
  if (userId === undefined) return;
  const taken = await context.context.internalAdapter.reserveVerificationValue({
    identifier: `code ${code} of ${userId}`,
    value: '',
    expiresAt: new Date(Date.now() + REMEMBERED_MS),
  });
  if (!taken)
    throw new APIError('UNAUTHORIZED', { code: 'CODE_TRIED', message: 'The code was tried before.' });
});

async function findUserId(context: Context): Promise<string | undefined> {
  const session = await getSessionFromCtx(context);
  if (session) return session.user.id;
  const { name } = context.context.createAuthCookie(CHALLENGE_COOKIE);
  const challenge = await context.getSignedCookie(name, context.context.secret);
  if (!challenge) return undefined;
  // This also deletes expired challenges.
  return (await context.context.internalAdapter.findVerificationValue(challenge))?.value;
}

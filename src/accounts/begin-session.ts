/** Begins a session for somebody who proved elsewhere who they are. A part of the sign-in library, so that it is a session like every other. */
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';

/** A call of the library that no request can reach: only `sign-in.ts` makes it. */
export const sessionBeginning = {
  id: 'session-beginning',
  endpoints: {
    beginSession: createAuthEndpoint(
      '/begin-session',
      { method: 'POST', metadata: { SERVER_ONLY: true } },
      async (context) => {
        const { userId } = context.body as { readonly userId: string };
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(userId);
        if (user === null) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED' });
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(context, { session, user });
        return context.json({ token: session.token, user: { id: user.id } });
      },
    ),
  },
};

/** The options of next-auth 4, whose package this example names `next-auth-4`. */
import { protectSignIn } from 'gatehouse-client/auth-js';
import { headers } from 'next/headers';
import type { AuthOptions } from 'next-auth-4';
import { adapter, email, gatehouse, pages } from '../gatehouse';

export const authOptions: AuthOptions = {
  adapter: adapter as AuthOptions['adapter'],
  secret: process.env.AUTH_SECRET,
  session: { strategy: 'jwt' },
  // @ts-expect-error: without nodemailer, which this example does not send by, it has no type for an email provider
  providers: [email],
  pages,
  callbacks: {
    signIn: protectSignIn(gatehouse, {
      headers,
      adapter,
      onBlock: (_params, { assessment }) => `/blocked?reference=${assessment?.request_id ?? ''}`,
    }),
  },
};

/** better-auth with Gatehouse in front of every signup: email and password, social providers, magic links. */
import { randomBytes } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { Gatehouse } from 'gatehouse-client';
import { gatehouse } from 'gatehouse-client/better-auth';
import { SqliteDialect } from 'kysely';
import Database from 'libsql';
import { checkCode, sendCode } from './codes.js';

const client = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // app.js writes it.
  trustedProxies: { header: 'x-client-ip' },
});
const database = new Database(process.env.AUTH_DATABASE ?? 'auth.db');

export const auth = betterAuth({
  database: { dialect: new SqliteDialect({ database }), type: 'sqlite' },
  secret: process.env.BETTER_AUTH_SECRET ?? randomBytes(32).toString('base64'),
  emailAndPassword: { enabled: true },
  advanced: { ipAddress: { ipAddressHeaders: ['x-client-ip'] } },
  plugins: [
    gatehouse(client, {
      onBlock: (_user, { assessment }) => ({
        code: 'SIGNUP_BLOCKED',
        message: `Write to our support if this is a mistake: ${assessment?.request_id}`,
      }),
      // The page asks for the code and repeats its request with it.
      onChallenge: ({ email, context }, { mailUnwanted }) => {
        const code = context?.headers?.get('x-gatehouse-solution');
        if (code && checkCode(String(email), code)) return { data: { emailVerified: true } };
        // A stranger's address gets no mail without a CAPTCHA, which this page does not have.
        if (!code && !mailUnwanted) sendCode(String(email));
        return false;
      },
    }),
  ],
});

/** The types of Hono fit the adapter, in each way a program may write it. Compiled in the installed example. */
import { getConnInfo } from '@hono/node-server/conninfo';
import { Gatehouse, type SignupDecision } from 'gatehouse-client';
import { clientIp, protectSignup } from 'gatehouse-client/hono';
import { type Context, Hono } from 'hono';

interface Env {
  readonly Bindings: { readonly REGION: string };
  readonly Variables: { user: string };
}

const gatehouse = new Gatehouse({ url: process.env.GATEHOUSE_URL, key: process.env.GATEHOUSE_KEY });
const app = new Hono<Env>();
app.use('/signup', protectSignup(gatehouse, { email: async (c) => (await c.req.json()).email }));

const route = app.post(
  '/signup',
  protectSignup(gatehouse, {
    email: async (c: Context<Env>) => (await c.req.parseBody()).email,
    peer: (c) => getConnInfo(c).remote.address,
    sessionId: (c) => c.get('user'),
    onBlock: (c) => c.json({ region: c.env.REGION }, 403),
  }),
  (c) => {
    const decision: SignupDecision = c.var.gatehouse;
    return c.json({ decision, user: c.var.user, ip: clientIp(c, { trustedProxies: 'fly' }) }, 201);
  },
);
export type Route = typeof route;

// @ts-expect-error: without it there is nothing to decide about
protectSignup(gatehouse, {});

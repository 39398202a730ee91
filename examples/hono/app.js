/** A signup form in Hono: the application checks the form, then Gatehouse decides, then the route's handler runs. */
import { serve } from '@hono/node-server';
import { Gatehouse } from 'gatehouse-client';
import { protectSignup } from 'gatehouse-client/hono';
import { Hono } from 'hono';
import { blockedPage, formPage, problemOf, welcomePage } from './pages.js';

const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // Proxies that may be in front of this application: those on the same machine.
  trustedProxies: ['loopback'],
});

const app = new Hono();

app.get('/', (c) => c.html(formPage()));

app.post(
  '/signup',
  // Your own checks come first: a form that they refuse is not assessed.
  async (c, next) => {
    const problem = problemOf(await c.req.parseBody());
    if (problem !== undefined) return c.html(formPage(problem), 422);
    await next();
  },
  protectSignup(gatehouse, {
    email: async (c) => (await c.req.parseBody()).email,
    // With a key for each form, no two visitors share a challenge.
    idempotencyKey: () => crypto.randomUUID(),
    onInvalid: (c) => c.html(formPage('Please check your email address.'), 400),
    onBlock: (c) => c.html(blockedPage(c.get('gatehouse').assessment?.request_id), 403),
    onChallenge: async (c) => {
      // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
      const { page, setCookie } = await gatehouse.beginProof({
        requestId: c.get('gatehouse').assessment?.request_id,
        returnUrl: new URL('/proved', c.req.url).href,
        state: crypto.randomUUID(),
      });
      return new Response(null, { status: 303, headers: { location: page, 'set-cookie': setCookie } });
    },
  }),
  (c) => {
    // Create the account here.
    return c.html(welcomePage(), 201);
  },
);

app.get('/proved', async (c) => {
  const proof = await gatehouse.endProof(c.req.raw);
  // Create the account here, from the form that you kept under proof.state.
  return proof ? c.html(welcomePage(), 201) : c.html(blockedPage(), 403);
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});

/** A signup form in Hono: the application checks the form, then Gatehouse decides, then the route's handler runs. */
import { serve } from '@hono/node-server';
import { Gatehouse } from 'gatehouse-client';
import { protectSignup } from 'gatehouse-client/hono';
import { Hono } from 'hono';
import { blockedPage, confirmPage, formPage, problemOf, welcomePage } from './pages.js';
import { beginProof, endProof } from './proofs.js';

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
    onInvalid: (c) => c.html(formPage('Please check your email address.'), 400),
    onBlock: (c) => c.html(blockedPage(c.get('gatehouse').assessment?.request_id), 403),
    onChallenge: async (c) => {
      const { mailUnwanted, assessment } = c.get('gatehouse');
      // It may be a stranger's address, which gets no mail: the visitor's browser does a proof of work.
      if (mailUnwanted && assessment) {
        const returnUrl = `http://${c.req.header('host')}/proved`;
        const { page, cookie } = await beginProof(gatehouse, assessment.request_id, returnUrl);
        return new Response(null, { status: 303, headers: { location: page, 'set-cookie': cookie } });
      }
      // Send a code to the address here, and create the account when it comes back.
      return c.html(confirmPage(), 202);
    },
  }),
  (c) => {
    // Create the account here.
    return c.html(welcomePage(), 201);
  },
);

app.get('/proved', async (c) => {
  // Create the account here, if it is true.
  const isPassed = await endProof(gatehouse, c.req.header('cookie'));
  return c.html(isPassed ? welcomePage() : blockedPage(), isPassed ? 201 : 403);
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});

/** A signup form in Hono: the application checks the form, then Gatehouse decides, then the route's handler runs. */
import { serve } from '@hono/node-server';
import { Gatehouse } from 'gatehouse-client';
import { protectSignup } from 'gatehouse-client/hono';
import { Hono } from 'hono';
import { blockedPage, confirmPage, formPage, problemOf, welcomePage } from './pages.js';

const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // Who may be in front of this application: a proxy on the same machine.
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
    onChallenge: (c) => {
      // It may be a stranger's address: ask for a CAPTCHA before you send mail there. This form has none.
      const { mailUnwanted, assessment } = c.get('gatehouse');
      if (mailUnwanted) return c.html(blockedPage(assessment?.request_id), 403);
      // Send a code to the address here, and create the account when it comes back.
      return c.html(confirmPage(), 202);
    },
  }),
  (c) => {
    // Create the account here.
    return c.html(welcomePage(), 201);
  },
);

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});

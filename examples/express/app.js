/** A signup form in Express: the application checks the form, then Gatehouse decides, then the route's handler runs. */
import express from 'express';
import { Gatehouse } from 'gatehouse-client';
import { protectSignup } from 'gatehouse-client/express';
import { blockedPage, formPage, problemOf, welcomePage } from './pages.js';

const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // Proxies that may be in front of this application: those on the same machine.
  trustedProxies: ['loopback'],
});

const app = express();
app.use(express.urlencoded({ extended: false }));
app.use(express.json());

app.get('/', (_request, response) => {
  response.send(formPage());
});

app.post(
  '/signup',
  // Your own checks come first: a form that they refuse is not assessed.
  (request, response, next) => {
    const problem = problemOf(request.body);
    if (problem === undefined) next();
    else response.status(422).send(formPage(problem));
  },
  protectSignup(gatehouse, {
    email: (request) => request.body?.email,
    // With a key for each form, no two visitors share a challenge.
    idempotencyKey: () => crypto.randomUUID(),
    onInvalid: (_request, response) => {
      response.status(400).send(formPage('Please check your email address.'));
    },
    onBlock: (request, response) => {
      response.status(403).send(blockedPage(request.gatehouse?.assessment?.request_id));
    },
    onChallenge: async (request, response) => {
      // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
      const { page, setCookie } = await gatehouse.beginProof({
        requestId: request.gatehouse?.assessment?.request_id,
        returnUrl: `${request.protocol}://${request.get('host')}/proved`,
        state: crypto.randomUUID(),
      });
      response.setHeader('set-cookie', setCookie).redirect(303, page);
    },
  }),
  (_request, response) => {
    // Create the account here.
    response.status(201).send(welcomePage());
  },
);

app.get('/proved', async (request, response, next) => {
  try {
    const proof = await gatehouse.endProof(request);
    // Create the account here, from the form that you kept under proof.state.
    if (proof) response.status(201).send(welcomePage());
    else response.status(403).send(blockedPage());
  } catch (error) {
    next(error);
  }
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}`);
});

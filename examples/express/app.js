/** A signup form in Express: the application checks the form, then Gatehouse decides, then the route's handler runs. */
import express from 'express';
import { Gatehouse } from 'gatehouse-client';
import { protectSignup } from 'gatehouse-client/express';
import { blockedPage, confirmPage, formPage, problemOf, welcomePage } from './pages.js';
import { beginProof, endProof } from './proofs.js';

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
    onInvalid: (_request, response) => {
      response.status(400).send(formPage('Please check your email address.'));
    },
    onBlock: (request, response) => {
      response.status(403).send(blockedPage(request.gatehouse?.assessment?.request_id));
    },
    onChallenge: async (request, response) => {
      const { mailUnwanted, assessment } = request.gatehouse ?? {};
      // It may be a stranger's address, which gets no mail: the visitor's browser does a proof of work.
      if (mailUnwanted && assessment) {
        const returnUrl = `${request.protocol}://${request.get('host')}/proved`;
        const { page, cookie } = await beginProof(gatehouse, assessment.request_id, returnUrl);
        response.setHeader('set-cookie', cookie).redirect(303, page);
        return;
      }
      // Send a code to the address here, and create the account when it comes back.
      response.status(202).send(confirmPage());
    },
  }),
  (_request, response) => {
    // Create the account here.
    response.status(201).send(welcomePage());
  },
);

app.get('/proved', async (request, response, next) => {
  try {
    // Create the account here, if it is true.
    const isPassed = await endProof(gatehouse, request.headers.cookie);
    response.status(isPassed ? 201 : 403).send(isPassed ? welcomePage() : blockedPage());
  } catch (error) {
    next(error);
  }
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}`);
});

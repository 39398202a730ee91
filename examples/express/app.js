/** A signup form in Express: the application checks the form, then Gatehouse decides, then the route's handler runs. */
import express from 'express';
import { Gatehouse } from 'gatehouse-client';
import { protectSignup } from 'gatehouse-client/express';
import { blockedPage, confirmPage, formPage, problemOf, welcomePage } from './pages.js';

const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // Who may be in front of this application: a proxy on the same machine.
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
    onChallenge: (request, response) => {
      // It may be a stranger's address: ask for a CAPTCHA before you send mail there. This form has none.
      if (request.gatehouse?.mailUnwanted) {
        response.status(403).send(blockedPage(request.gatehouse.assessment?.request_id));
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

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}`);
});

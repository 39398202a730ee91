/** A signup form in Fastify: the application checks the form, then Gatehouse decides, then the route's handler runs. */
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
import { Gatehouse } from 'gatehouse-client';
import { protectSignup } from 'gatehouse-client/fastify';
import { blockedPage, confirmPage, formPage, problemOf, welcomePage } from './pages.js';
import { beginProof, endProof } from './proofs.js';

const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // Proxies that may be in front of this application: those on the same machine.
  trustedProxies: ['loopback'],
});

const app = Fastify();
await app.register(formbody);

app.get('/', (_request, reply) => {
  reply.type('text/html').send(formPage());
});

app.post(
  '/signup',
  {
    // Your own checks come first (as a route's schema does): a form that they refuse is not assessed.
    preValidation: async (request, reply) => {
      const problem = problemOf(request.body);
      if (problem !== undefined) return reply.code(422).type('text/html').send(formPage(problem));
    },
    preHandler: protectSignup(gatehouse, {
      email: (request) => request.body?.email,
      onInvalid: (_request, reply) => {
        reply.code(400).type('text/html');
        return formPage('Please check your email address.');
      },
      onBlock: (request, reply) => {
        reply.code(403).type('text/html');
        return blockedPage(request.gatehouse?.assessment?.request_id);
      },
      onChallenge: async (request, reply) => {
        const { mailUnwanted, assessment } = request.gatehouse ?? {};
        // It may be a stranger's address, which gets no mail: the visitor's browser does a proof of work.
        if (mailUnwanted && assessment) {
          const returnUrl = `http://${request.headers.host}/proved`;
          const { page, cookie } = await beginProof(gatehouse, assessment.request_id, returnUrl);
          reply.code(303).header('set-cookie', cookie).header('location', page);
          return '';
        }
        // Send a code to the address here, and create the account when it comes back.
        reply.code(202).type('text/html');
        return confirmPage();
      },
    }),
  },
  (_request, reply) => {
    // Create the account here.
    reply.code(201).type('text/html').send(welcomePage());
  },
);

app.get('/proved', async (request, reply) => {
  // Create the account here, if it is true.
  const isPassed = await endProof(gatehouse, request.headers.cookie);
  reply.code(isPassed ? 201 : 403).type('text/html');
  return isPassed ? welcomePage() : blockedPage();
});

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
console.log(`listening on ${url}`);

/** A signup form in Fastify: the application checks the form, then Gatehouse decides, then the route's handler runs. */
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
import { Gatehouse } from 'gatehouse-client';
import { protectSignup } from 'gatehouse-client/fastify';
import { blockedPage, formPage, problemOf, welcomePage } from './pages.js';

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
      // With a key for each form, no two visitors share a challenge.
      idempotencyKey: () => crypto.randomUUID(),
      onInvalid: (_request, reply) => {
        reply.code(400).type('text/html');
        return formPage('Please check your email address.');
      },
      onBlock: (request, reply) => {
        reply.code(403).type('text/html');
        return blockedPage(request.gatehouse?.assessment?.request_id);
      },
      onChallenge: async (request, reply) => {
        // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
        const { page, setCookie } = await gatehouse.beginProof({
          requestId: request.gatehouse?.assessment?.request_id,
          returnUrl: `${request.protocol}://${request.headers.host}/proved`,
          state: crypto.randomUUID(),
        });
        reply.code(303).header('set-cookie', setCookie).header('location', page);
        return '';
      },
    }),
  },
  (_request, reply) => {
    // Create the account here.
    reply.code(201).type('text/html').send(welcomePage());
  },
);

app.get('/proved', async (request, reply) => {
  const proof = await gatehouse.endProof(request);
  // Create the account here, from the form that you kept under proof.state.
  reply.code(proof ? 201 : 403).type('text/html');
  return proof ? welcomePage() : blockedPage();
});

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
console.log(`listening on ${url}`);

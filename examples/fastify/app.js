/** A signup form in Fastify: Gatehouse decides about each signup before the route's handler runs. */
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
import { Gatehouse } from 'gatehouse-client';
import { protectSignup } from 'gatehouse-client/fastify';
import { blockedPage, confirmPage, formPage, welcomePage } from './pages.js';

const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // Who may be in front of this application: a proxy on the same machine.
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
    preHandler: protectSignup(gatehouse, {
      email: (request) => request.body?.email,
      onBlock: (request, reply) => {
        reply.code(403).type('text/html');
        return blockedPage(request.gatehouse?.assessment?.request_id);
      },
      onChallenge: (_request, reply) => {
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

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
console.log(`listening on ${url}`);

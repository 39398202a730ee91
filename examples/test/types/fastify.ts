/** The types of Fastify fit the adapter, in each way a program may write it. Compiled in the installed example. */
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Gatehouse, type SignupDecision } from 'gatehouse-client';
import { clientIp, protectSignup } from 'gatehouse-client/fastify';

interface Form {
  readonly Body: { readonly email: string };
}

const gatehouse = new Gatehouse({ url: process.env.GATEHOUSE_URL, key: process.env.GATEHOUSE_KEY });
const app = Fastify();
app.post<Form>(
  '/signup',
  { preHandler: [protectSignup(gatehouse, { email: ({ body }) => body.email, ip: ({ ip }) => ip })] },
  async (request) => {
    const decision: SignupDecision | undefined = request.gatehouse;
    return { decision, email: request.body.email, ip: clientIp(request, { trustedProxies: 1 }) };
  },
);

app.addHook(
  'preHandler',
  protectSignup(gatehouse, {
    email: (request: FastifyRequest) => (request.body as Form['Body']).email,
    onBlock: (_request, reply: FastifyReply) => reply.code(403).send('no'),
    onChallenge: async (request) => ({ decision: request.gatehouse?.decision }),
  }),
);

// @ts-expect-error: without it there is nothing to decide about
protectSignup(gatehouse, {});

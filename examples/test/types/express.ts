/** The types of Express fit the adapter, in each way a program may write it. Compiled in the installed example. */
import express, { type Request, type Response } from 'express';
import { Gatehouse, type SignupDecision } from 'gatehouse-client';
import { clientIp, protectSignup } from 'gatehouse-client/express';

const gatehouse = new Gatehouse({ url: process.env.GATEHOUSE_URL, key: process.env.GATEHOUSE_KEY });
const app = express();
app.use('/signup', express.json(), protectSignup(gatehouse, { email: (request) => request.body.email }));

const router = express.Router();
router.post(
  '/signup',
  protectSignup(gatehouse, {
    email: (request: Request) => request.body.email,
    ip: (request) => request.ip,
    onBlock: (request, response: Response) => response.status(403).send(request.gatehouse?.error?.code),
    onChallenge: (_request, _response, next) => next(),
    onFailure: 'challenge',
  }),
  async (request, response) => {
    const decision: SignupDecision | undefined = request.gatehouse;
    response.json({ decision, ip: clientIp(request, { trustedProxies: 1 }) });
  },
);

// @ts-expect-error: without it there is nothing to decide about
protectSignup(gatehouse, {});

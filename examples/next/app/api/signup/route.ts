/** The same decision for a form, or a client, that sends its signup to a route. */
import { protectRoute } from 'gatehouse-client/next';
import { problemOf } from '../../check';
import { gatehouse } from '../../gatehouse';
import { beginProof } from '../../proofs';

export const POST = protectRoute(
  gatehouse,
  {
    email: async (request) => (await request.formData()).get('email'),
    // Your own checks come first: a form that they refuse is not assessed.
    validate: async (request) => {
      const problem = problemOf(await request.formData());
      return problem === undefined ? undefined : goTo(`/with-route?problem=${encodeURIComponent(problem)}`);
    },
    onInvalid: () => goTo('/with-route?problem=Please+check+your+email+address.'),
    onBlock: (_request, { assessment }) => goTo(`/blocked?reference=${assessment?.request_id ?? ''}`),
    onChallenge: async (_request, { mailUnwanted, assessment }) => {
      // It may be a stranger's address, which gets no mail: the visitor's browser does a proof of work.
      if (mailUnwanted && assessment) return goTo(await beginProof(assessment.request_id));
      // Send a code to the address here, and create the account when it comes back.
      return goTo('/confirm');
    },
  },
  async (_request) => {
    // Create the account here: the body can be read again.
    return goTo('/welcome');
  },
);

function goTo(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}

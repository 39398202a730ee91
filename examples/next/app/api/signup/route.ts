/** The same decision for a form, or a client, that sends its signup to a route. */
import { protectRoute } from 'gatehouse-client/next';
import { problemOf } from '../../check';
import { gatehouse, returnUrl } from '../../gatehouse';

export const POST = protectRoute(
  gatehouse,
  {
    email: async (request) => (await request.formData()).get('email'),
    // With a key for each form, no two visitors share a challenge.
    idempotencyKey: () => crypto.randomUUID(),
    // Your own checks come first: a form that they refuse is not assessed.
    validate: async (request) => {
      const problem = problemOf(await request.formData());
      return problem === undefined ? undefined : goTo(`/with-route?problem=${encodeURIComponent(problem)}`);
    },
    onInvalid: () => goTo('/with-route?problem=Please+check+your+email+address.'),
    onBlock: (_request, { assessment }) => goTo(`/blocked?reference=${assessment?.request_id ?? ''}`),
    onChallenge: async (request, { assessment }) => {
      // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
      const { page, setCookie } = await gatehouse.client().beginProof({
        requestId: assessment?.request_id,
        returnUrl: returnUrl(request.headers),
        state: crypto.randomUUID(),
      });
      return goTo(page, { 'set-cookie': setCookie });
    },
  },
  async (_request) => {
    // Create the account here: the body can be read again.
    return goTo('/welcome');
  },
);

function goTo(location: string, headers?: Record<string, string>): Response {
  return new Response(null, { status: 303, headers: { location, ...headers } });
}

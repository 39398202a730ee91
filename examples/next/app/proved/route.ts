/** The page of Gatehouse sends the browser here after the proof of work. */
import { gatehouse } from '../gatehouse';

export async function GET(request: Request): Promise<Response> {
  const proof = await gatehouse.client().endProof(request);
  // Create the account here, from the form that you kept under proof.state.
  const location = proof ? '/welcome' : '/blocked';
  return new Response(null, { status: 303, headers: { location } });
}

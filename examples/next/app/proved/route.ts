/** The page of Gatehouse sends the browser here after the proof of work. */
import { endProof } from '../proofs';

export async function GET(): Promise<Response> {
  // Create the account here, if it is true.
  const location = (await endProof()) ? '/welcome' : '/blocked';
  return new Response(null, { status: 303, headers: { location } });
}

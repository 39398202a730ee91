/** The page of Gatehouse sends the browser here after the proof of work. */
import type { APIRoute } from 'astro';
import { gatehouse } from '../lib/gatehouse';

export const GET: APIRoute = async ({ request, redirect }) => {
  const proof = await gatehouse.endProof(request);
  if (proof === null) return redirect('/blocked', 303);
  // Create the account here, from the form that you kept under proof.state.
  return redirect('/welcome', 303);
};

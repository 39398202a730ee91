/** The page of Gatehouse sends the browser here after the proof of work. */
import { redirect } from '@sveltejs/kit';
import { gatehouse } from '../../lib/server/gatehouse';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ request }) => {
  const proof = await gatehouse().endProof(request);
  // Create the account here, from the form that you kept under proof.state.
  if (proof !== null) redirect(303, '/welcome');
};

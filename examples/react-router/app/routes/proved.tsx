/** The page of Gatehouse sends the browser here after the proof of work. */
import { redirect } from 'react-router';
import { gatehouse } from '../gatehouse.server';
import type { Route } from './+types/proved';

export async function loader({ request }: Route.LoaderArgs) {
  const proof = await gatehouse.endProof(request);
  // Create the account here, from the form that you kept under proof.state.
  return proof === null ? null : redirect('/welcome');
}

export default function NotProved() {
  return (
    <>
      <h1>We cannot create this account</h1>
      <p>If you think that this is a mistake, write to our support.</p>
    </>
  );
}

/** The proof of work: the visitor's browser does it in the page of the form. */
import { InvalidRequestError } from 'gatehouse-client';

/**
 * Whether the page has solved the challenge of this signup.
 * @param {import('gatehouse-client').Gatehouse} client
 * @param {string} token the request id of the assessment
 * @param {string | null | undefined} altcha response of the page's widget
 */
export async function isSolved(client, token, altcha) {
  if (!altcha) return false;
  try {
    return (await client.redeemChallenge({ token, altcha })).status === 'passed';
  } catch (error) {
    // Not solved, for the signup of another address, or used before.
    if (error instanceof InvalidRequestError) return false;
    throw error;
  }
}

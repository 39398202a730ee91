/** Decides which user signs in with an address that several claim: the one whose password is right. */
import type { SignIn, SignInAnswer, Visitor } from '../accounts/sign-in.ts';
import { isWrongSecret } from './dashboard-sign-in-problems.ts';

/** @param logins what sign-in knows the users by, of which there is one at least; each costs a hash */
export async function signInAsOneOf(
  signIn: Pick<SignIn, 'call'>,
  logins: readonly string[],
  password: string,
  visitor: Visitor,
): Promise<SignInAnswer> {
  let answer: SignInAnswer | undefined;
  for (const email of logins) {
    answer = await signIn.call('sign-in/email', { email, password }, visitor);
    if (answer.ok || !isWrongSecret(answer.code)) break;
  }
  if (answer === undefined) throw new Error('nobody to sign in');
  return answer;
}

/** Decides which user signs in with an address that several claim: the one whose password is right. */
import type { SignIn, SignInAnswer, Visitor } from '../accounts/sign-in.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import { isMadeUpEmail, MADE_UP_DOMAIN } from '../store/sign-in-store.ts';
import { isWrongSecret } from './dashboard-sign-in-problems.ts';

/** The logins of the users who claim an address. Without such a user it is a login that does not exist, so that the timing is the same. */
export async function loginsOf(store: Pick<PeopleStore, 'usersOf'>, address: string): Promise<string[]> {
  const claiming = await store.usersOf(address);
  if (claiming.length > 0) return claiming.map(({ login }) => login);
  return [isMadeUpEmail(address) ? `nobody${MADE_UP_DOMAIN}` : address];
}

/** @param logins at least one; each costs a hash */
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

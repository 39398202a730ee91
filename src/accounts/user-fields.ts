/** Reads what people type about themselves; a Problem names the field that is not valid. */
import { Problem } from '../contract/problem.ts';
import { PASSWORD_LENGTH } from './password.ts';

const MAX_EMAIL = 254;
const MAX_NAME = 100;
/** Form of an address that the sign-in library takes: no dot at an end of the local part, none doubled, ASCII letters only. */
const EMAIL = /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;
/** No mail ever reaches one (RFC 2606), and the made-up addresses of users are of this kind. */
const NEVER_AN_ADDRESS = /\.invalid$/;

/** Address in lower case. @throws Problem `invalid_value` */
export function readUserEmail(text: string | undefined, param = 'email'): string {
  const email = text?.trim().toLowerCase() ?? '';
  if (email.length > MAX_EMAIL || !EMAIL.test(email) || NEVER_AN_ADDRESS.test(email)) {
    throw new Problem('invalid_value', param, {
      message: 'This is not an email address.',
      resolution: 'Send one address of the form local@domain.tld.',
    });
  }
  return email;
}

/** @throws Problem `invalid_value` */
export function readName(text: string | undefined, param = 'name'): string {
  const name = text?.trim() ?? '';
  if (name === '' || name.length > MAX_NAME || /\p{C}/u.test(name)) {
    throw new Problem('invalid_value', param, {
      message: 'A name has 1 to 100 printable characters.',
      resolution: 'Choose a name of this length.',
    });
  }
  return name;
}

/** @throws Problem `invalid_value` */
export function readNewPassword(text: string | undefined, param = 'password'): string {
  if (text === undefined || text.length < PASSWORD_LENGTH.min || text.length > PASSWORD_LENGTH.max)
    throw wrongPasswordLength(param);
  return text;
}

export function wrongPasswordLength(param: string): Problem {
  return new Problem('invalid_value', param, {
    message: `A password has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`,
    resolution: 'Choose one of this length; several words are easy to remember.',
  });
}

/** Turns a refusal of the sign-in library into a Problem, and a failure of the database into one that says that nobody can sign in. */
import { wrongPasswordLength } from '../accounts/user-fields.ts';
import { Problem } from '../contract/problem.ts';
import { isDiskFull, isStoreFailure } from '../store/store-failure.ts';

const CODE_WRONG = {
  message: 'The code is wrong.',
  resolution: 'Send the code that the app shows now, or a backup code that was not used yet.',
};
const CODE_TRIED = {
  message: 'This code was used already. Each works once.',
  resolution: 'Wait for the next code of the app, or send a backup code that was not used yet.',
};
const PASSWORD_WRONG = {
  message: 'The current password is wrong.',
  resolution: 'Send the password that you sign in with.',
};
const TOOK_TOO_LONG = { message: 'This sign-in took too long, or was finished already.' };
const IS_ON = { message: '2FA is on already.', resolution: 'Turn it off first to set it up again.' };
const IS_OFF = { message: '2FA is not on.', resolution: 'Set it up in your profile first.' };

const NO_SESSION = {
  storage_full: {
    message: 'You cannot sign in now: the disk of this service is full.',
    resolution:
      'Free space on the disk of the data folder or database, then try again. Whoever is signed in stays signed in.',
  },
  unavailable: {
    message: 'You cannot sign in now: the database of this service fails.',
    resolution: 'Try again in a minute. If it still fails, the log of the service says why.',
  },
} as const;

/** Refusals that count as failed attempts. */
const WRONG_SECRETS: Record<string, () => Problem> = {
  INVALID_EMAIL_OR_PASSWORD: () => new Problem('sign_in_failed'),
  INVALID_EMAIL: () => new Problem('sign_in_failed'),
  INVALID_CODE: () => new Problem('invalid_value', 'code', CODE_WRONG),
  INVALID_BACKUP_CODE: () => new Problem('invalid_value', 'code', CODE_WRONG),
  CODE_TRIED: () => new Problem('invalid_value', 'code', CODE_TRIED),
  INVALID_PASSWORD: () => new Problem('invalid_value', 'password', PASSWORD_WRONG),
};

const NO_PASSWORD = {
  message: 'You have no password here: you sign in at the OpenID provider.',
  resolution: 'Change your password and your second factor there.',
};

const PROBLEMS: Record<string, () => Problem> = {
  ...WRONG_SECRETS,
  CREDENTIAL_ACCOUNT_NOT_FOUND: () => new Problem('conflict', undefined, NO_PASSWORD),
  PASSWORD_TOO_SHORT: () => wrongPasswordLength('newPassword'),
  PASSWORD_TOO_LONG: () => wrongPasswordLength('newPassword'),
  INVALID_TWO_FACTOR_COOKIE: () => new Problem('signed_out', undefined, TOOK_TOO_LONG),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () =>
    new Problem('too_many_attempts', undefined, { resolution: 'Sign in again.' }),
  ACCOUNT_TEMPORARILY_LOCKED: () =>
    new Problem('too_many_attempts', undefined, { resolution: 'Wait 15 minutes, then sign in again.' }),
  TOTP_ALREADY_ENABLED: () => new Problem('conflict', undefined, IS_ON),
  TOTP_NOT_ENABLED: () => new Problem('conflict', undefined, IS_OFF),
  TWO_FACTOR_NOT_ENABLED: () => new Problem('conflict', undefined, IS_OFF),
};

/** A refusal without a code means that the user is not signed in. */
export function toSignInProblem(code: string): Problem {
  return PROBLEMS[code]?.() ?? new Problem(code === 'UNAUTHORIZED' ? 'signed_out' : 'invalid_value');
}

/** Whether the answer counts as a failed attempt. */
export function isWrongSecret(code: string): boolean {
  return code in WRONG_SECRETS;
}

/** The Problem of a sign-in that the database could not serve; any other error as it is. */
export function toSignInFailure(error: unknown): unknown {
  if (!isStoreFailure(error)) return error;
  const code = isDiskFull(error) ? 'storage_full' : 'unavailable';
  return new Problem(code, undefined, { ...NO_SESSION[code], cause: error });
}

/** Turns a refusal of the sign-in library into a Problem. */
import { wrongPasswordLength } from '../accounts/user-fields.ts';
import { Problem } from '../contract/problem.ts';

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

const PROBLEMS_BY_CODE: Record<string, () => Problem> = {
  INVALID_EMAIL_OR_PASSWORD: () => new Problem('sign_in_failed'),
  INVALID_EMAIL: () => new Problem('sign_in_failed'),
  INVALID_CODE: () => new Problem('invalid_value', 'code', CODE_WRONG),
  INVALID_BACKUP_CODE: () => new Problem('invalid_value', 'code', CODE_WRONG),
  CODE_TRIED: () => new Problem('invalid_value', 'code', CODE_TRIED),
  INVALID_PASSWORD: () => new Problem('invalid_value', 'password', PASSWORD_WRONG),
  PASSWORD_TOO_SHORT: () => wrongPasswordLength('newPassword'),
  PASSWORD_TOO_LONG: () => wrongPasswordLength('newPassword'),
  INVALID_TWO_FACTOR_COOKIE: () =>
    new Problem('signed_out', undefined, { message: 'This sign-in took too long, or was finished already.' }),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () =>
    new Problem('too_many_attempts', undefined, { resolution: 'Sign in again.' }),
  ACCOUNT_TEMPORARILY_LOCKED: () =>
    new Problem('too_many_attempts', undefined, { resolution: 'Wait 15 minutes, then sign in again.' }),
  TOTP_ALREADY_ENABLED: () =>
    new Problem('conflict', undefined, {
      message: '2FA is on already.',
      resolution: 'Turn it off first to set it up again.',
    }),
  TOTP_NOT_ENABLED: () => notEnabled(),
  TWO_FACTOR_NOT_ENABLED: () => notEnabled(),
};

const WRONG_SECRETS = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'INVALID_EMAIL',
  'INVALID_PASSWORD',
  'INVALID_CODE',
  'INVALID_BACKUP_CODE',
  'CODE_TRIED',
]);

/** A refusal without a code means that the user is not signed in. */
export function toSignInProblem(code: string): Problem {
  return PROBLEMS_BY_CODE[code]?.() ?? new Problem(code === 'UNAUTHORIZED' ? 'signed_out' : 'invalid_value');
}

/** Whether the answer counts as a failed attempt. */
export function isWrongSecret(code: string): boolean {
  return WRONG_SECRETS.has(code);
}

function notEnabled(): Problem {
  return new Problem('conflict', undefined, {
    message: '2FA is not on.',
    resolution: 'Set it up in your profile first.',
  });
}

/** Errors that only the dashboard's API answers with: its callers are people, not keys. */
export const DASHBOARD_PROBLEMS = {
  invalid_value: {
    status: 400,
    message: 'A value cannot be used.',
    resolution: 'Change the field named in `param`.',
  },
  signed_out: {
    status: 401,
    message: 'You are not signed in.',
    resolution: 'Sign in, then try again.',
  },
  sign_in_failed: {
    status: 401,
    message: 'Email and password do not match.',
    resolution: 'Check both, then try again.',
  },
  forbidden: {
    status: 403,
    message: 'Your role does not allow this.',
    resolution: 'Ask an owner of the account or the operator.',
  },
  foreign_request: {
    status: 403,
    message: 'The request did not come from a page of this dashboard.',
    resolution:
      'Open the dashboard under the address it is served at. Behind a proxy, pass the Host header on or set GATEHOUSE_PUBLIC_URL.',
  },
  conflict: {
    status: 409,
    message: 'This does not fit what is there already.',
    resolution: 'Look at the current state, then decide anew.',
  },
  too_many_attempts: {
    status: 429,
    message: 'There were too many failed attempts.',
    resolution: 'Wait the seconds given in Retry-After, then try again.',
  },
} as const;

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
      'Open the dashboard at its own address. Behind a proxy, pass the Host header on or set GATEHOUSE_PUBLIC_URL.',
  },
  conflict: {
    status: 409,
    message: 'This conflicts with the current state.',
    resolution: 'Reload, then decide again.',
  },
  too_many_attempts: {
    status: 429,
    message: 'There were too many failed attempts.',
    resolution: 'Wait as many seconds as Retry-After says, then try again.',
  },
} as const;

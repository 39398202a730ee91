/** Decides whether the body of an assessment request is a valid signup attempt. */
import { parseEmail } from '../address/email.ts';
import { readIp } from '../address/ip.ts';
import { trimInvisible } from '../address/visible-text.ts';
import type { AssessmentRequest } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { SignupAttempt } from '../model/signup-attempt.ts';

/** @throws Problem `missing_field`, `invalid_email` or `invalid_ip`, with the parameter at fault */
export function readSignupAttempt(request: AssessmentRequest): SignupAttempt {
  if (trimInvisible(request.email) === '') throw new Problem('missing_field', 'email');
  const email = parseEmail(request.email);
  if (email === undefined) throw new Problem('invalid_email', 'email');
  const reading = readIp(request.ip);
  if (reading.status === 'invalid') throw new Problem('invalid_ip', 'ip');
  return {
    email,
    ipStatus: reading.status,
    ip: reading.status === 'ok' ? reading.address : null,
    sessionId: request.session_id ?? null,
    broughtBy: request.brought_by ?? null,
  };
}

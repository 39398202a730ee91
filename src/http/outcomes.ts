/** POST /v1/outcomes: notes what became of signups, one or many, once. */
import { parseEmail } from '../address/email.ts';
import type { OutcomeItem, OutcomeRequest, OutcomeResponse } from '../contract/messages.ts';
import { OPERATIONS, REPLAYED } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import { checkIdempotencyKey, type Idempotency } from '../signup/idempotency.ts';
import type { FoundOutcomes, Outcomes, ReportedOutcome } from '../signup/outcomes.ts';
import { UNKNOWN_ASSESSMENT } from './api.ts';
import type { Operations } from './operation.ts';

export interface OutcomeRouteOptions {
  readonly operations: Operations;
  readonly outcomes: Outcomes;
  readonly idempotency: Idempotency;
}

export function outcomeRoute({ operations, outcomes, idempotency }: OutcomeRouteOptions): void {
  operations.register<OutcomeRequest>(OPERATIONS.reportOutcome, async (context, read) => {
    const reported = toReported(await read());
    const { caller, idempotencyKey, at } = context;
    const invalid = checkIdempotencyKey(idempotencyKey);
    if (invalid !== undefined) throw invalid;
    const reporter = { accountId: caller.account.id, mode: caller.key.mode, keyId: caller.key.id };
    const find = async () => {
      const found = await outcomes.find(reported.outcomes, reporter, at);
      if (reported.isOne && found.unmatched.length > 0 && 'requestId' in (reported.outcomes[0] ?? {}))
        throw new Problem('missing_field', 'request_id', UNKNOWN_ASSESSMENT);
      return found;
    };
    if (idempotencyKey === undefined) {
      const found = await find();
      await outcomes.save(found, reporter, at);
      return toAnswer(found);
    }
    const turn = await idempotency.begin({
      caller,
      requestId: context.id,
      operation: 'reportOutcome',
      key: idempotencyKey,
      members: [reported.outcomes],
    });
    if (turn.outcome === 'answered') {
      context.header(REPLAYED, 'true');
      return turn.text;
    }
    try {
      const found = await find();
      const answer = toAnswer(found);
      await outcomes.save(found, reporter, at, { claim: turn.claim, answer });
      turn.complete(answer);
      return answer;
    } catch (error) {
      turn.release();
      throw error;
    }
  });
}

/** @throws Problem where an outcome names no signup, or two of them */
function toReported({ outcomes, ...single }: OutcomeRequest) {
  if (outcomes === undefined) {
    const { outcome } = single;
    if (outcome === undefined) throw new Problem('missing_field', 'outcome', NO_OUTCOME);
    return { isOne: true, outcomes: [readOne({ ...single, outcome }, '')] };
  }
  const [extra] = Object.entries(single).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (extra !== undefined && ['request_id', 'email', 'outcome'].includes(extra))
    throw new Problem('missing_field', extra, {
      message: `\`outcomes\` and \`${extra}\` are both there.`,
      resolution: 'Send one outcome, or several in `outcomes`.',
    });
  return { isOne: false, outcomes: outcomes.map((item, place) => readOne(item, `outcomes[${place}].`)) };
}

/** @param where beginning of the names in errors */
function readOne({ request_id: requestId, email, outcome }: OutcomeItem, where: string): ReportedOutcome {
  const blamed = (name: string) => (where === '' ? name : 'outcomes');
  if (requestId !== undefined && email !== undefined)
    throw new Problem('missing_field', blamed('email'), {
      message: `\`${where}request_id\` and \`${where}email\` are both there.`,
      resolution: 'Send the id of the signup, or the address that signed up.',
    });
  if (requestId !== undefined && requestId !== '') return { outcome, requestId };
  if (email === undefined || email.trim() === '')
    throw new Problem('missing_field', blamed('request_id'), {
      message: `\`${where}request_id\` is missing.`,
      resolution: 'Send the `request_id` of the signup, or its address as `email`.',
    });
  const address = parseEmail(email)?.address;
  if (address === undefined)
    throw new Problem('invalid_email', blamed('email'), {
      message: `\`${where}email\` is not an email address.`,
    });
  return { outcome, email: address };
}

function toAnswer({ outcomes, unmatched }: FoundOutcomes): string {
  const signups = new Set(outcomes.map(({ stored }) => stored.requestId)).size;
  return JSON.stringify({
    accepted: true,
    signups,
    unmatched: [...unmatched],
    message:
      signups === 0
        ? 'No stored signup matches; nothing was noted.'
        : `Noted for ${signups} ${signups === 1 ? 'signup' : 'signups'}.`,
  } satisfies OutcomeResponse);
}

const NO_OUTCOME = {
  message: '`outcome` is missing or not one of the allowed values.',
  resolution: 'Send `outcome` with `request_id` or `email`, or several of them in `outcomes`.',
};

/** Writes the exact body of an answer, from what is stored of its assessment: when it is made, and whenever it is read. */
import type { Assessment, Verdict } from '../contract/messages.ts';
import { REASONS } from '../contract/reasons.ts';
import { serializeAssessment } from '../contract/serialize.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import { toAnswer } from './answer.ts';
import type { Facts } from './facts.ts';
import type { FactsHead } from './read-facts.ts';

/** The columns of an assessment that its answer repeats. */
export interface AnsweredHead extends FactsHead {
  readonly requestId: string;
  readonly shadow: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly verdict: Verdict;
  readonly score: number;
  readonly sessionId: string | null;
  readonly processedMs: number;
}

/** What is stored with version 1 of the facts must give the same bytes in every later version of Gatehouse. */
export function writeBody(
  head: AnsweredHead,
  { evidence, ipStatus, local, challenge }: Pick<Facts, 'evidence' | 'ipStatus' | 'local' | 'challenge'>,
): string {
  const { verdict, score } = head;
  const reasons = head.reasons.map((code) => ({ code, signal: REASONS[code].signal }));
  const message: Assessment = {
    request_id: head.requestId,
    ...toAnswer(head.shadow, { evidence, judgement: { verdict, score, reasons } }, local),
    ip_provided: evidence.ip !== null,
    ip_status: ipStatus,
    processed_ms: head.processedMs,
    assessed_at: toTimestamp(head.at),
  };
  if (head.sessionId !== null) message.session_id = head.sessionId;
  if (challenge !== undefined) message.challenge = challenge;
  return serializeAssessment(message);
}

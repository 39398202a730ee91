import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyRecorded } from '../../test/support/any-recorded.ts';
import { rounds } from '../../test/support/long-version.ts';
import { factsOf, recorded } from '../../test/support/recorded.ts';
import { Assessment } from '../contract/messages.ts';
import { REASONS } from '../contract/reasons.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { shownEvidence } from './answer.ts';
import { type AnsweredHead, writeBody } from './answer-body.ts';
import type { Facts } from './facts.ts';
import { toSignals } from './signals.ts';

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

/** Only the members that its schema names, in their order there, those that it requires first. */
function inOrder({ properties, required = [], items }: Shape, value: unknown): unknown {
  if (items !== undefined) return (value as unknown[]).map((each) => inOrder(items, each));
  if (properties === undefined) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const names = [...new Set([...required, ...Object.keys(properties)])];
  return Object.fromEntries(
    names
      .filter((name) => members[name] !== undefined)
      .map((name) => [name, inOrder(properties[name] as Shape, members[name])]),
  );
}

const serialize = (message: Assessment) => JSON.stringify(inOrder(Assessment as Shape, message));

/** The message type of an answer in the contract. */
function messageOf(head: AnsweredHead, { evidence, ipStatus, local, challenge }: Facts): Assessment {
  const { shadow, verdict, sessionId } = head;
  const message: Assessment = {
    request_id: head.requestId,
    verdict: shadow ? 'allow' : verdict,
    score: shadow ? 0 : head.score,
    reasons: shadow ? [] : head.reasons.map((code) => ({ code, signal: REASONS[code].signal })),
    signals: toSignals(shownEvidence(shadow, evidence), local),
    ip_provided: evidence.ip !== null,
    ip_status: ipStatus,
    processed_ms: head.processedMs,
    assessed_at: toTimestamp(head.at),
  };
  if (shadow) message.shadow_verdict = verdict;
  if (sessionId !== null) message.session_id = sessionId;
  if (challenge !== undefined) message.challenge = challenge;
  return message;
}

it('has the same bytes as the schema gives', () => {
  fc.assert(
    fc.property(anyRecorded, ({ evidence, options }) => {
      const [head, facts] = [recorded(evidence, options), factsOf(evidence, options)];
      expect(writeBody(head, facts)).toBe(serialize(messageOf(head, facts)));
    }),
    { numRuns: rounds(300, 100_000) },
  );
});

/** The parts of an assessment that a run of the history keeps: it is found, counted and grouped by them. No texts. */
import type { Verdict } from '../../contract/messages.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import { mainDetectorOf } from '../../model/main-finding.ts';
import type { NumberedAssessment } from '../stored-assessment.ts';

/** A number of 48 or 64 bits, in two parts that sort as it does. */
export type WideNumber = readonly [high: number, low: number];

export interface RunRecord {
  readonly accountId: string;
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly verdict: Verdict;
  readonly mode: KeyMode;
  readonly shadow: boolean;
  readonly score: number;
  readonly keyId: string;
  readonly country: string;
  readonly domain: string;
  readonly reasons: readonly string[];
  /** One for each reason, 0 … 100. */
  readonly weights: readonly number[];
  /** Detector of the main finding; empty: there is none. */
  readonly finding: string;
  readonly asn: number;
  /** Whole milliseconds; `UNKNOWN_MS` where it is not known. */
  readonly tookMs: number;
  readonly mailbox: WideNumber;
  readonly session: WideNumber | null;
  readonly ip: RunAddress | null;
}

/** An IPv4 address, or the /64 of an IPv6 address. */
export interface RunAddress {
  readonly family: 4 | 6;
  readonly value: WideNumber;
}

const DOT = 46;
const ZERO = 48;

export const UNKNOWN_MS = 65_535;

export function toRunRecord(head: NumberedAssessment): RunRecord {
  const { sessionId } = head;
  return {
    accountId: head.accountId,
    seq: head.seq,
    at: head.at,
    verdict: head.verdict,
    mode: head.mode,
    shadow: head.shadow,
    score: head.score,
    keyId: head.keyId,
    country: head.countryCode,
    domain: head.emailDomain,
    reasons: head.reasons,
    weights: head.weights,
    finding: mainDetectorOf(head.facts),
    asn: head.asn,
    tookMs: tookMsOf(head.processedMs),
    mailbox: hashOf(head.mailboxHash),
    session: sessionId === null ? null : hashOf(sessionId),
    ip: head.ip === null ? null : addressOf(head.ip),
  };
}

function tookMsOf(processedMs: number): number {
  return processedMs >= 0 ? Math.min(processedMs, UNKNOWN_MS - 1) : UNKNOWN_MS;
}

/** @param ip canonical text, as it is stored */
export function addressOf(ip: string): RunAddress {
  if (!ip.includes(':')) {
    let [value, octet] = [0, 0];
    for (let index = 0; index < ip.length; index += 1) {
      const code = ip.charCodeAt(index);
      if (code === DOT) [value, octet] = [value * 256 + octet, 0];
      else octet = octet * 10 + code - ZERO;
    }
    return { family: 4, value: [value * 256 + octet, 0] };
  }
  const [head = '', tail] = ip.split('::') as [string, string?];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  // Only the first four groups are kept; where `::` is among them, what follows it may be as well.
  const all =
    tail === undefined
      ? groups
      : [...groups, ...Array<string>(8 - groups.length - after).fill('0'), ...tail.split(':')];
  const group = (index: number) => Number.parseInt(all[index] ?? '0', 16);
  return { family: 6, value: [group(0) * 65_536 + group(1), group(2) * 65_536 + group(3)] };
}

/** 48 bits of a fast hash, not a secret one: what is found by it is compared with the record. */
export function hashOf(text: string): WideNumber {
  let low = 0x2f0b4c47;
  let high = 0x5d588b65;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995);
    high ^= high >>> 15;
  }
  low ^= high >>> 13;
  low = Math.imul(low ^ (low >>> 16), 0x7feb352d);
  high = Math.imul(high ^ (high >>> 15) ^ low, 0x2c1b3c6d);
  return [(high ^ (high >>> 13)) >>> 0, ((low ^ (low >>> 15)) >>> 0) % 65_536];
}

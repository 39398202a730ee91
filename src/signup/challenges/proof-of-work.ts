/** Makes and checks proofs of work in the format of ALTCHA: the work grows with the score, and a proof is good for one signup only. */
import { createHmac, hkdfSync } from 'node:crypto';
import {
  CappedMap,
  type Challenge,
  createChallenge,
  type Payload,
  randomInt,
  verifySolution,
} from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { Problem, type ProblemText } from '../../contract/problem.ts';
import type { AssessmentStore } from '../../store/store.ts';
import type { ChallengeSubject, ChallengeTicket } from './challenge-tokens.ts';

/** The signup that a proof is for. */
export type ProofSubject = ChallengeSubject & ChallengeTicket;

export type SignedChallenge = Challenge & { readonly signature: string };

export type ProofOutcome = 'made' | 'passed' | 'refused';

export interface ProofOfWorkOptions {
  /** Secret of the installation: every node makes and checks the same proofs. */
  readonly secret: Buffer;
  /** Reads the score, which decides how much work there is. */
  readonly store: Pick<AssessmentStore, 'findStored'>;
  /** Factor of the work, `1` for that of docs/challenges.md. */
  readonly factor: number;
  readonly onProof: (outcome: ProofOutcome) => void;
}

export interface ProofOfWork {
  /** Makes the challenge of a signup; a node makes the same again. @throws Problem where the assessment was deleted */
  make(subject: ProofSubject): Promise<SignedChallenge>;
  /** @param payload of the widget, base64 of JSON. @throws Problem `challenge_proof_wrong`, `challenge_expired` */
  check(payload: string, subject: ProofSubject): Promise<void>;
}

/** Browsers derive these keys natively, so that a native program is hardly faster; every widget has the algorithm built in. */
const ALGORITHM = 'PBKDF2/SHA-256';
/** Iterations of one attempt. Fewer would measure the calls instead of the work, more would make the steps coarse. */
const COST = 5_000;
/** Max. attempts at the lowest score. The number is drawn evenly, so a visitor needs half of it on average. */
const BASE_ATTEMPTS = 100;
/** Scores at which the work begins and ends to grow, and the points that double it. */
const [FIRST_SCORE, LAST_SCORE, DOUBLING] = [30, 80, 10] as const;
const KEY_BYTES = 32;
/** Challenges that a node remembers, so that nobody makes it derive keys by reading one again and again. */
const REMEMBERED = 2_000;

export function createProofOfWork({ secret, store, factor, onProof }: ProofOfWorkOptions): ProofOfWork {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse proofs of work', KEY_BYTES));
  const made = new CappedMap<string, SignedChallenge>({ maxSize: REMEMBERED });

  /** Proofs of another account or kind of key have other signatures. */
  const secretsOf = ({ accountId, mode }: ProofSubject) => {
    const derive = (purpose: string) =>
      createHmac('sha256', key).update([purpose, accountId, mode].join('\n')).digest('hex');
    return { hmacSignatureSecret: derive('challenge'), hmacKeySignatureSecret: derive('key') };
  };

  async function verify(payload: string, subject: ProofSubject): Promise<void> {
    const { challenge, solution } = readPayload(payload);
    const result = await verifySolution({ challenge, solution, deriveKey, ...secretsOf(subject) }).catch(
      () => {
        throw new Problem('challenge_proof_wrong', 'altcha', UNREADABLE);
      },
    );
    // Nothing of an expired challenge was checked: another deadline than that of the signup is forged.
    if (result.expired && challenge.parameters.expiresAt === deadlineOf(subject))
      throw new Problem('challenge_expired', 'altcha');
    if (result.expired) throw new Problem('challenge_proof_wrong', 'altcha', FOREIGN);
    if (result.invalidSignature === true) throw new Problem('challenge_proof_wrong', 'altcha', FOREIGN);
    if (challenge.parameters.data?.request_id !== subject.requestId)
      throw new Problem('challenge_proof_wrong', 'altcha', OTHER_SIGNUP);
    if (!result.verified) throw new Problem('challenge_proof_wrong', 'altcha');
  }

  return {
    async make(subject) {
      const { requestId, accountId, mode, expiresAt } = subject;
      const name = [requestId, accountId, mode, expiresAt].join(' ');
      const known = made.get(name);
      if (known !== undefined) return known;
      const stored = await store.findStored(requestId, { accountId, mode });
      if (stored === undefined) throw new Problem('challenge_invalid', 'token', DELETED);
      const { parameters, signature = '' } = await createChallenge({
        algorithm: ALGORITHM,
        cost: COST,
        counter: randomInt(attemptsOf(stored.score, factor)),
        deriveKey,
        expiresAt: deadlineOf(subject),
        data: { request_id: requestId },
        ...secretsOf(subject),
      });
      const challenge = { parameters, signature };
      made.set(name, challenge);
      onProof('made');
      return challenge;
    },
    async check(payload, subject) {
      try {
        await verify(payload, subject);
        onProof('passed');
      } catch (error) {
        onProof('refused');
        throw error;
      }
    },
  };
}

/** Seconds since the epoch. */
function deadlineOf({ expiresAt }: ProofSubject): number {
  return Math.floor(expiresAt / 1000);
}

/** Max. attempts for a score: they double every ten points between 30 and 80. */
export function attemptsOf(score: number, factor: number): number {
  const above = Math.min(Math.max(score, FIRST_SCORE), LAST_SCORE) - FIRST_SCORE;
  return Math.max(1, Math.round(BASE_ATTEMPTS * factor * 2 ** (above / DOUBLING)));
}

/** Only its shape: the signature says who made it, and covers all parameters. @throws Problem */
function readPayload(text: string): Payload {
  let payload: unknown;
  try {
    payload = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    payload = undefined;
  }
  const { challenge, solution } = (payload ?? {}) as Partial<Record<keyof Payload, unknown>>;
  const { parameters, signature } = (challenge ?? {}) as Partial<Record<keyof Challenge, unknown>>;
  if (typeof parameters !== 'object' || parameters === null || typeof signature !== 'string')
    throw new Problem('challenge_proof_wrong', 'altcha', UNREADABLE);
  return { challenge, solution } as Payload;
}

export const DELETED: ProblemText = { message: 'The assessment of this token was deleted.' };
const UNREADABLE: ProblemText = {
  message: 'The response is not that of an ALTCHA widget of version 3.',
  resolution: 'Send the value of its field `altcha` unchanged.',
};
const FOREIGN: ProblemText = {
  message: 'The challenge in the response was changed, or is not of this account.',
};
const OTHER_SIGNUP: ProblemText = { message: 'The response is for another signup.' };

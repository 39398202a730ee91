/** Makes and checks the tokens of challenges: signed, so that nothing is stored until one is redeemed. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Assessment } from '../../contract/messages.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import { toTimestamp } from '../../platform/timestamp.ts';

/** The signup that a token is for, and who may redeem it. */
export interface ChallengeSubject {
  readonly requestId: string;
  readonly accountId: string;
  readonly mode: KeyMode;
}

/** The content of a token with a valid signature. */
export interface ChallengeTicket {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The visitor's tokens: `link` proves that the mail was read, `page` only leads to the field for the code, `work` to the proof of work. */
export type VisitorTokenKind = 'link' | 'page' | 'work';

export interface ChallengeTokens {
  issue(subject: ChallengeSubject, expiresAt: number): string;
  /** `undefined` for a token that was not made for this account and mode. Tokens that expired are read too. */
  read(token: string, caller: Omit<ChallengeSubject, 'requestId'>): ChallengeTicket | undefined;
  issueVisitorToken(kind: VisitorTokenKind, ticket: ChallengeTicket): string;
  readVisitorToken(token: string): (ChallengeTicket & { readonly kind: VisitorTokenKind }) | undefined;
  /** Six digits, always the same for one challenge. */
  codeOf(ticket: ChallengeTicket): string;
  isCode(code: string, ticket: ChallengeTicket): boolean;
}

/** `at`: milliseconds since the epoch. `undefined`: challenges are off. */
export type OfferChallenge = (subject: ChallengeSubject, at: number) => Assessment['challenge'];

const KEY_BYTES = 32;
const CODE_DIGITS = 6;
/** Kind, the id without its prefix, expiry in base 36, signature. */
const TOKEN = /^(gc[tlpw])\.([0-9a-z]{26})\.([0-9a-z]{1,9})\.([\w-]{43})$/;
const PREFIXES: Readonly<Record<VisitorTokenKind, string>> = { link: 'gcl', page: 'gcp', work: 'gcw' };
const ID_PREFIX = 'req_';

/** @param secret of the installation: every node makes and reads the same tokens */
export function createChallengeTokens(secret: Buffer): ChallengeTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse challenge tokens', KEY_BYTES));
  const sign = (...parts: readonly (string | number)[]) => createHmac('sha256', key).update(parts.join('\n'));
  const digestOf = (text: string) => sign('compare', text).digest();
  /** Compares in constant time, for all lengths. */
  const isSame = (a: string, b: string) => timingSafeEqual(digestOf(a), digestOf(b));

  const toToken = (prefix: string, { requestId, expiresAt }: ChallengeTicket, bound: readonly string[]) => {
    const id = requestId.slice(ID_PREFIX.length);
    const signature = sign(prefix, id, expiresAt, ...bound).digest('base64url');
    return `${prefix}.${id}.${expiresAt.toString(36)}.${signature}`;
  };

  function readToken(token: string, prefix: string, bound: readonly string[]): ChallengeTicket | undefined {
    const [, found, id, expiry = ''] = TOKEN.exec(token) ?? [];
    if (found !== prefix) return undefined;
    const ticket = { requestId: `${ID_PREFIX}${id}`, expiresAt: Number.parseInt(expiry, 36) };
    return isSame(token, toToken(prefix, ticket, bound)) ? ticket : undefined;
  }

  const codeOf = ({ requestId, expiresAt }: ChallengeTicket) => {
    const number = sign('code', requestId, expiresAt).digest().readBigUInt64BE() % BigInt(10 ** CODE_DIGITS);
    return String(number).padStart(CODE_DIGITS, '0');
  };

  return {
    issue: ({ requestId, accountId, mode }, expiresAt) =>
      toToken('gct', { requestId, expiresAt }, [accountId, mode]),
    read: (token, { accountId, mode }) => readToken(token, 'gct', [accountId, mode]),
    issueVisitorToken: (kind, ticket) => toToken(PREFIXES[kind], ticket, []),
    readVisitorToken(token) {
      for (const kind of ['link', 'page', 'work'] as const) {
        const ticket = readToken(token, PREFIXES[kind], []);
        if (ticket !== undefined) return { ...ticket, kind };
      }
      return undefined;
    },
    codeOf,
    isCode: (code, ticket) => isSame(code, codeOf(ticket)),
  };
}

/** Makes the token of a challenged signup. @param lifetimeMinutes `null`: no tokens */
export function createOfferChallenge(
  tokens: Pick<ChallengeTokens, 'issue'>,
  lifetimeMinutes: number | null,
): OfferChallenge {
  if (lifetimeMinutes === null) return () => undefined;
  return (subject, at) => {
    const expiresAt = expiryOf(at, lifetimeMinutes);
    return { token: tokens.issue(subject, expiresAt), expires_at: toTimestamp(expiresAt) };
  };
}

/** Timestamps have whole seconds: a challenge expires when the answer says. @param at milliseconds since the epoch */
export function expiryOf(at: number, lifetimeMinutes: number): number {
  return Math.floor(at / 1000 + lifetimeMinutes * 60) * 1000;
}

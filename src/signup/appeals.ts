/** Makes links by which people who were stopped can say that this was wrong, and takes what they write. The answer never says why. */
import type { SecretBox } from '../accounts/secret-box.ts';
import { Problem } from '../contract/problem.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { AppealStore, StoredAppeal } from '../store/appeal-store.ts';
import type { AssessmentStore } from '../store/store.ts';

export interface AppealsOptions {
  readonly store: Pick<AppealStore, 'saveAppeal'> & Pick<AssessmentStore, 'findStored'>;
  readonly box: SecretBox;
  /** Days that an appeal is kept; `null`: appeals are off. */
  readonly keptDays: number | null;
}

export interface AppealCaller {
  readonly accountId: string;
  readonly mode: KeyMode;
}

export interface AppealLink {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Text that a person wrote, and how to reach her; both are personal. */
export interface AppealText {
  readonly text: string;
  /** `null`: she left it out. */
  readonly contact: string | null;
}

export interface Appeals {
  /** @throws Problem `missing_field` for a signup that this caller lacks, or that was allowed */
  link(requestId: string, caller: AppealCaller, validDays: number, now: number): Promise<AppealLink>;
  /** @throws Problem `missing_field` for a link that is over or was not made here */
  receive(token: string, written: AppealText, now: number): Promise<void>;
}

/** Content of a token. It is encrypted, so that it says nothing, and nobody else can make one. */
type Ticket = readonly [requestId: string, accountId: string, mode: KeyMode, expiresAt: number];

/** Max. times that somebody writes about one signup; the newest text is kept. */
const MAX_TIMES = 3;
const DAY_MS = 86_400_000;
const LINK = 'appeal link';
/** Form of the box, then base64url. */
const CANONICAL = /^v1\.[\w-]{40,400}$/;
const FORM_LENGTH = 3;

export function createAppeals({ store, box, keptDays }: AppealsOptions): Appeals {
  return {
    async link(requestId, caller, validDays, now) {
      if (keptDays === null) throw new Problem('missing_field', 'request_id', OFF);
      const stored = await store.findStored(requestId, caller);
      if (stored === undefined) throw new Problem('missing_field', 'request_id', UNKNOWN);
      if (stored.verdict === 'allow' || stored.shadow)
        throw new Problem('missing_field', 'request_id', ALLOWED);
      // Timestamps have whole seconds: the link expires when the answer says.
      const expiresAt = Math.floor((now + validDays * DAY_MS) / 1_000) * 1_000;
      const ticket: Ticket = [requestId, caller.accountId, stored.mode, expiresAt];
      return { token: box.encrypt(JSON.stringify(ticket), LINK), expiresAt };
    },
    async receive(token, written, now) {
      const ticket = keptDays === null ? undefined : readTicket(box, token);
      if (ticket === undefined || keptDays === null) throw notValid();
      const [requestId, accountId, mode, expiresAt] = ticket;
      const known = now < expiresAt && (await store.findStored(requestId, { accountId, mode }));
      if (!known) throw notValid();
      const appeal = {
        requestId,
        accountId,
        mode,
        text: sealAppeal(box, requestId, written),
        at: now,
        expiresAt: now + keptDays * DAY_MS,
      };
      if (!(await store.saveAppeal(appeal, MAX_TIMES))) throw notValid();
    },
  };
}

export function sealAppeal(box: SecretBox, requestId: string, written: AppealText): string {
  return box.encrypt(JSON.stringify(written), `appeal ${requestId}`);
}

/** @throws where it was encrypted with another secret */
export function openAppeal(box: SecretBox, { requestId, text }: StoredAppeal): AppealText {
  return JSON.parse(box.decrypt(text, `appeal ${requestId}`)) as AppealText;
}

/** Only the text that was made: its bytes have other spellings, which no link has. */
function readTicket(box: SecretBox, token: string): Ticket | undefined {
  if (!CANONICAL.test(token) || !isCanonical(token.slice(FORM_LENGTH))) return undefined;
  try {
    return JSON.parse(box.decrypt(token, LINK)) as Ticket;
  } catch {
    return undefined;
  }
}

function isCanonical(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}

const OFF = {
  message: 'Appeals are turned off here.',
  resolution: 'Set GATEHOUSE_APPEAL_DAYS to turn them on.',
};
const UNKNOWN = {
  message: 'No assessment has this request_id.',
  resolution: 'Send the request_id of an assessment that this key may read.',
};
const ALLOWED = {
  message: 'This signup was allowed.',
  resolution: 'Make links for signups that were answered with `challenge` or `block`.',
};

/** One sentence for every reason: it says nothing about the signup. */
function notValid(): Problem {
  return new Problem('missing_field', 'token', {
    message: 'This link is not valid, or not any more.',
    resolution: 'Ask the application for another link.',
  });
}

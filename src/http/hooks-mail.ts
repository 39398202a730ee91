/** Takes the webhooks of mail providers: each delivery once, its addresses hashed at once and never stored or logged. */
import type { HookCaller } from '../accounts/directory.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import type { Hook, MailProvider } from '../model/hook.ts';
import type { Idempotency } from '../signup/idempotency.ts';
import type { Outcomes, ReportedOutcome } from '../signup/outcomes.ts';
import type { RequestContext } from './core/request-context.ts';
import { type CertificatesOptions, createCertificates } from './hooks-certificates.ts';
import type { MailDelivery, MailEvent, MailProviderContract } from './hooks-mail-provider.ts';
import { mailgun } from './hooks-mailgun.ts';
import { parseJson } from './hooks-members.ts';
import { postmark } from './hooks-postmark.ts';
import { resend } from './hooks-resend.ts';
import { sendgrid } from './hooks-sendgrid.ts';
import { ses } from './hooks-ses.ts';

export const MAIL_CONTRACTS: Readonly<Record<MailProvider, MailProviderContract>> = {
  ses,
  postmark,
  resend,
  mailgun,
  sendgrid,
};

/** `noted`: outcomes were looked for · `other`: another event · `confirmed`: the webhook is wanted · `repeated`: it came before. */
export type MailHookOutcome = 'noted' | 'other' | 'confirmed' | 'repeated' | 'unverified' | 'unreadable';

export interface MailHookOptions {
  readonly box: SecretBox;
  readonly fetchExactly: CertificatesOptions['fetchExactly'];
  readonly outcomes: Outcomes;
  readonly idempotency: Idempotency;
  readonly clock: () => number;
  readonly makeId: MakeId;
  readonly directory: { noteHookUse(id: string, at: number): void };
}

/** SendGrid collects events of seconds in one request. */
export const MAIL_BODY_LIMIT_BYTES = 1024 * 1024;
/**
 * Events that are noted in one transaction: each looks for signups. A delivery with more of them is worked off in parts, each
 * once; if one fails, the provider delivers all again, and the parts that are noted already are left out.
 */
const PART_SIZE = 1_000;
const DONE = '{}';

interface DeliveryPart {
  readonly requestId: string;
  /** Key that is equal in each repetition of the delivery. */
  readonly key: string;
  readonly reported: readonly ReportedOutcome[];
}

/** @throws where the provider is to send it again */
export function createAnswerMailHook(options: MailHookOptions) {
  const { box, clock, directory, makeId, fetchExactly } = options;
  const notePart = createNotePart(options);
  const certificates = createCertificates({
    fetchExactly,
    clock: () => performance.now(),
    wallClock: clock,
  });

  async function verifiedBy(context: RequestContext, hook: Hook, secrets: readonly string[]) {
    const { verify } = MAIL_CONTRACTS[hook.provider as MailProvider];
    const request = { raw: context.rawBody, headers: context.headers, at: context.at };
    for (const encrypted of secrets) {
      const secret = box.decrypt(encrypted, hook.id);
      if (await verify(request, secret, certificates(hook))) return secret;
    }
    return undefined;
  }

  /** @returns `repeated` where all parts were noted before */
  async function note(context: RequestContext, caller: HookCaller, { deliveryId, events }: MailDelivery) {
    const reported = reportedOf(events);
    let outcome: 'noted' | 'repeated' = await notePart(context, caller, {
      requestId: context.id,
      key: deliveryId,
      reported: reported.slice(0, PART_SIZE),
    });
    for (let from = PART_SIZE; from < reported.length; from += PART_SIZE) {
      const part = await notePart(context, caller, {
        requestId: makeId('req', context.at),
        key: `${deliveryId} from ${from}`,
        reported: reported.slice(from, from + PART_SIZE),
      });
      if (part === 'noted') outcome = part;
    }
    return outcome;
  }

  return async (
    context: RequestContext,
    caller: HookCaller,
    secrets: readonly string[],
  ): Promise<MailHookOutcome> => {
    const { hook } = caller;
    const secret = await verifiedBy(context, hook, secrets).catch((error: unknown) => {
      throw new Problem('unavailable', undefined, { cause: error });
    });
    if (secret === undefined) return 'unverified';
    directory.noteHookUse(hook.id, context.at);
    const body = parseJson(context.rawBody);
    const delivery = MAIL_CONTRACTS[hook.provider as MailProvider].read(body, context.headers, secret);
    if (delivery === undefined) return 'unreadable';
    if (delivery.confirmUrl !== undefined) {
      await fetchExactly(delivery.confirmUrl, hook.reach);
      return 'confirmed';
    }
    if (delivery.events.length > 0) return note(context, caller, delivery);
    // Mailgun does not sign the content: a signature must not come again with another one.
    if (hook.provider === 'mailgun' && (await note(context, caller, delivery)) === 'repeated')
      return 'repeated';
    return 'other';
  };
}

/** Notes one part of a delivery. @returns `repeated` where it was noted before */
function createNotePart({ outcomes, idempotency }: Pick<MailHookOptions, 'outcomes' | 'idempotency'>) {
  return async (context: RequestContext, { hook, account }: HookCaller, part: DeliveryPart) => {
    const reporter = { accountId: account.id, mode: hook.mode, keyId: hook.id };
    const turn = await idempotency.begin({
      caller: { account, key: { mode: hook.mode } },
      requestId: part.requestId,
      operation: 'reportOutcome',
      key: `${hook.id} ${part.key}`,
      members: [],
    });
    if (turn.outcome === 'answered') return 'repeated';
    try {
      const found = await outcomes.find(part.reported, reporter, context.at);
      await outcomes.save(found, reporter, context.at, { claim: turn.claim, answer: DONE });
    } catch (error) {
      turn.release();
      throw error;
    }
    turn.complete(DONE);
    return 'noted';
  };
}

/** Each address once; a malformed one is nobody's. */
function reportedOf(events: readonly MailEvent[]): ReportedOutcome[] {
  const own = new Map(events.map((event) => [`${event.outcome} ${event.email.toLowerCase()}`, event]));
  return [...own.values()];
}

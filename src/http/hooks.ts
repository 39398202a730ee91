/** POST /hooks/{provider}/{hook_id}: answers an auth provider before it creates a user, in its own form, always in time; and takes what mail providers report. */
import type { Logger } from 'pino';
import type { Directory, HookCaller } from '../accounts/directory.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import { type Hook, type HookProvider, isMailProvider } from '../model/hook.ts';
import { within } from '../platform/deadline.ts';
import { readBody } from './core/body.ts';
import type { LoadShedder } from './core/load-shedder.ts';
import type { RequestContext } from './core/request-context.ts';
import type { Route } from './core/request-handler.ts';
import type { Router } from './core/router.ts';
import {
  createDecideHook,
  type DecideHookOptions,
  type HookOutcome,
  type HookResult,
} from './hooks-decide.ts';
import { createDecideFallback, type HookFallbackOptions, type MissingVerdict } from './hooks-fallback.ts';
import {
  createAnswerMailHook,
  MAIL_BODY_LIMIT_BYTES,
  type MailHookOptions,
  type MailHookOutcome,
} from './hooks-mail.ts';
import { parseJson } from './hooks-members.ts';
import { type HookDelivery, type HookProviderContract, type HookReplyContext, OK } from './hooks-provider.ts';
import { HOOK_CONTRACTS } from './hooks-providers.ts';
import { createPublicKeys, type PublicKeysOptions } from './hooks-public-keys.ts';

export interface HookRoutesOptions
  extends DecideHookOptions,
    Pick<MailHookOptions, 'fetchExactly' | 'outcomes' | 'idempotency'> {
  readonly router: Router<Route>;
  readonly directory: Pick<Directory, 'findHook' | 'noteHookUse'>;
  readonly box: SecretBox;
  readonly fetchText: PublicKeysOptions['fetchText'];
  readonly texts: PublicKeysOptions['texts'];
  readonly makeId: MakeId;
  readonly clock: () => number;
  readonly judgeFromMemory: HookFallbackOptions['judgeFromMemory'];
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Whether the service is too busy to assess: the hook's settings decide then. */
  readonly sheds: LoadShedder['sheds'];
  readonly onAnswer: (provider: Hook['provider'], outcome: HookOutcome | MailHookOutcome) => void;
}

/** Providers wait 2 to 5 seconds: at least half a second is left for the network. */
const DEADLINE_MS = 1_500;
/** Supabase sends up to 200 kB; other providers send less. */
const BODY_LIMIT_BYTES = 256 * 1024;

/**
 * Answer to a request that was not verified, after the same bytes, whether or not the hook exists. Every provider treats
 * it as a refusal. While the keys of a provider cannot be fetched, what has the form of a signed request gets the answer
 * of the hook's settings instead.
 */
const UNVERIFIED = {
  message: 'There is no such hook, or the request was not signed with its secret.',
  resolution:
    'Compare the URL at the provider with `gatehouse hook list`. If it is right, set a new secret with `gatehouse hook rotate`.',
};

const UNREADABLE = {
  message: 'The body is not what the mail provider documents.',
  resolution: 'Compare the provider of this hook with the one that calls its URL.',
};

export function hookRoutes(options: HookRoutesOptions): void {
  const { router, directory, makeId, clock, onAnswer } = options;
  const answerHook = createAnswerHook(options);
  const answerMail = createAnswerMailHook(options);

  async function handle(context: RequestContext): Promise<void> {
    context.header('Cache-Control', 'no-store');
    const { provider, hook: id = '' } = context.params;
    // Before the hook is looked for: who withholds the body must not learn whether there is one.
    const limit = isMailProvider(provider ?? '') ? MAIL_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES;
    context.rawBody = await readBody(context.request, limit);
    const caller = directory.findHook(id);
    if (caller === undefined || caller.hook.provider !== provider)
      throw new Problem('unauthorized', undefined, UNVERIFIED);
    context.hook = caller;
    const at = clock();
    context.restamp({ id: makeId('req', at), at, started: performance.now() });
    if (isMailProvider(caller.hook.provider)) {
      const outcome = await answerMail(context, caller, validSecrets(caller.hook, at));
      onAnswer(caller.hook.provider, outcome);
      if (outcome === 'unverified') throw new Problem('unauthorized', undefined, UNVERIFIED);
      if (outcome === 'unreadable') throw new Problem('bad_request', undefined, UNREADABLE);
      context.json(OK, '{}');
      return;
    }
    const { result, reply } = await answerHook(context, caller);
    onAnswer(caller.hook.provider, result.outcome);
    if (result.outcome === 'unverified') throw new Problem('unauthorized', undefined, UNVERIFIED);
    const { status, body } = contractOf(caller.hook).reply(result.decision, reply);
    context.json(status, JSON.stringify(body));
  }

  router.add('POST', '/hooks/:provider/:hook', { operation: 'hook', handle });
}

interface HookAnswerResult {
  readonly result: HookResult;
  readonly reply: HookReplyContext;
}

/** Never rejects: without a verdict in time, lists and the hook's settings decide. */
function createAnswerHook(options: HookRoutesOptions) {
  const { directory, log, sheds } = options;
  const verify = createVerify(options);
  const decide = createDecideHook(options);
  const decideFallback = createDecideFallback({ ...options, log, steadyClock: () => performance.now() });

  return async (context: RequestContext, caller: HookCaller): Promise<HookAnswerResult> => {
    const { hook } = caller;
    const reply: { -readonly [member in keyof HookReplyContext]: HookReplyContext[member] } = {
      at: context.at,
      body: parseJson(context.rawBody),
      secret: undefined,
    };
    let delivery: HookDelivery | undefined;
    const fallBack = (missing: MissingVerdict, error?: unknown) => {
      const signup = delivery?.signup ?? undefined;
      return decideFallback({ requestId: context.id, at: context.at, caller, signup, missing, error });
    };

    async function answer(): Promise<HookResult> {
      reply.secret = await verify(context, hook);
      if (reply.secret === undefined) return { decision: { answer: 'deny' }, outcome: 'unverified' };
      directory.noteHookUse(hook.id, context.at);
      const { read } = contractOf(hook);
      delivery = reply.body === undefined ? undefined : read(reply.body, context.headers, context.query);
      if (delivery === undefined) throw new Error('the body is not what the provider documents');
      if (delivery.signup !== null && sheds() !== undefined) return fallBack('shed');
      return decide(context, caller, delivery);
    }

    const answered = answer().catch((error: unknown) => withoutVerdict(error, fallBack));
    // A late verdict is still stored: a repeated delivery gets it.
    const result = await within(DEADLINE_MS, answered, () => fallBack('late'));
    return { result, reply };
  };
}

/** A malformed address is always denied: otherwise an attacker could choose such an address to get past. */
async function withoutVerdict(
  error: unknown,
  fallBack: (missing: MissingVerdict, error?: unknown) => Promise<HookResult>,
): Promise<HookResult> {
  const code = error instanceof Problem ? error.code : undefined;
  if (code === 'invalid_email') return { decision: { answer: 'deny' }, outcome: 'denied' };
  return code === 'quota_exceeded' || code === 'rate_limit' ? fallBack(code) : fallBack('failed', error);
}

/** The secret that a request was verified with; `undefined` for none. @throws when the provider's keys cannot be fetched */
function createVerify({ box, fetchText, texts, clock }: HookRoutesOptions) {
  const clocks = { clock: () => performance.now(), wallClock: clock };
  const publicKeys = createPublicKeys({ fetchText, texts, ...clocks });

  return async (context: RequestContext, hook: Hook): Promise<string | undefined> => {
    const { verify } = contractOf(hook);
    const request = { raw: context.rawBody, headers: context.headers, at: context.at };
    const withKeys = publicKeys(hook.reach);
    for (const encrypted of validSecrets(hook, context.at)) {
      const secret = box.decrypt(encrypted, hook.id);
      if (await verify(request, secret, withKeys)) return secret;
    }
    return undefined;
  };
}

/** Contract of an auth provider: mail providers are answered before. */
function contractOf({ provider }: Hook): HookProviderContract {
  return HOOK_CONTRACTS[provider as HookProvider];
}

/** Encrypted; the newest first. */
function validSecrets({ secrets: { current, previous } }: Hook, now: number): readonly string[] {
  const old = previous !== null && now < previous.until ? [previous.text] : [];
  return current === null ? old : [current, ...old];
}

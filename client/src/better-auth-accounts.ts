/** Answers signed messages of Gatehouse that hold and release users of better-auth: `POST …/gatehouse/accounts/hold` and its like. */
import { type AuthContext, banOf, type HoldState, type InternalAdapter } from './better-auth-ban.ts';
import { createVerifyMessage, SIGNATURE_MS, type VerifyMessage } from './signed-message.ts';

export interface AccountsOptions {
  /** The secret of the connection in Gatehouse: `whsec_…`. */
  readonly secret: string;
}

/** The part of better-auth's plugin that answers requests. */
export interface AccountsPlugin {
  readonly onRequest: (
    request: Request,
    auth: AuthContext,
  ) => Promise<{ readonly response: Response } | undefined>;
  /** better-auth counts requests of one address, as all of ours are. */
  readonly rateLimit: { window: number; max: number; pathMatcher: (path: string) => boolean }[];
}

type Action = 'check' | 'state' | 'hold' | 'release';
type Message = Readonly<Record<string, unknown>>;
type Reply = Readonly<Record<string, unknown>>;

const PATH = /\/gatehouse\/accounts\/(check|state|hold|release)$/;
const MAX_BYTES = 16_384;
const MAX_ID_LENGTH = 500;
const RATE_LIMIT = { window: 10, max: 1000 };

/** @throws OptionsError for a secret of another form */
export function createAccountsPlugin(options: AccountsOptions): AccountsPlugin {
  const verify = createVerifyMessage(options.secret);
  /** Messages that are being answered here. */
  const underWay = new Set<string>();
  return {
    rateLimit: [{ ...RATE_LIMIT, pathMatcher: (path) => PATH.test(path) }],
    async onRequest(request, auth) {
      const action = PATH.exec(new URL(request.url).pathname)?.[1] as Action | undefined;
      if (action === undefined) return undefined;
      try {
        return { response: await respond(request, action, { auth, verify, underWay }) };
      } catch (error) {
        auth.logger?.error?.('gatehouse: a message about an account could not be answered', error);
        return { response: problem(500, 'FAILED', 'The account could not be read or changed.') };
      }
    },
  };
}

interface Parts {
  readonly auth: AuthContext;
  readonly verify: VerifyMessage;
  readonly underWay: Set<string>;
}

async function respond(request: Request, action: Action, parts: Parts): Promise<Response> {
  const { auth, verify, underWay } = parts;
  if (request.method !== 'POST') return problem(405, 'METHOD_NOT_ALLOWED', 'POST is the only method.');
  const body = await readBody(request);
  if (body === undefined) return problem(413, 'TOO_LARGE', 'The message is too large.');
  const now = Date.now();
  const id = verify(request.headers, body, now);
  if (id === undefined)
    return problem(401, 'INVALID_SIGNATURE', 'The signature, or the time that it names, is not right.');
  const message = parse(body);
  // The path is not signed: a message for one action is none for another.
  if (message?.action !== action) return problem(400, 'INVALID_MESSAGE', 'The message is not for this path.');
  if (underWay.has(id)) return replayed();
  underWay.add(id);
  try {
    if (!(await isFirst(auth.internalAdapter, id, now))) return replayed();
    const reply = await act(auth, action, message);
    return reply === undefined ? problem(400, 'INVALID_MESSAGE', 'A member is missing.') : answer(200, reply);
  } finally {
    underWay.delete(id);
  }
}

/** @returns `undefined` for a message without what it needs */
async function act(auth: AuthContext, action: Action, message: Message): Promise<Reply | undefined> {
  const ban = banOf(auth);
  if (action === 'check') return { outcome: 'ready', ban: ban.kind };
  const { user_id: userId, hold_id: holdId, before } = message;
  if (typeof userId !== 'string' || userId === '' || userId.length > MAX_ID_LENGTH) return undefined;
  const user = await auth.internalAdapter.findUserById(userId);
  if (!user) return { outcome: 'missing' };
  const state = await ban.read(userId, user);
  if (action === 'state') return describeState(state);
  if (typeof holdId !== 'string' || holdId === '' || holdId.length > MAX_ID_LENGTH) return undefined;
  if (action === 'hold') {
    if (state.isHeld && state.holdId !== holdId) return { outcome: 'already' };
    if (!state.isHeld) await ban.hold(userId, holdId);
    await endSessions(auth.internalAdapter, userId);
    return { outcome: 'held' };
  }
  if (!state.isHeld) return { outcome: 'released' };
  if (state.holdId !== holdId) return { outcome: 'changed' };
  if (typeof before !== 'object' || before === null) return undefined;
  await ban.release(userId, before as Message);
  return { outcome: 'released' };
}

function describeState({ isHeld, holdId, before }: HoldState): Reply {
  return { outcome: isHeld ? 'held' : 'active', hold_id: holdId, before };
}

/** `deleteUserSessions` is new in better-auth 1.6; before, `deleteSessions` took a user too. */
async function endSessions(adapter: InternalAdapter, userId: string): Promise<void> {
  if (typeof adapter.deleteUserSessions === 'function') await adapter.deleteUserSessions(userId);
  else await (adapter as { deleteSessions?(userId: string): Promise<unknown> }).deleteSessions?.(userId);
}

/** Whether a message is new, in all processes of the application: its id is kept for as long as its signature is accepted. */
async function isFirst(adapter: InternalAdapter, id: string, now: number): Promise<boolean> {
  const identifier = `gatehouse-message:${id}`;
  if (await adapter.findVerificationValue(identifier)) return false;
  const expiresAt = new Date(now + 2 * SIGNATURE_MS);
  await adapter.createVerificationValue({ identifier, value: 'seen', expiresAt });
  return true;
}

async function readBody(request: Request): Promise<string | undefined> {
  const reader = request.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parse(body: string): Message | undefined {
  try {
    return JSON.parse(body) as Message;
  } catch {
    return undefined;
  }
}

function replayed(): Response {
  return problem(409, 'REPLAYED', 'This message was received before.');
}

function problem(status: number, code: string, message: string): Response {
  return answer(status, { code, message });
}

function answer(status: number, body: Reply): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

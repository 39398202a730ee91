/** Serves the operations of the contract: readiness, the caller, then the body, in the decided order. */
import type { Caller, Directory } from '../accounts/directory.ts';
import type { KeyRefusal } from '../accounts/key-access.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Operation } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import { createReadMessage, readBody, takeBody } from './core/body.ts';
import type { RequestContext } from './core/request-context.ts';
import type { Route } from './core/request-handler.ts';
import type { Router } from './core/router.ts';

/** Reads the message of a request. @throws Problem where it is not valid */
export type ReadRequest<Body> = () => Promise<Body>;

/** Returns the body text of the 200. @throws Problem */
export type HandleOperation<Body> = (context: RequestContext, read: ReadRequest<Body>) => Promise<string>;

export interface Operations {
  register<Body = undefined>(operation: Operation, handle: HandleOperation<Body>): void;
}

export interface OperationsOptions {
  readonly router: Router<Route>;
  readonly directory: Directory;
  readonly makeId: MakeId;
  readonly clock: () => number;
  readonly ready: () => boolean;
  /** Waits a moment for the service to be able to answer; resolves to whether it is. */
  readonly becomeReady: () => Promise<boolean>;
}

const OK = 200;

export function createOperations(options: OperationsOptions): Operations {
  const { router, directory, makeId, clock, ready, becomeReady } = options;
  const authenticate = createAuthenticate(directory);

  /** Gives a request that had to wait the present time, so that its signup is not counted in the past. */
  function restamp(context: RequestContext): void {
    const at = clock();
    if (at !== context.at) context.restamp({ id: makeId('req', at), at, started: performance.now() });
  }

  return {
    register<Body>({ id, method, path, request }: Operation, handleOperation: HandleOperation<Body>) {
      const toMessage = request === undefined ? () => undefined : createReadMessage(request);
      async function handle(context: RequestContext): Promise<void> {
        context.header('Cache-Control', 'no-store');
        if (!ready()) {
          if (!(await becomeReady())) throw new Problem('unavailable');
          restamp(context);
        }
        // A caller without a valid key is refused before the body is read.
        context.caller = authenticate(context.headers.authorization, context);
        const text = await handleOperation(context, () => read(context));
        context.json(OK, text);
      }
      async function read(context: RequestContext): Promise<Body> {
        const bytes =
          takeBody(context.request) ?? (await readBody(context.request).finally(() => restamp(context)));
        return toMessage(bytes) as Body;
      }
      // An empty id is a missing field of the operation, not another path.
      router.add(method, path.replace(/\{(\w+)\}/g, ':$1?'), {
        operation: id,
        handle,
        ...(request && { body: request }),
      });
    },
  };
}

/** More callers than most installations have; each takes some 200 bytes. */
const MAX_SECRETS = 1_000;
const BEARER = /^bearer +(\S+) *$/i;

/** The caller of a bearer key. @throws Problem `unauthorized`, `token_revoked`, `key_expired` or `ip_not_allowed` */
type Authenticate = (authorization: string | undefined, request: Pick<RequestContext, 'at' | 'ip'>) => Caller;

function createAuthenticate(directory: Pick<Directory, 'find'>): Authenticate {
  /** Secrets by the whole header, of callers that were found: the same texts each time are found faster than equal ones. */
  const secrets = new Map<string, string>();

  return (authorization = '', request) => {
    const known = secrets.get(authorization);
    const secret = known ?? BEARER.exec(authorization)?.[1];
    const caller = secret === undefined ? undefined : directory.find(secret, request.at, request);
    if (secret === undefined || caller === undefined) throw new Problem('unauthorized');
    if (typeof caller === 'string') throw refuse(caller, request.ip);
    if (known === undefined) {
      if (secrets.size >= MAX_SECRETS) secrets.clear();
      secrets.set(authorization, secret);
    }
    return caller;
  };
}

function refuse(refusal: KeyRefusal, ip: string): Problem {
  if (refusal === 'expired') return new Problem('key_expired');
  if (refusal === 'elsewhere')
    return new Problem('ip_not_allowed', undefined, {
      message: `The API key may not be used from ${ip === '' ? 'this address' : ip}.`,
    });
  if (refusal === 'revoked') return new Problem('token_revoked');
  return new Problem('token_revoked', undefined, {
    message: 'The API key was rotated, and this old secret is no longer valid.',
    resolution: 'Send the new secret of the key.',
  });
}

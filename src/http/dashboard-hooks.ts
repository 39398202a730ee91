/** GET and POST …/hooks, rotation and revocation of a hook: what auth providers call before they create a user. */
import { changeDirectory } from '../accounts/change-directory.ts';
import type { Directory } from '../accounts/directory.ts';
import {
  createHookAdmin,
  type HookAdminOptions,
  type HookWithSecret,
  hookPath,
  InvalidHookSecret,
} from '../accounts/hook-admin.ts';
import type { HookRotationBody, HookRow, HookSecret, NewHookBody } from '../contract/dashboard-hooks.ts';
import { Problem } from '../contract/problem.ts';
import { HOOK_SOURCES, type Hook, type HookAnswer } from '../model/hook.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { StoredUser } from '../store/dashboard-store.ts';
import type { HookStore } from '../store/hook-store.ts';
import type { AccountStore, DirectoryChangeStore } from '../store/store.ts';
import { toInstant } from './dashboard-history.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, FLAG, lineOf, oneOf, readMode, TEXT, unusable } from './dashboard-values.ts';
import { hookFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

export interface HooksRoutesOptions extends Pick<HookAdminOptions, 'box' | 'makeId'> {
  readonly store: HookStore & Pick<AccountStore, 'ifDirectoryIs'> & Pick<AuditStore, 'auditEntries'>;
  readonly directory: Pick<Directory, 'hooksOf' | 'refresh'>;
}

const SECRET = { type: 'string', maxLength: 2_000 };
const NEW_HOOK = { provider: TEXT, name: TEXT, mode: TEXT, challenge_as: TEXT, on_error: TEXT };
const MAX_NAME_LENGTH = 100;

export function hooksRoutes(routes: DashboardRoutes, options: HooksRoutesOptions): void {
  const { store, directory } = options;
  const admin = createHookAdmin(options);
  /** Changes a usable hook, unless somebody else changed it since the caller has read it. */
  function changeHook<T>(
    { account: { id: accountId }, params, query }: Pick<AccountCall<unknown>, 'account' | 'params' | 'query'>,
    change: (hook: Hook, changing: Pick<DirectoryChangeStore, 'changeHook'>) => Promise<T>,
  ): Promise<T> {
    return changeDirectory(options, async (conditional) => {
      const hook = findUsableHook(directory, accountId, params.hook);
      await requireVersion(query.version, hookFacts(hook), { store, accountId });
      return change(hook, conditional);
    });
  }
  const toAnswer = async (changed: HookWithSecret): Promise<HookSecret> => {
    await directory.refresh();
    return { hook: toHookRow(changed.hook), secret: changed.secret };
  };

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/hooks',
    minRole: 'owner',
    handle: ({ account }): HookRow[] => directory.hooksOf(account.id).map(toHookRow),
  });

  routes.forAccount<NewHookBody>({
    method: 'POST',
    path: '/accounts/:account/hooks',
    minRole: 'owner',
    body: bodyOf({ ...NEW_HOOK, secret: SECRET }, Object.keys(NEW_HOOK)),
    async handle({ account, body, now, user, auditEntry }): Promise<HookSecret> {
      const hook = { ...readNewHook(body), accountId: account.id, reach: reachOf(user) };
      return toAnswer(await admin.create(hook, now, auditEntry).catch(throwProblem));
    },
  });

  routes.forAccount<HookRotationBody>({
    method: 'POST',
    path: '/accounts/:account/hooks/:hook/rotate',
    minRole: 'owner',
    body: bodyOf({ secret: SECRET, at_once: FLAG }, []),
    async handle(call): Promise<HookSecret> {
      const { body, now, user, auditEntry } = call;
      const rotation = { secret: secretOf(body), reach: reachOf(user), atOnce: body.at_once ?? false };
      const rotated = await changeHook(call, (hook, { changeHook }) =>
        createHookAdmin({ ...options, store: { ...store, changeHook } })
          .rotate(hook, rotation, now, auditEntry)
          .catch(throwProblem),
      );
      return toAnswer(rotated);
    },
  });

  routes.forAccount({
    method: 'POST',
    path: '/accounts/:account/hooks/:hook/revoke',
    minRole: 'owner',
    async handle(call): Promise<HookRow> {
      const revoked = await changeHook(call, (hook, { changeHook }) =>
        createHookAdmin({ ...options, store: { ...store, changeHook } }).revoke(
          hook,
          call.now,
          call.auditEntry,
        ),
      );
      return toHookRow(revoked);
    },
  });
}

/** @throws Problem `invalid_value` */
function readNewHook(body: NewHookBody) {
  return {
    provider: oneOf(HOOK_SOURCES, 'provider', body.provider),
    name: lineOf('name', body.name, MAX_NAME_LENGTH),
    mode: readMode(body.mode),
    secret: secretOf(body),
    challengeAs: readAnswer('challenge_as', body.challenge_as),
    onError: readAnswer('on_error', body.on_error),
  };
}

/** The answer does not tell whether another account has it. @throws Problem `not_found`, or `conflict` where it is revoked */
function findUsableHook(
  directory: Pick<Directory, 'hooksOf'>,
  accountId: string,
  hookId: string | undefined,
): Hook {
  const hook = directory.hooksOf(accountId).find(({ id }) => id === hookId);
  if (hook === undefined)
    throw new Problem('not_found', undefined, {
      message: 'This account has no hook with this id.',
      resolution: 'Check the hooks of the account.',
    });
  if (hook.revokedAt !== null)
    throw new Problem('conflict', undefined, {
      message: 'This hook is revoked already.',
      resolution: 'Its requests are refused. Create another hook if you need one.',
    });
  return hook;
}

/** Only operators may have keys fetched from addresses in the own network. */
function reachOf({ operator }: StoredUser): Hook['reach'] {
  return operator ? 'anywhere' : 'public';
}

/** An empty field of a form is none. */
export function secretOf({ secret }: { readonly secret?: string | undefined }): string | undefined {
  const text = secret?.trim();
  return text === '' ? undefined : text;
}

function readAnswer(param: string, value: string): HookAnswer {
  return oneOf(['allow', 'deny'], param, value);
}

/** @throws Problem `invalid_value` where a hook's secret has not the provider's form */
export function throwProblem(error: unknown): never {
  if (!(error instanceof InvalidHookSecret)) throw error;
  const sentence = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
  throw unusable('secret', sentence, 'Send the secret in this form.');
}

const toHookRow = (hook: Hook): HookRow => ({
  ...showHook(hook, toInstant),
  version: versionOf(hookFacts(hook)),
});

/** A hook as both APIs show it: never its secret. @param toText of milliseconds since the epoch */
export function showHook(hook: Hook, toText: (at: number) => string): Omit<HookRow, 'version'> {
  const textOrNull = (at: number | null | undefined) => (at === null || at === undefined ? null : toText(at));
  return {
    id: hook.id,
    provider: hook.provider,
    name: hook.name,
    mode: hook.mode,
    path: hookPath(hook),
    has_secret: hook.secrets.current !== null,
    old_secret_until: textOrNull(hook.secrets.previous?.until),
    challenge_as: hook.challengeAs,
    on_error: hook.onError,
    created_at: toText(hook.createdAt),
    last_used_at: textOrNull(hook.lastUsedAt),
    revoked_at: textOrNull(hook.revokedAt),
  };
}

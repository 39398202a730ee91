/** /v1/manage/accounts/{account}/hooks: creates, rotates and revokes what auth providers call. */
import type { Directory } from '../accounts/directory.ts';
import { createHookAdmin } from '../accounts/hook-admin.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type {
  ManageHook,
  ManageHookRequest,
  ManageHookRotation,
  ManageHookSecret,
} from '../contract/manage-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import type { Hook } from '../model/hook.ts';
import type { ManageToken } from '../model/manage-token.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { HookStore } from '../store/hook-store.ts';
import { secretOf, showHook, throwProblem } from './dashboard-hooks.ts';
import { lineOf } from './dashboard-values.ts';
import { nameTaken } from './manage-accounts.ts';
import { type ManageAccountCall, type ManageRoutes, toPage } from './manage-route.ts';

export interface ManageHooksOptions {
  readonly store: Pick<HookStore, 'saveHookOnce' | 'changeHook'>;
  readonly directory: Directory;
  readonly secretBox: SecretBox;
  readonly makeId: MakeId;
}

const MAX_NAME_LENGTH = 100;

export function manageHookRoutes(routes: ManageRoutes, options: ManageHooksOptions): void {
  const { directory } = options;
  const admin = createOnceAdmin(options);
  const hookOf = ({ account, params }: Pick<ManageAccountCall<unknown>, 'account' | 'params'>): Hook => {
    const hook = directory.hooksOf(account.id).find(({ id }) => id === params.hook);
    if (hook === undefined) throw manageProblem('not_found');
    return hook;
  };

  routes.forAccount('listHooks', ({ account, query }) =>
    toPage(directory.hooksOf(account.id), query, toManageHook),
  );

  routes.forAccount<ManageHookRequest>('createHook', async ({ account, body, now, token, auditEntry }) => {
    const {
      provider,
      mode = 'live',
      challenge_as: challengeAs = 'allow',
      on_error: onError = 'allow',
    } = body;
    const name = lineOf('name', body.name, MAX_NAME_LENGTH);
    const settings = { provider, name, mode, secret: secretOf(body), challengeAs, onError };
    const made = await admin
      .create({ ...settings, accountId: account.id, reach: reachOf(token) }, now, auditEntry)
      .catch(throwProblem);
    await directory.refresh();
    return { ...toManageHook(made.hook), secret: made.secret } satisfies ManageHookSecret;
  });

  routes.forAccount('getHook', (call) => toManageHook(hookOf(call)));

  routes.forAccount<ManageHookRotation>('rotateHook', async (call) => {
    const { body, now, token, auditEntry } = call;
    const hook = hookOf(call);
    if (hook.revokedAt !== null)
      throw manageProblem('conflict', undefined, {
        message: 'This hook is revoked.',
        resolution: 'Create another hook if you need one.',
      });
    const rotation = { secret: secretOf(body), reach: reachOf(token), atOnce: body.at_once ?? false };
    const rotated = await admin.rotate(hook, rotation, now, auditEntry).catch(throwProblem);
    await directory.refresh();
    return { ...toManageHook(rotated.hook), secret: rotated.secret } satisfies ManageHookSecret;
  });

  routes.forAccount('revokeHook', async (call) => {
    const revoked = await admin.revoke(hookOf(call), call.now, call.auditEntry);
    await directory.refresh();
    return toManageHook(revoked);
  });
}

/** Creates no hook where the account has a valid one of its name. */
function createOnceAdmin({ store, directory, secretBox, makeId }: ManageHooksOptions) {
  return createHookAdmin({
    box: secretBox,
    makeId,
    store: {
      changeHook: store.changeHook,
      async saveHook(hook, ...audit) {
        if (await store.saveHookOnce(hook, ...audit)) return;
        await directory.refresh();
        const others = directory.hooksOf(hook.accountId).filter(({ revokedAt }) => revokedAt === null);
        const { name, provider, mode } = hook;
        const has = (other: Hook) =>
          other.name === name && other.provider === provider && other.mode === mode;
        throw nameTaken('hook', others.find(has)?.id);
      },
    },
  });
}

/** Only who may manage every account may have keys fetched from addresses in the own network. */
function reachOf({ accountId }: ManageToken): Hook['reach'] {
  return accountId === null ? 'anywhere' : 'public';
}

function toManageHook(hook: Hook): ManageHook {
  const { id, ...shown } = showHook(hook, toTimestamp);
  return { id, account_id: hook.accountId, ...shown };
}

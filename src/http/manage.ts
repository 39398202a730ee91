/** /v1/manage: accounts, keys, own lists and hooks for Terraform and scripts, with a token that has the scope of each operation. */
import type { Directory } from '../accounts/directory.ts';
import { hasScope } from '../accounts/manage-tokens.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { manageOperation } from '../contract/manage-operations.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { HookStore } from '../store/hook-store.ts';
import type { AccountStore, ListStore } from '../store/store.ts';
import { createReadLazily } from './core/body.ts';
import type { RequestContext } from './core/request-context.ts';
import type { Routes } from './core/request-handler.ts';
import type { IsCrowdedDomain, ReadListValue } from './list-values.ts';
import { manageAccountRoutes } from './manage-accounts.ts';
import { manageAlertRoutes } from './manage-alerts.ts';
import { manageAuditRoutes } from './manage-audit.ts';
import { manageCampaignRoutes } from './manage-campaigns.ts';
import { type ManageDestinationsOptions, manageDestinationRoutes } from './manage-destinations.ts';
import { manageHookRoutes } from './manage-hooks.ts';
import { manageKeyRoutes } from './manage-keys.ts';
import { manageListRoutes } from './manage-lists.ts';
import { type ManageAccountCall, type ManageCall, type ManageRoutes, tokenEntry } from './manage-route.ts';
import { type ManageTakeBacksOptions, manageTakeBackRoutes } from './manage-take-backs.ts';
import { type CheckToken, createTokenCheck } from './manage-token-check.ts';

export interface ManageOptions {
  readonly store: AccountStore &
    HookStore &
    ListStore &
    CampaignStore &
    AlertStore &
    AuditStore &
    ManageDestinationsOptions['store'] &
    ManageTakeBacksOptions['store'];
  readonly destinations: ManageDestinationsOptions['destinations'];
  readonly takeBack: Pick<ManageTakeBacksOptions, 'attacks' | 'jobs' | 'readers'>;
  readonly directory: Directory;
  readonly secretBox: SecretBox;
  readonly readListValue: ReadListValue;
  readonly isCrowdedDomain: IsCrowdedDomain;
  readonly networkOf: (ip: string) => string;
  readonly makeId: MakeId;
  readonly clock: () => number;
}

const OK = 200;

export function manageRoutes(routes: Routes, options: ManageOptions): void {
  const guarded = createManageRoutes(routes, { ...options, checkToken: createTokenCheck(options) });
  manageAccountRoutes(guarded, options);
  manageKeyRoutes(guarded, options);
  manageListRoutes(guarded, options);
  manageAlertRoutes(guarded, options);
  manageCampaignRoutes(guarded, options);
  manageHookRoutes(guarded, options);
  manageDestinationRoutes(guarded, options);
  manageTakeBackRoutes(guarded, { ...options, ...options.takeBack });
  manageAuditRoutes(guarded, options);
}

interface GuardOptions extends Pick<ManageOptions, 'directory' | 'clock'> {
  readonly checkToken: CheckToken;
}

/** Checks in this order: the token, its scope, the account, the body. */
function createManageRoutes(routes: Routes, options: GuardOptions): ManageRoutes {
  const { directory, clock, checkToken } = options;

  function add<Body, Call extends ManageCall<undefined>>(
    id: string,
    admit: (call: ManageCall<undefined>) => Call,
    handle: (call: Omit<Call, 'body'> & { readonly body: Body }) => unknown,
  ): void {
    const { method, path, scope, request } = manageOperation(id);
    const read = request === undefined ? () => undefined : createReadLazily(request);
    const guarded = async (context: RequestContext) => {
      const token = await checkToken(context);
      if (!hasScope(token, scope))
        throw manageProblem('forbidden', undefined, { message: `The token lacks the scope ${scope}.` });
      const { params, query, rawBody } = context;
      const call = admit({ token, params, query, now: clock(), body: undefined });
      context.json(OK, JSON.stringify(await handle({ ...call, body: read(rawBody) as Body })));
    };
    routes.add(method, path.replace(/\{(\w+)\}/g, ':$1'), guarded, request);
  }

  return {
    forAll: (id, handle) => add(id, (call) => call, handle),
    forAccount<Body>(id: string, handle: (call: ManageAccountCall<Body>) => unknown) {
      const admit = (call: ManageCall<undefined>) => {
        const { token, now, params } = call;
        const account = directory.account(params.account as string);
        const isForeign = token.accountId !== null && token.accountId !== account?.id;
        if (account === undefined || isForeign) throw manageProblem('not_found');
        const auditEntry = (action: string, target: string, detail: string) =>
          tokenEntry(token, { at: now, accountId: account.id, action, target, detail });
        return { ...call, account, auditEntry };
      };
      add<Body, ManageAccountCall<undefined>>(id, admit, handle);
    },
  };
}

/** POST /v1/appeals makes a link for somebody who was stopped; the page /appeal/ takes what she writes. */
import { createLoginThrottle } from '../accounts/login-throttle.ts';
import type { AppealRequest, AppealResponse } from '../contract/messages.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { Appeals } from '../signup/appeals.ts';
import { createReadMessage } from './core/body.ts';
import type { RequestContext } from './core/request-context.ts';
import type { Routes } from './core/request-handler.ts';
import { tryAgainAfter } from './dashboard-work-places.ts';
import type { Operations } from './operation.ts';
import { publicPage } from './public-page.ts';

export const APPEAL_PAGE = '/appeal/';

export interface AppealRoutesOptions {
  readonly operations: Operations;
  readonly appeals: Appeals;
  /** URL at which people reach the service, without a slash at the end. @throws Problem where that is not known */
  readonly originOf: (context: RequestContext) => string;
  /** Network that a visitor's address stands for. */
  readonly networkOf: (ip: string) => string;
}

interface Written {
  readonly token: string;
  readonly text: string;
  readonly contact?: string;
}

const USUAL_DAYS = 7;
const OK = 200;
const MAX_TEXT_LENGTH = 1_000;
const MAX_CONTACT_LENGTH = 200;
const MESSAGE = {
  type: 'object',
  required: ['token', 'text'],
  properties: {
    token: { type: 'string', maxLength: 400 },
    text: { type: 'string', maxLength: MAX_TEXT_LENGTH },
    contact: { type: 'string', maxLength: MAX_CONTACT_LENGTH },
  },
};
/** Nobody writes often: ten texts at once from one network, then one a minute. */
const PACE = { free: 10, maxWaitMs: 60_000, forgetMs: 60_000, forgivable: false };

export function appealRoute({ operations, appeals, originOf }: Omit<AppealRoutesOptions, 'networkOf'>): void {
  operations.register<AppealRequest>(OPERATIONS.createAppealLink, async (context, read) => {
    const { request_id: requestId, valid_days: validDays = USUAL_DAYS } = await read();
    const { account, key } = context.caller;
    const caller = { accountId: account.id, mode: key.mode };
    const { token, expiresAt } = await appeals.link(requestId, caller, validDays, context.at);
    return JSON.stringify({
      // The token is in the fragment: no server, proxy or other site sees it there.
      url: `${originOf(context)}${APPEAL_PAGE}#${token}`,
      expires_at: toTimestamp(expiresAt),
    } satisfies AppealResponse);
  });
}

export function appealPageRoutes(
  routes: Routes,
  { appeals, networkOf }: Pick<AppealRoutesOptions, 'appeals' | 'networkOf'>,
): void {
  publicPage(routes, APPEAL_PAGE, 'appeal-page');
  const throttle = createLoginThrottle();
  const read = createReadMessage(MESSAGE);
  routes.add('POST', `${APPEAL_PAGE}send`, async (context) => {
    context.header('Cache-Control', 'no-store');
    const attempt = throttle.begin([{ name: networkOf(context.ip), pace: PACE }], context.at);
    if ('waitMs' in attempt)
      throw new Problem('too_many_attempts', undefined, {
        message: 'This was sent very often.',
        ...tryAgainAfter(Math.ceil(attempt.waitMs / 1_000)),
      });
    const { token, text, contact = '' } = read(context.rawBody) as Written;
    const written = { text: cleaned(text), contact: cleaned(contact) || null };
    if (written.text === '') throw new Problem('missing_field', 'text');
    await appeals.receive(token, written, context.at);
    context.json(OK, JSON.stringify({ status: 'received' }));
  });
}

/** Lines stay; other control characters would only disturb who reads it. */
function cleaned(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, ' ').trim();
}

/** Serves the page where a visitor confirms a signup by link, code or proof of work. Opening it changes nothing: mail scanners open links too. */
import { Problem } from '../contract/problem.ts';
import type { ConfirmChallenge, VisitorConfirmation } from '../signup/challenges/confirm-challenge.ts';
import type { RedeemProof } from '../signup/challenges/redeem-proof.ts';
import { createReadMessage } from './core/body.ts';
import type { RequestContext } from './core/request-context.ts';
import type { Routes } from './core/request-handler.ts';
import { publicPage } from './public-page.ts';

export const CHALLENGE_PAGE = '/challenge/';

/** Names of the machine itself: a link to them leads nowhere else. */
const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Origin where visitors reach the page, without a slash at the end. Without a URL of its own, the service gives links to
 * itself only: a caller names any host, and a link in a mail must not lead there.
 * @throws Problem for another host
 */
export function createVisitorOrigin(publicUrl: string | null, param: string | undefined) {
  return ({ protocol, host, request }: Pick<RequestContext, 'protocol' | 'host' | 'request'>): string => {
    if (publicUrl !== null) return publicUrl.replace(/\/$/, '');
    const origin = `${protocol}://${host}`;
    const { hostname } = URL.canParse(origin) ? new URL(origin) : { hostname: '' };
    // A Unix socket has no address.
    const local = request.socket.localAddress?.replace('::ffff:', '');
    const isOwn = OWN_HOST.test(hostname) || hostname.replace(/^\[|\]$/g, '') === local;
    if (/^https?$/.test(protocol) && isOwn) return new URL(origin).origin;
    throw new Problem('missing_field', param, {
      message: 'The service does not know where visitors reach it.',
      resolution: 'Set GATEHOUSE_PUBLIC_URL to the address that visitors open.',
    });
  };
}

const MAX_TOKEN_LENGTH = 200;
const MAX_CODE_LENGTH = 20;
const MAX_RESPONSE_LENGTH = 8_192;
const MESSAGE = {
  type: 'object',
  required: ['token'],
  properties: {
    token: { type: 'string', maxLength: MAX_TOKEN_LENGTH },
    code: { type: 'string', maxLength: MAX_CODE_LENGTH },
    altcha: { type: 'string', maxLength: MAX_RESPONSE_LENGTH },
  },
};
const { token } = MESSAGE.properties;
const TOKEN_ALONE = { type: 'object', required: ['token'], properties: { token } };
/** Files of the proof of work: ALTCHA's widget, its style and its worker are from the package, by the build. */
const WIDGET = new Map([
  ['proof.js', new URL('./challenge-page/proof.js', import.meta.url)],
  ...['altcha.js', 'altcha.css', 'pbkdf2.js'].map(
    (name) => [name, new URL(`../../dist/challenge-widget/${name}`, import.meta.url)] as const,
  ),
]);
const OK = 200;

/** The token is in the fragment of the page's address: no server, proxy or other site sees it there. */
export function challengePageRoutes(
  routes: Routes,
  { confirm, proof }: { readonly confirm: ConfirmChallenge; readonly proof: RedeemProof },
): void {
  publicPage(routes, CHALLENGE_PAGE, 'challenge-page', WIDGET);
  const read = createReadMessage(MESSAGE);
  const readToken = createReadMessage(TOKEN_ALONE);
  routes.add('POST', `${CHALLENGE_PAGE}proof`, async (context) => {
    context.header('Cache-Control', 'no-store');
    const { token } = readToken(context.rawBody) as VisitorConfirmation;
    context.json(OK, JSON.stringify(await proof.forVisitor(token)));
  });
  routes.add('POST', `${CHALLENGE_PAGE}confirm`, async (context) => {
    context.header('Cache-Control', 'no-store');
    const returnUrl = await confirm.byVisitor(read(context.rawBody) as VisitorConfirmation);
    context.json(OK, JSON.stringify({ status: 'passed', return_url: returnUrl }));
  });
}

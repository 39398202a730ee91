/** The page that confirms a challenge: only its button or the right code confirms, within the time and a few attempts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChallengeResponse } from '../../src/contract/messages.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const RETURN_URL = 'https://app.example.com/welcome?step=2';
const WRONG = { status: 400, code: 'challenge_code_wrong', param: 'code' };

let scene: Scene;
let visitor: Client;
beforeAll(async () => {
  scene = await startScene({ environment: { GATEHOUSE_CHALLENGE_MINUTES: '30' } });
  visitor = createClient(scene.service.url);
});
afterAll(async () => {
  visitor?.close();
  await scene?.end();
});

const redeem = (body: unknown) =>
  scene.sandbox.send<ChallengeResponse>({ method: 'POST', path: '/v1/challenges', body });
const confirm = (body: unknown): Promise<Answer> =>
  visitor.send({ method: 'POST', path: '/challenge/confirm', body });
const fragmentOf = (url = '') => url.slice(url.indexOf('#') + 1);

/** A challenge with a link, a code and the page for the code. */
async function opened(returnUrl: string | null = RETURN_URL) {
  const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
  const token = json.challenge?.token;
  const answer = await redeem({ token, confirm: returnUrl === null ? {} : { return_url: returnUrl } });
  const { link, page, code = '' } = answer.json.confirmation ?? {};
  const wrong = code === '000000' ? '000001' : '000000';
  return {
    requestId: json.request_id,
    token,
    answer,
    link: fragmentOf(link),
    page: fragmentOf(page),
    code,
    wrong,
  };
}
const statusOf = async (token: unknown) => (await redeem({ token })).json.status;

describe('a link and a code', () => {
  it('are made for the application, and are always the same', async () => {
    const { token, answer } = await opened();
    const { confirmation, status } = answer.json;
    expect(status).toBe('pending');
    expect(confirmation?.link).toMatch(new RegExp(`^${scene.service.url}/challenge/#gcl\\.`));
    expect(confirmation?.page).toMatch(new RegExp(`^${scene.service.url}/challenge/#gcp\\.`));
    expect(confirmation?.code).toMatch(/^\d{6}$/);
    expect((await redeem({ token, confirm: { return_url: RETURN_URL } })).text).toBe(answer.text);
  });

  it.each(['javascript:alert(1)', '/welcome', 'https://user:pw@app.example.com/', 'data:text/html,x', ''])(
    'do not redirect to %s',
    async (returnUrl) => {
      const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
      const answer = await redeem({ token: json.challenge?.token, confirm: { return_url: returnUrl } });
      expect(problemOf(answer)).toEqual({ status: 400, code: 'missing_field', param: 'return_url' });
    },
  );
});

describe('the visitor', () => {
  it('confirms by the link, as often as it is pressed, and continues to the application', async () => {
    const { requestId, token, link } = await opened();
    for (const _ of [1, 2])
      expect((await confirm({ token: link })).json).toEqual({ status: 'passed', return_url: RETURN_URL });
    expect((await redeem({ token })).json).toMatchObject({ status: 'passed', method: 'link' });
    const feedback = await withStored(scene.installation, (store) => store.findFeedback(requestId));
    expect(feedback).toMatchObject({ outcome: 'false_positive', note: 'Challenge passed (link).' });
  });

  it('confirms by the code, here or on a page of the application', async () => {
    const here = await opened(null);
    const spaced = `${here.code.slice(0, 3)} ${here.code.slice(3)}`;
    expect((await confirm({ token: here.page, code: spaced })).json).toEqual({
      status: 'passed',
      return_url: null,
    });
    const there = await opened();
    const answer = await redeem({ token: there.token, code: there.code });
    expect(answer.json).toMatchObject({ status: 'passed', method: 'code' });
    expect((await redeem({ token: there.token })).text).toBe(answer.text);
  });

  it('has five attempts to enter the code, then only the link; wrong codes leave the challenge pending', async () => {
    const { token, link, page, code, wrong } = await opened();
    expect(problemOf(await confirm({ token: page }))).toMatchObject({ code: 'missing_field', param: 'code' });
    for (const _ of [1, 2]) expect(problemOf(await confirm({ token: page, code: wrong }))).toEqual(WRONG);
    const rest = await Promise.all(Array.from({ length: 8 }, () => redeem({ token, code: wrong })));
    expect(rest.map(problemOf)).toEqual(rest.map(() => WRONG));
    expect(problemOf(await confirm({ token: page, code }))).toEqual(WRONG);
    await redeem({ token, confirm: {} });
    expect(problemOf(await redeem({ token, code }))).toEqual(WRONG);
    expect(await statusOf(token)).toBe('pending');
    expect((await confirm({ token: link })).status).toBe(200);
  });

  it('cannot use the address of the page instead of the link, or a forged link', async () => {
    const { token, page, link } = await opened();
    const invalid = { status: 400, code: 'challenge_invalid', param: 'token' };
    for (const wrong of [page.replace('gcp', 'gcl'), `${link}x`, token, ''])
      expect(problemOf(await confirm({ token: wrong }))).toEqual(invalid);
    expect(await statusOf(token)).toBe('pending');
  });

  it('cannot confirm a challenge that the application has failed', async () => {
    const { token, link } = await opened();
    await redeem({ token, outcome: 'failed' });
    expect(problemOf(await confirm({ token: link }))).toMatchObject({ code: 'challenge_redeemed' });
    expect((await redeem({ token, confirm: {} })).json).not.toHaveProperty('confirmation');
  });
});

describe('the page', () => {
  it('changes nothing when it is opened, so that a mail scanner confirms nothing', async () => {
    const { token, link } = await opened();
    for (const method of ['GET', 'HEAD'])
      for (const path of ['/challenge/', `/challenge/?${link}`, '/challenge/page.js', '/challenge/page.css'])
        expect((await visitor.send({ method, path })).status, `${method} ${path}`).toBe(200);
    const get = await visitor.send({ path: `/challenge/confirm?token=${link}` });
    expect(problemOf(get)).toMatchObject({ status: 405 });
    expect(await statusOf(token)).toBe('pending');
  });

  it('loads nothing from elsewhere, cannot be framed, and hides its address from other sites', async () => {
    const { headers, text } = await visitor.send({ path: '/challenge/' });
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self'.*frame-ancestors 'none'/,
    );
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(text).not.toMatch(/https?:/);
  });
});

/** Every page that needs no session, at three widths and in both schemes: no text lies over another, no code breaks inside a word. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChallengeResponse } from '../../src/contract/messages.ts';
import { setupLink } from '../support/browser.ts';
import { startBrowser, type TestBrowser } from '../support/real-browser.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { measureText } from '../support/text-layout.ts';

let scene: Scene;
let browser: TestBrowser;
beforeAll(async () => {
  [scene, browser] = await Promise.all([
    startScene({ environment: { GATEHOUSE_CHALLENGE_MINUTES: '30' } }),
    startBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await scene?.end();
});

async function challengeLink(): Promise<string> {
  const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
  const body = { token: json.challenge?.token, confirm: {} };
  const answer = await scene.sandbox.send<ChallengeResponse>({
    method: 'POST',
    path: '/v1/challenges',
    body,
  });
  return answer.json.confirmation?.link ?? '';
}

const PAGES: Record<string, () => string | Promise<string>> = {
  'API reference': () => '/docs',
  'sign-in': () => '/sign-in',
  'set-up': () => setupLink(scene.service),
  challenge: challengeLink,
};

describe.each(Object.keys(PAGES))('the page %s', (name) => {
  it.each([
    [390, false],
    [390, true],
    [1_280, false],
    [1_920, true],
  ])('is in order at %i px, dark: %s', async (width, dark) => {
    const { page, close } = await browser.open(scene.service.url, { width, dark });
    await page.goto((await PAGES[name]?.()) as string);
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(measureText)).toEqual({ tooWide: 0, overlaps: [], broken: [] });
    await close();
  });
});

it('aligns the names of operations, also those that wrap', async () => {
  const { page, close } = await browser.open(scene.service.url, { width: 1_280 });
  await page.goto('/docs');
  const lefts = await page.locator('nav li a:has(.method)').evaluateAll((links) =>
    links.flatMap((link) => {
      const inPage = globalThis as unknown as {
        document: {
          createRange(): {
            selectNodeContents(node: unknown): void;
            getClientRects(): Iterable<{ left: number }>;
          };
        };
      };
      const range = inPage.document.createRange();
      range.selectNodeContents((link as unknown as { lastChild: unknown }).lastChild);
      return [...range.getClientRects()].map(({ left }) => Math.round(left));
    }),
  );
  expect(lefts.length).toBeGreaterThan(20);
  expect(new Set(lefts).size).toBe(1);
  await close();
});

/** A feed that waits for a person, in a browser: its numbers lead to its signups, and the decision and its undo are a click each. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import names from '../../demo/names.json' with { type: 'json' };
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { Intelligence } from '../../src/contract/dashboard-installation.ts';
import type { SignupGroups } from '../../src/contract/dashboard-signup-counts.ts';
import { countActions } from '../support/counted-actions.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { until } from '../support/expectations.ts';
import { startFeedServer, type TestFeedServer } from '../support/feed-server.ts';
import { useFeeds } from '../support/feeds-file.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const FEED = 'disposable-curated';
const PATIENCE_MS = 120_000;

let server: TestFeedServer;
let installation: Installation;
let browser: TestBrowser;
let window: Window;
let service: Service;

beforeAll(async () => {
  [server, installation, browser] = await Promise.all([startFeedServer(), createDemo(), startBrowser()]);
  server.set('list', { body: 'trashy-pendulum-mail.com\n' });
  await useFeeds(installation, { [FEED]: { url: `${server.url}list`, enabled: true, everyHours: 0.0003 } });
  service = await installation.start({ GATEHOUSE_FEED_FLIPS: '0' });
  window = await browser.open(service.url, { as: PEOPLE.operator });
  await until(async () => (await feed()).state === 'ok', PATIENCE_MS);
  server.set('list', { body: `trashy-pendulum-mail.com\n${await busyDomains()}\n` });
  await until(async () => (await feed()).state === 'waiting', PATIENCE_MS);
}, 2 * PATIENCE_MS);
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
  await server?.close();
});

async function feed() {
  const { sources } = (await window.api<Intelligence>('GET', '/intelligence')).body;
  const found = sources.find(({ id }) => id === FEED);
  if (found === undefined) throw new Error(`no feed ${FEED}`);
  return found;
}

/** Domains of most of those who got in, in every account, but for those of large providers, which no feed may list. */
async function busyDomains(): Promise<string> {
  const large = new Set([...names.consumer.map(([name]) => name), ...names.relay]);
  const { accounts } = (await window.api<Session>('GET', '/session')).body;
  const domains = await Promise.all(
    accounts.map(async ({ id }) => {
      const path = `/accounts/${id}/assessments/groups?mode=live&verdict=allow&period=7d&by=domain`;
      const { groups } = (await window.api<SignupGroups>('GET', path)).body;
      return groups.flatMap(({ value }) => (value === null || large.has(value) ? [] : [value]));
    }),
  );
  return [...new Set(domains.flat())].join('\n');
}

const panel = () => window.page.getByRole('region', { name: 'Newest version' });

it('is the first in the list, says how many verdicts change, and leads to a signup', async () => {
  const { page } = window;
  await window.go('/intelligence');
  const actions = countActions(window);
  await actions.click(
    page.getByRole('table', { name: 'Feeds' }).getByRole('row', { name: FEED }).getByRole('link'),
  );
  await panel().getByText('The newest version waits for you').waitFor();
  const { review } = await feed();
  await panel().getByText(`${review?.stricter} would get a stricter verdict`).waitFor();
  expect(await window.barriers()).toEqual([]);
  await actions.click(panel().getByRole('link').first());
  await page
    .getByText(review?.examples[0]?.request_id as string)
    .first()
    .waitFor();
  expect(actions.count).toBe(2);
});

it('is used, and taken back, with two clicks each', async () => {
  await window.go(`/intelligence/${FEED}`);
  const decide = async (choice: string, then: string) => {
    const actions = countActions(window);
    await actions.click(panel().getByRole('button', { name: choice }));
    await window.page.getByRole('dialog').getByText('undoes').waitFor();
    expect(await window.barriers('dialog')).toEqual([]);
    await actions.click(
      window.page.getByRole('dialog').last().getByRole('button', { name: choice, exact: true }),
    );
    await panel().getByText(then).waitFor({ timeout: PATIENCE_MS });
    expect(actions.count).toBe(2);
  };
  await decide('Use it', 'The newest version is used');
  expect((await feed()).review?.decision).toBe('used');
  await decide('Keep the old one', 'The newest version is not used');
  expect(await feed()).toMatchObject({ entries: 1, review: { decision: 'kept' } });
});

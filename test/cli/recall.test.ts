/** gatehouse recall: asked for beside a running service, shown, listed and dismissed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { colleague, type Scene, startScene } from '../support/scene.ts';

const SOON = { timeout: 60_000, interval: 200 };
const DOMAIN = 'late-farm.com';

let scene: Scene;
const ids: string[] = [];
let found = 0;
beforeAll(async () => {
  scene = await startScene();
  for (let at = 0; at < 3; at += 1) {
    const { json } = await scene.live.assess({ email: `jo${at}@${DOMAIN}`, ip: `203.0.113.${at}` });
    ids.push(json.request_id);
  }
  await scene.live.assess({ email: colleague('kim'), ip: '198.51.100.9' });
});
afterAll(() => scene?.end());

const run = <T>(name: string, ...args: string[]) =>
  scene.installation.json<T>('recall', name, '--account', scene.account.id, ...args);

it('asks the service, which judges again, and shows what it found with both verdicts', async () => {
  expect(await run('show')).toMatchObject({ state: 'never', judged: 0, block: 0, causes: '' });
  expect(await run<object[]>('list')).toEqual([]);
  await scene.installation.json(
    'list',
    'add',
    '--deny',
    DOMAIN,
    '--account',
    scene.account.id,
    '--reason',
    'a farm',
  );
  await expect
    .poll(async () => (await scene.live.assess({ email: `late@${DOMAIN}` })).json.verdict, SOON)
    .toBe('block');
  expect(await run('run')).toMatchObject({ state: expect.stringMatching(/^(requested|running|ended)$/) });
  await expect.poll(async () => (await run<{ state: string }>('show')).state, SOON).toBe('ended');
  const rows = await run<{ request_id: string }[]>('list');
  // The signups that showed that the service follows may be counted, too.
  expect(rows.map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(ids));
  found = rows.length;
  const causes = `${found} block by your lists`;
  expect(await run('show')).toMatchObject({ block: found, challenge: 0, causes });
  expect(rows[0]).toMatchObject({
    old_verdict: 'allow',
    new_verdict: 'block',
    cause: 'list',
    cause_id: expect.stringMatching(/^lst_/),
    finding: 'deny_list',
  });
});

it('lists by verdict and cause, and says what these are', async () => {
  expect(await run<object[]>('list', '--verdict', 'block', '--cause', 'list')).toHaveLength(found);
  expect(await run<object[]>('list', '--verdict', 'challenge')).toEqual([]);
  expect(await run<object[]>('list', '--cause', 'feed:tor-exits')).toEqual([]);
  const account = ['--account', scene.account.id];
  const { stderr } = await scene.installation.run('recall', 'list', ...account, '--cause', 'rumours');
  expect(stderr).toContain('it begins with one of list, feed');
  expect((await scene.installation.run('recall', 'list', ...account, '--verdict', 'allow')).stderr).toContain(
    'it is block or challenge',
  );
});

it('dismisses them, names who did it in the audit log, and refuses to run where recall is off', async () => {
  expect(await run('dismiss')).toEqual({ dismissed: found });
  expect(await run<object[]>('list')).toEqual([]);
  const { stdout } = await scene.installation.run('audit', '--account', scene.account.id, '--json');
  expect(stdout).toContain('recall.request');
  expect(stdout).toContain('recall.dismiss');
  scene.installation.environment.GATEHOUSE_RECALL_DAYS = 'off';
  const { status, stderr } = await scene.installation.run('recall', 'run', '--account', scene.account.id);
  expect([status, stderr]).toEqual([1, expect.stringContaining('GATEHOUSE_RECALL_DAYS is off')]);
});

/** Commands in a separate process, as a shell runs them: they print the same as in the other tests' process. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatehouse, spawnGatehouse } from '../support/command.ts';
import { IS_LONG } from '../support/long-version.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';

let installation: Installation;
let account: string;
beforeAll(async () => {
  installation = await createInstallation();
  account = (await plant(installation)).id;
});
afterAll(() => installation.remove());

/** Output as a table and as JSON, with and without a store, and failures of both kinds. */
const LINES = [
  'account set ACCOUNT --rps 7',
  'list remove --account ACCOUNT lst_nobody',
  'intel status',
  'assess jo@mailinator.com',
  'migrate --to mysql://db/gatehouse',
];
const MORE_LINES = [
  'account list',
  'key list --account ACCOUNT',
  'list show --account ACCOUNT',
  'intel check 192.0.2.1',
  'user list',
  'user link nobody@example.com',
  'openapi',
];

it.each(IS_LONG ? [...LINES, ...MORE_LINES] : LINES)('gatehouse %s', { timeout: 180_000 }, async (line) => {
  const args = line.replace('ACCOUNT', account).split(' ');
  const [here, spawned] = [
    await gatehouse(args, installation.environment),
    await spawnGatehouse(args, installation.environment),
  ];
  const withoutTime = (text: string) => text.replaceAll(/"request_id":"[^"]+"|"age_seconds":\d+/g, '');
  expect(withoutTime(spawned.stdout)).toBe(withoutTime(here.stdout));
  expect({ ...spawned, stdout: '' }).toEqual({ ...here, stdout: '' });
});

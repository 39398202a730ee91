import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { FIRST_REQUEST, isExampleIp } from './first-request.ts';

const ROOT = resolve(import.meta.dirname, '../..');

it.each(['README.md', 'deploy/npm/README.md'])('%s shows the request that the first start shows', (page) => {
  expect(readFileSync(join(ROOT, page), 'utf8')).toContain(`-d '${JSON.stringify(FIRST_REQUEST)}'`);
});

it('knows signups that only try the service', () => {
  expect([FIRST_REQUEST.ip, '203.0.113.7', '198.51.100.20', null].map(isExampleIp)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

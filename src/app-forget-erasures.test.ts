import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetErasures } from './app-forget-erasures.ts';

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-erasures-'));
  file = join(dataDir, 'erasures.jsonl');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const line = (account: string) => `${JSON.stringify({ account, hashes: ['h'], until: 1 })}\n`;

it('removes the lines of one account, and does not change those of others', () => {
  forgetErasures({ dataDir }, 'acc_a');
  writeFileSync(file, line('acc_a') + line('acc_b') + line('acc_a'));
  forgetErasures({ dataDir }, 'acc_none');
  forgetErasures({ dataDir }, 'acc_a');
  expect(readFileSync(file, 'utf8')).toBe(line('acc_b'));
  forgetErasures({ dataDir }, 'acc_b');
  expect(existsSync(file)).toBe(false);
});

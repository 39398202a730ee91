/** A service under load that gets no more memory: it ends, keeps everything acknowledged, and the next start says in one line how the last run ended. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseFile, viewDatabase } from '../support/crash-database.ts';
import { call, createLedger, createRandom, startLoad } from '../support/crash-load.ts';
import { HANG_MS, manyRounds } from '../support/long-version.ts';
import { plant } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { createInstallation, type Installation } from '../support/service.ts';

const ROUNDS = manyRounds(1, 5);
/** In addition to its memory: less than one garbage collection needs. */
const SPARE_BYTES = 4 * 2 ** 20;
const SAID = /"pid":\d+,"since":"[^"]+"[^\n]*"msg":"the last run did not end by itself: /;

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation?.remove());

describe.runIf(process.platform === 'linux')('a service without memory', { timeout: 180_000 }, () => {
  it('ends, and the next one has everything that was acknowledged, each charged once', async () => {
    const keys = await plant(installation, { requestsPerSecond: 100_000 });
    const ledger = createLedger();
    const random = createRandom(20_261_123);
    let service = await installation.spawn({}, PATIENT_SERVICE);
    expect(service.output()).not.toMatch(SAID);
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = startLoad({ service, keys }, ledger, random);
      const before = ledger.live.size;
      await expect.poll(() => ledger.live.size, { timeout: HANG_MS }).toBeGreaterThan(before + 50);
      execFileSync('prlimit', [
        `--pid=${service.pid}`,
        `--data=${writableBytes(service.pid) + SPARE_BYTES}:`,
      ]);
      await service.ended;
      await load.stop();

      service = await installation.spawn({}, PATIENT_SERVICE);
      expect(service.output()).toMatch(SAID);
      const view = viewDatabase(databaseFile(installation));
      const [live, sandbox] = [view.ids('live'), view.ids('test')];
      expect([...ledger.live.keys()].filter((id) => !live.has(id))).toEqual([]);
      expect([...ledger.sandbox.keys()].filter((id) => !sandbox.has(id))).toEqual([]);
      expect(view.integrity()).toBe('ok');
      view.close();
      const { text } = await call(service, keys.live, '/v1/usage');
      expect(JSON.parse(text)).toMatchObject({ assessments_used: live.size });
      const [id, first] = [...ledger.live].at(-1) as [string, string];
      expect((await call(service, keys.live, `/v1/assess/${id}`)).text).toBe(first);
    }
    await service.stop();
    service = await installation.spawn({}, PATIENT_SERVICE);
    expect(service.output()).not.toMatch(SAID);
  });
});

/** The memory that the limit counts: private and writable. */
function writableBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmData:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

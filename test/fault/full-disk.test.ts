/** A disk that is really full, under the data folder of a running service: reading works, also in open sessions, and requests that must be stored get an error with the reason, as does a sign-in. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { problemOf, until } from '../support/expectations.ts';
import { HANG_MS } from '../support/long-version.ts';
import { isImpossible } from '../support/missing-programs.ts';
import { type Person, type PlantedPerson, plantPerson, signIn, trySignIn } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';

const DISK_MB = 24;
const READY_MS = HANG_MS;

const disk = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk]).status === 0;
if (!mounted) rmSync(disk, { recursive: true });

describe.skipIf(isImpossible(mounted ? undefined : 'a full disk: only root may mount a small one'))(
  'a full disk',
  { timeout: 120_000 },
  () => {
    const ballast = join(disk, 'ballast');
    let installation: Installation;
    let service: ServiceProcess;
    let client: Client;
    let person: PlantedPerson;
    let before: Person;
    let account: string;
    let requestId: string;

    beforeAll(async () => {
      mkdirSync(join(disk, 'data'));
      installation = await createInstallation({ GATEHOUSE_DATA_DIR: join(disk, 'data') });
      const { id, live } = await plant(installation, { requestsPerSecond: 100_000 });
      account = id;
      person = await plantPerson(installation, 'operator');
      service = await installation.spawn();
      client = createClient(service.url, live);
      before = await signIn(service, person);
      requestId = await stored('jo@example.com');
      // The index of the log is opened before the disk is full.
      expect((await before.get(`/accounts/${account}/assessments`)).status).toBe(200);
      fill();
      // The rest of the write-ahead log can take some more.
      let refused = 0;
      for (let turn = 0; refused < 20; turn += 1)
        refused = isFull(await client.assess({ email: `jo${turn}@example.com` })) ? refused + 1 : 0;
    }, 180_000);

    afterAll(async () => {
      client?.close();
      await installation?.remove();
      execFileSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true, force: true });
    });

    /** Repeats until it is stored: a busy machine may be late. */
    async function stored(email: string): Promise<string> {
      let answer = await client.assess({ email });
      await until(async () => {
        if (answer.status !== 200) answer = await client.assess({ email });
        return answer.status === 200;
      });
      return answer.json.request_id;
    }

    /** Refused because the disk is full, not because a busy machine was late. */
    function isFull(answer: Answer<unknown>): boolean {
      return answer.status === 503 && problemOf(answer).code === 'storage_full';
    }

    function fill(): void {
      const { bavail, bsize } = statfsSync(disk);
      try {
        writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize)));
      } catch (error) {
        // The service may have used some of it in the meantime.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }

    it('is reported to each caller whose request must be stored', async () => {
      for (const ask of [
        () => client.assess({ email: 'new@example.com' }),
        () => client.feedback({ request_id: requestId, outcome: 'false_positive' }),
      ]) {
        let answer: Answer<unknown> = await ask();
        // A checkpoint may have freed some space just now, which is used up again.
        await until(async () => {
          if (!isFull(answer)) answer = await ask();
          return isFull(answer);
        });
        expect(problemOf(answer)).toMatchObject({ status: 503, code: 'storage_full' });
        expect(answer.text).toContain('disk of this service is full');
      }
    });

    it('does not affect reads and open sessions', async () => {
      expect((await client.get(requestId)).status).toBe(200);
      expect((await client.usage()).status).toBe(200);
      const pages = ['/session', `/accounts/${account}/assessments`, `/accounts/${account}/lists`];
      for (const page of pages) expect([page, (await before.get(page)).status]).toEqual([page, 200]);
    });

    it('refuses a sign-in with a sentence that says why and what to do, and logs what to do', async () => {
      const answer = await trySignIn(service, person);
      expect(problemOf(answer)).toMatchObject({ status: 503, code: 'storage_full' });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.text).toContain('You cannot sign in now: the disk of this service is full.');
      expect(answer.text).toContain('Free space on the disk of the data folder or database, then try again.');
      expect(service.output()).toContain('"reason":"its disk is full: free space there"');
    });

    it('makes the service not ready, and ready again when there is space', async () => {
      const ready = async () => (await fetch(`${service.url}/readyz`)).status;
      // The space that a checkpoint of the write-ahead log frees is used up again.
      const use = async () => {
        for (let status = 200; status === 200; )
          ({ status } = await client.assess({ email: 'more@example.com' }));
        return ready();
      };
      await expect.poll(use, { timeout: READY_MS }).toBe(503);
      rmSync(ballast);
      await expect.poll(ready, { timeout: READY_MS }).toBe(200);
      await stored('again@example.com');
      expect((await before.get('/session')).status).toBe(200);
      before.close();
      const session = await signIn(service, person);
      expect((await session.get('/session')).status).toBe(200);
      session.close();
    });
  },
);

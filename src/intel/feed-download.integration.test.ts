import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFeedServer, type TestFeedServer } from '../../test/support/feed-server.ts';
import { createDownload } from './feed-download.ts';

const UNKNOWN = { etag: null, lastModified: null };
const LIST = 'one.example\ntwo.example\n';
const BYTES = 1024 * 1024;
/** Long, so that no test reaches it: a busy machine may pause the server and this process. */
const PATIENT_MS = 60_000;
const downloadWithin = (totalMs: number, idleMs: number) =>
  createDownload({ userAgent: 'gatehouse/test', limits: { bytes: BYTES, totalMs, idleMs } });
const download = downloadWithin(PATIENT_MS, PATIENT_MS);

let server: TestFeedServer;
beforeAll(async () => {
  server = await startFeedServer();
});
afterAll(() => server?.close());

describe('a feed over HTTP', () => {
  it('comes with its validators, and is not sent twice', async () => {
    server.set('good', { body: LIST });
    const first = await download(`${server.url}good`, UNKNOWN);
    expect(first).toMatchObject({ kind: 'changed', etag: expect.stringMatching(/^"/) });
    expect(textOf(first)).toBe(LIST);
    expect(server.headers('good')).toMatchObject({ 'user-agent': 'gatehouse/test' });
    const { etag, lastModified } = first as { etag: string; lastModified: string | null };
    expect(await download(`${server.url}good`, { etag, lastModified })).toEqual({ kind: 'unchanged' });
    expect(server.answered('good')).toEqual([200, 304]);
    server.set('good', { body: `${LIST}three.example\n` });
    expect(await download(`${server.url}good`, { etag, lastModified })).toMatchObject({ kind: 'changed' });
  });

  it('is unpacked', async () => {
    server.set('packed', { body: LIST, gzip: true });
    expect(textOf(await download(`${server.url}packed`, UNKNOWN))).toBe(LIST);
  });

  it('is fetched only up to its limit, to the end of a line, unless it is compressed', async () => {
    server.set('long', { body: LIST.repeat(20_000) });
    const head = textOf(await download(`${server.url}long`, UNKNOWN, { firstBytes: 1_000 }));
    expect(head.length).toBeLessThanOrEqual(1_000);
    expect(head).toBe('one.example\ntwo.example\n'.repeat(50).slice(0, head.length));
    expect(head.endsWith('\n')).toBe(true);
    const packed = `PK\u0003\u0004${LIST.repeat(1_000)}`;
    server.set('zip', { body: packed });
    expect(textOf(await download(`${server.url}zip`, UNKNOWN, { firstBytes: 1_000 }))).toBe(packed);
  });

  it('is fetched from where it moved to, but not in circles and not from a file', async () => {
    server.set('old', { redirectTo: '/new' });
    server.set('new', { body: LIST });
    server.set('circle', { redirectTo: '/circle' });
    server.set('inside', { redirectTo: 'file:///etc/hostname' });
    expect(textOf(await download(`${server.url}old`, UNKNOWN))).toBe(LIST);
    expect(await download(`${server.url}circle`, UNKNOWN)).toEqual(failed('more than 5 redirects'));
    expect(await download(`${server.url}inside`, UNKNOWN)).toEqual(
      failed('a redirect to file: is not followed'),
    );
  });

  it.each([
    ['missing', { status: 404 }, 'the publisher answered 404'],
    ['broken', { status: 503 }, 'the publisher answered 503'],
    ['truncated', { body: LIST.repeat(100), truncated: true }, expect.any(String)],
    ['cut-short-and-packed', { body: LIST.repeat(100), truncated: true, gzip: true }, expect.any(String)],
    ['endless', { endless: true }, 'larger than 1 MiB'],
    ['bomb', { body: ' '.repeat(4_000_000), gzip: true }, 'larger than 1 MiB'],
  ])('%s: fails, and says why', async (path, answer, why) => {
    server.set(path, answer);
    expect(await download(`${server.url}${path}`, UNKNOWN)).toEqual(failed(why));
  });

  // Each test has one deadline that can pass.
  it.each([
    ['slow', { everyMs: 50 }, { totalMs: 400, idleMs: PATIENT_MS }, 'took longer than 0.4 s'],
    ['silent', { hang: true }, { totalMs: PATIENT_MS, idleMs: 300 }, 'nothing came for 0.3 s'],
    ['stalled', { everyMs: 100_000 }, { totalMs: PATIENT_MS, idleMs: 300 }, 'nothing came for 0.3 s'],
  ])('%s: fails, and says which deadline passed', async (path, answer, { totalMs, idleMs }, why) => {
    server.set(path, answer);
    const impatient = downloadWithin(totalMs, idleMs);
    expect(await impatient(`${server.url}${path}`, UNKNOWN)).toEqual(failed(why));
  });

  it('fails if nobody listens, and when it is stopped', async () => {
    const closedServer = await startFeedServer();
    await closedServer.close();
    expect(await download(closedServer.url, UNKNOWN)).toEqual(
      failed(expect.stringContaining('ECONNREFUSED')),
    );
    server.set('slow', { everyMs: 50 });
    const stop = new AbortController();
    const going = download(`${server.url}slow`, UNKNOWN, { signal: stop.signal });
    setTimeout(() => stop.abort(), 60);
    expect(await going).toEqual(failed('stopped'));
  });
});

describe('a feed in a file', () => {
  it('is read, within the same limit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-feed-'));
    const file = join(folder, 'list.txt');
    await writeFile(file, LIST);
    expect(textOf(await download(pathToFileURL(file).href, UNKNOWN))).toBe(LIST);
    await writeFile(file, ' '.repeat(2_000_000));
    expect(await download(pathToFileURL(file).href, UNKNOWN)).toEqual(failed('larger than 1 MiB'));
    await rm(folder, { recursive: true });
    expect(await download(pathToFileURL(file).href, UNKNOWN)).toEqual(
      failed(expect.stringContaining('ENOENT')),
    );
  });
});

function failed(why: unknown) {
  return { kind: 'failed', why };
}

function textOf(got: object): string {
  return Buffer.from((got as { bytes: Uint8Array }).bytes).toString('utf8');
}

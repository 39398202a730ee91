/** Hostile requests over real sockets, 1,000 to each reader, or 5,000 in the long version: an answer is a documented error or a correct 200, and only a 200 is charged. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.ts';
import { itKeepsMemoryFlat, type MemoryRounds, noteMemory, SEEDS } from '../support/fuzz-rounds.ts';
import { rounds } from '../support/long-version.ts';
import { plant } from '../support/plant.ts';
import { assessmentId, complaintAbout, summarize } from '../support/raw-answers.ts';
import { barrage, type Case, creditsUsed, framed, type Target } from '../support/raw-barrage.ts';
import { bodyText, encodedBody } from '../support/raw-bodies.ts';
import { exchange } from '../support/raw-exchange.ts';
import { framedWrongly } from '../support/raw-framing.ts';
import { assessMayAnswer, feedbackMayAnswer, NO_JSON } from '../support/raw-oracle.ts';
import { aimedWrongly, assessHeaders, noise, POST, request } from '../support/raw-requests.ts';
import { createInstallation, type Installation } from '../support/service.ts';

/** The share of the counts below, which are 5,000 together. */
const SHARE = rounds(5, 1);
const SHOWN = 5;
const LIMIT = 65_536;
const GOOD = Buffer.from('{"email":"someone@example.com"}');

let dns: TestDnsServer;
let installation: Installation;
let target: Target;
let sandbox: string;
let revoked: string;
let sent: number;
let seed: number;

describe.each([
  ['the strict reader first', true],
  ["Node's parser alone", false],
])('hostile input to %s', { timeout: 120_000 }, (_reader, strictly) => {
  const kept: MemoryRounds = [];
  let all = 0;
  beforeAll(async () => {
    dns = await startDnsServer();
    dns.fallback = { mx: ['10 mx.example.com'] };
    installation = await createInstallation({
      GATEHOUSE_DNS_SERVERS: dns.address,
      GATEHOUSE_VELOCITY_MB: '16',
    });
    const account = await plant(installation, { requestsPerSecond: 100_000 });
    const old = await installation.key(account.id, 'live');
    await installation.json('key', 'revoke', old.id);
    const service = await installation.start({}, strictly);
    const { answers } = await exchange(service.port, { bytes: assess(account.test, GOOD), answers: 1 });
    const knownId = answers.map(assessmentId)[0] as string;
    target = { service, live: account.live, knownId };
    sandbox = account.test;
    revoked = old.key;
  });

  afterAll(async () => {
    await installation?.remove();
    await dns?.close();
  });

  describe.each(SEEDS)('seed %i', (roundSeed) => {
    beforeAll(() => {
      sent = 0;
      seed = roundSeed;
    });
    afterAll(async () => {
      all += sent;
      await noteMemory(kept, target.service);
    });

    it('refuses members of a wrong type, and handles all other bodies by the rules', async () => {
      const assessed = sample(1_500, bodyText('assess', target.knownId)).map((text, at): Case => {
        const bytes = Buffer.from(text);
        const charged = at % 2 === 0;
        const allowed = bytes.length > LIMIT ? ['413 payload_too_large'] : assessMayAnswer(bytes);
        const key = charged ? target.live : sandbox;
        return { name: text, bytes: assess(key, bytes), answers: 1, allowed, charged };
      });
      const known = new Set([target.knownId]);
      const fed = sample(400, bodyText('feedback', target.knownId)).map((text): Case => {
        const bytes = Buffer.from(text);
        const allowed = bytes.length > LIMIT ? ['413 payload_too_large'] : feedbackMayAnswer(bytes, known);
        const feedback = request(
          'POST /v1/feedback HTTP/1.1',
          assessHeaders(target.live, bytes.length),
          bytes,
        );
        return { name: text, bytes: feedback, answers: 1, allowed, charged: false };
      });
      await send([...assessed, ...fed]);
    });

    it('reads only UTF-8, whatever the content coding says', async () => {
      const codings = fc.constantFrom('', '', 'gzip', 'br', 'identity', 'x, y', 'gzip, gzip');
      const cases = sample(600, fc.tuple(encodedBody, codings)).map(([{ encoding, bytes }, coding]): Case => {
        const more = coding === '' ? [] : [`Content-Encoding: ${coding}`];
        const plain = coding === '' && !encoding.includes('mark');
        return {
          name: `${encoding}, content coding '${coding}'`,
          bytes: request(POST, [...assessHeaders(target.live, bytes.length), ...more], bytes),
          answers: 1,
          allowed: [...assessMayAnswer(bytes), ...(plain ? [] : [NO_JSON])],
          charged: true,
        };
      });
      await send(cases);
    });

    it('is not confused by any content type', async () => {
      const token = fc.stringMatching(/^[!-~\x80-\xff ]{0,40}$/);
      const odd = fc.constantFrom(
        '',
        ';',
        ';;;',
        '/',
        'json',
        'application/',
        '/json',
        'a/b/c',
        'x'.repeat(1_000),
        '__proto__',
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-16',
        'application/json;;',
        'application/json; =',
        'Application/JSON',
      );
      const cases = sample(400, fc.tuple(fc.oneof(odd, token), fc.boolean())).map(([type, good]): Case => {
        const body = good ? GOOD : Buffer.from('email=a%40example.com');
        const headers = replaced(assessHeaders(target.live, body.length), 'Content-Type', type);
        const allowed = [...assessMayAnswer(body), NO_JSON, '400 bad_request'];
        return { name: type, bytes: request(POST, headers, body), answers: 1, allowed, charged: true };
      });
      await send(cases);
    });

    it('accepts 64 KiB and not a byte more', async () => {
      const sizes = fc.tuple(fc.constantFrom(LIMIT - 1, LIMIT, LIMIT + 1), fc.boolean());
      const cases = sample(40, sizes).map(([size, chunked]): Case => {
        const body = Buffer.concat([GOOD, Buffer.alloc(size - GOOD.length, ' ')]);
        const headers = assessHeaders(target.live, size);
        const bytes = chunked
          ? request(POST, [...headers.slice(0, -1), 'Transfer-Encoding: chunked'], inOneChunk(body))
          : request(POST, headers, body);
        const allowed = [size > LIMIT ? '413 payload_too_large' : '200'];
        return { name: `${size} bytes, chunked ${chunked}`, bytes, answers: 1, allowed, charged: true };
      });
      await send(cases);
    });

    it('is not deceived by wrong body lengths, chunks or headers', async () => {
      await send(sample(660, framedWrongly(target.live)).map(framed));
    });

    it('answers every unknown method and target', async () => {
      await send(sample(600, aimedWrongly(target.live, target.knownId)).map(framed));
    });

    it('accepts only a complete, active key in the one valid form', async () => {
      const { live } = target;
      const cut = fc.nat({ max: live.length - 1 }).map((at) => `${live.slice(0, at)}${live.slice(at + 1)}`);
      const odd = fc.stringMatching(/^[!-~\x80-\xff ]{0,60}$/);
      const form = fc.constantFrom(
        `Bearer ${live}`,
        `bearer ${live}`,
        `BEARER   ${live} `,
        `Bearer ${sandbox}`,
        `Bearer ${revoked}`,
        live,
        `Basic ${live}`,
        'Bearer',
        `Bearer ${live} ${live}`,
        `Bearer ${live},`,
        `Bearer "${live}"`,
        `Bearer=${live}`,
        `Bearer ${live}\x00`,
        `Bearer ${'sk_live_'.repeat(1_500)}`,
        `Bearer, ${live}`,
        `Bearer ${live.toUpperCase()}`,
        'Bearer __proto__',
        'Bearer constructor',
        `Token ${live}`,
      );
      const bearer = fc.oneof(cut, odd).map((text) => `Bearer ${text}`);
      const cases = sample(400, fc.oneof(form, bearer)).map((value): Case => {
        const headers = replaced(assessHeaders('', GOOD.length), 'Authorization', value);
        const key = /^bearer +(\S+) *$/i.exec(value)?.[1] ?? '';
        const refusal = key === revoked ? '401 token_revoked' : '401 unauthorized';
        const allowed = [live, sandbox].includes(key) ? ['200'] : [refusal];
        if (value.includes('\x00')) allowed.splice(0, 1, '400 bad_request');
        return {
          name: value,
          bytes: request(POST, headers, GOOD),
          answers: 1,
          allowed,
          charged: key === live,
        };
      });
      await send(cases);
    });

    it('survives random bytes, and good requests with changed bytes', async () => {
      await send(sample(400, noise(target.live)).map(framed));
    });

    it(`was sent ${5_000 / SHARE} requests`, () => {
      expect(sent).toBe(5_000 / SHARE);
    });
  });

  itKeepsMemoryFlat(kept, 0.2, () => all);

  it.each<[string, string[], string]>([
    ['without a Host', [POST, 'Authorization: Bearer LIVE'], '400 bad_request'],
    ['with an expectation nobody knows', [POST, 'Host: localhost', 'Expect: a-miracle'], '4'],
    ['with the method QUERY', ['QUERY /v1/usage HTTP/1.1', 'Host: localhost'], '405 method_not_allowed'],
    ['without any body', [POST, 'Host: localhost', 'Authorization: Bearer LIVE'], NO_JSON],
  ])('answers a request %s in the error envelope', async (_, [line = '', ...headers], expected) => {
    const bytes = request(
      line,
      headers.map((header) => header.replace('LIVE', target.live)),
    );
    const { answers } = await exchange(target.service.port, { bytes, answers: 1 });
    expect(answers.map((answer) => complaintAbout(answer))).toEqual([undefined]);
    expect(answers.map(summarize)[0]).toMatch(new RegExp(`^${expected}`));
  });

  it('answers a whole request before it refuses the garbage behind it', async () => {
    const { service, live } = target;
    const before = await creditsUsed(service, live);
    const bytes = Buffer.concat([assess(live, GOOD), Buffer.from('this is no request\r\n\r\n')]);
    const { answers } = await exchange(service.port, { bytes, answers: 0 });
    const charged = (await creditsUsed(service, live)) - before;
    expect({ answers: answers.map(summarize), charged }).toEqual({
      answers: ['200', '400 bad_request'],
      charged: 1,
    });
  });

  it('answers a whole request before it refuses the tunnel behind it', async () => {
    const tunnel = request('CONNECT example.com:443 HTTP/1.1', ['Host: example.com:443']);
    const bytes = Buffer.concat([assess(target.live, GOOD), tunnel]);
    const { answers } = await exchange(target.service.port, { bytes, answers: 0 });
    expect(answers.map(summarize)).toEqual(['200', '405 method_not_allowed']);
    expect(answers.map((answer) => complaintAbout(answer))).toEqual([undefined, undefined]);
  });

  it('answers a complete request before it refuses the next one, whose body is broken', async () => {
    const { service, live } = target;
    const before = await creditsUsed(service, live);
    const bytes = Buffer.concat([assess(live, GOOD), brokenChunk(live)]);
    const { answers } = await exchange(service.port, { bytes, answers: 0 });
    const charged = (await creditsUsed(service, live)) - before;
    expect({ answers: answers.map(summarize), charged }).toEqual({
      answers: ['200', '400 bad_request'],
      charged: 1,
    });
  });

  it('answers a request once, even if its body breaks off after the answer', async () => {
    const { answers, rest } = await exchange(target.service.port, { bytes: brokenChunk(''), answers: 0 });
    expect({ answers: answers.map(summarize), rest }).toEqual({ answers: ['401 unauthorized'], rest: '' });
  });
});

async function send(cases: readonly Case[]): Promise<void> {
  sent += cases.length;
  const complaints = await barrage(target, cases);
  expect(complaints.slice(0, SHOWN), `${complaints.length} complaints, seed ${seed}`).toEqual([]);
}

function sample<T>(count: number, arbitrary: fc.Arbitrary<T>): T[] {
  return fc.sample(arbitrary, { numRuns: count / SHARE, seed });
}

function assess(key: string, body: Buffer): Buffer {
  return request(POST, assessHeaders(key, body.length), body);
}

function replaced(headers: readonly string[], name: string, value: string): string[] {
  return headers.map((line) => (line.startsWith(`${name}:`) ? `${name}: ${value}` : line));
}

function brokenChunk(key: string): Buffer {
  const headers = [...assessHeaders(key, 0).slice(0, -1), 'Transfer-Encoding: chunked'];
  return request(POST, headers, Buffer.from('no size\r\n'));
}

function inOneChunk(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
}

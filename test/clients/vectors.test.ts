/** Every client passes every vector of `clients/vectors.jsonl` against the real service, with a proxy before it that fails where a vector says so. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/command.ts';
import { OWN_SYSTEM, SYSTEMS } from '../support/debian-suites.ts';
import { plant, plantKey } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import type { Installation } from '../support/service.ts';
import { differences } from './expected.ts';
import { type FaultProxy, type ScriptedAnswer, type SentRequest, startFaultProxy } from './fault-proxy.ts';
import { findLanguage, LANGUAGES } from './languages.ts';

interface Step {
  readonly call: string;
  readonly expect?: object;
}

interface Vector {
  readonly name: string;
  /** It passes values of a wrong type, which a compiler refuses. */
  readonly untyped?: boolean;
  /** Clients that have the call; default: all. */
  readonly languages?: readonly string[];
  readonly service?: readonly ScriptedAnswer[];
  readonly steps: readonly Step[];
  readonly sent?: { readonly count?: number; readonly keys?: number; readonly requests?: readonly object[] };
}

const FILE = join(ROOT, 'clients/vectors.jsonl');
const MIN_VECTORS = 40;
const RUN_MS = 900_000;
const vectors = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Vector);
/** JavaScript has its versions elsewhere: `test/packages/node-versions.test.ts`. */
const onSuite = ({ name }: { readonly name: string }) => name !== 'javascript';
const prepared = SYSTEMS.flatMap((system) =>
  LANGUAGES.filter((language) => system === OWN_SYSTEM || onSuite(language)).map((language) => ({
    ...language,
    language: language.name,
    name: [language.name, system.name].filter(Boolean).join('-'),
    system,
    program: findLanguage(language, system),
  })),
);
const present = prepared.filter(({ program }) => program !== undefined);
/** Failed vectors by language: what each did otherwise than expected. */
const failures = new Map<string, Map<number, string>>();

let scene: Scene;
let proxy: FaultProxy;
const keys: Record<string, Record<string, string>> = {};
let closedUrl: string;

beforeAll(async () => {
  scene = await startScene({
    environment: { GATEHOUSE_CHALLENGE_MINUTES: '30', GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example.com' },
    async prepare(installation) {
      // Accounts of their own: one language's signups must not count for another's.
      for (const { name } of present) keys[name] = await plantKeys(installation);
    },
  });
  proxy = await startFaultProxy(
    scene.service.url,
    vectors.map(({ service = [] }) => service),
  );
  closedUrl = await findClosedUrl();
  await Promise.all(
    present.map(async ({ name, system, program = '', runner, environment }) => {
      const own = mkdtempSync(join(system.temporary, 'gatehouse-clients-'));
      try {
        await check(name, await runner(program, own), own, environment);
      } finally {
        rmSync(own, { recursive: true, force: true });
      }
    }),
  );
}, RUN_MS);

afterAll(async () => {
  process.stdout.write(table());
  await proxy?.close();
  await scene?.end();
});

it(`are ${MIN_VECTORS} or more, each with a name of its own`, () => {
  expect(vectors.length).toBeGreaterThanOrEqual(MIN_VECTORS);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  const silent = vectors.flatMap(({ name, steps }) => (steps.some((step) => step.expect) ? [] : [name]));
  expect(silent).toEqual([]);
});

it('find a client that does something else', () => {
  const expected = { decision: 'block', reported: [], error: { retry_after_ms: { $min: 1 } } };
  const actual = { decision: 'allow', reported: ['timeout'], error: { retry_after_ms: null } };
  expect(differences(actual, expected, [])).toHaveLength(3);
  expect(differences({ answer: { a: 1 } }, { answer: { a: '$0.x' } }, [{ x: 2 }])).toHaveLength(1);
  expect(differences(undefined, { decision: 'allow' }, [])).toHaveLength(1);
});

describe.each(present)('$name', ({ name, language, isTyped = false }) => {
  const named = vectors.map((vector, index) => ({ ...vector, index }));
  it.each(named.filter((vector) => isRun(vector, language, isTyped)))('$name', ({ index }) => {
    expect(failures.get(name)?.get(index) ?? '').toBe('');
  });
});

function isRun({ untyped = false, languages }: Vector, language: string, isTyped: boolean): boolean {
  return !(untyped && isTyped) && (languages?.includes(language) ?? true);
}

/** Runs all vectors with one client, and keeps what differs. */
async function check(
  name: string,
  [program = '', ...args]: readonly string[],
  folder: string,
  environment: object = {},
): Promise<void> {
  const settings = join(folder, `${name}.json`);
  const urls = {
    closed: closedUrl,
    none: null,
    nonsense: 'gatehouse',
    ftp: 'ftp://127.0.0.1/',
    credentials: 'http://user:secret@127.0.0.1/',
  };
  writeFileSync(settings, JSON.stringify({ base_url: `${proxy.url}/${name}`, urls, keys: keys[name] }));
  const child = spawn(program, [...args, FILE, settings], { env: { ...process.env, ...environment } });
  let output = '';
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await once(child, 'close');
  const lines = output.split('\n').filter((line) => line.startsWith('{"index":'));
  const results = new Map(
    lines.map((line) => JSON.parse(line)).map((each) => [each.index as number, each.results as unknown[]]),
  );
  const failed = new Map<number, string>();
  for (const [index, vector] of vectors.entries()) {
    const found = results.get(index);
    const differs =
      found === undefined
        ? [`no result; the runner said:\n${log.slice(-2_000)}`]
        : compare(vector, found, proxy.sent(`/${name}/${index}`));
    if (differs.length > 0) failed.set(index, differs.join('\n'));
  }
  failures.set(name, failed);
}

function compare(
  { steps, sent = {} }: Vector,
  results: readonly unknown[],
  requests: readonly SentRequest[],
): string[] {
  const found = steps.flatMap((step, at) => {
    const result = results[at] as { readonly error?: unknown } | undefined;
    const hasFailed = typeof result?.error === 'object' && result.error !== null && !mentionsError(step);
    const failed = hasFailed ? [`step ${at} failed: ${JSON.stringify(result.error)}`] : [];
    return [...failed, ...differences(result, step.expect ?? {}, results, `step ${at}`)];
  });
  if (sent.count !== undefined && requests.length !== sent.count)
    found.push(`${requests.length} requests were sent, not ${sent.count}`);
  const used = new Set(requests.map(({ headers }) => headers['idempotency-key']));
  if (sent.keys !== undefined && used.size !== sent.keys)
    found.push(`${used.size} idempotency keys were used, not ${sent.keys}`);
  const wanted = sent.requests ?? [];
  return [
    ...found,
    ...wanted.flatMap((each, at) => differences(requests[at], each, results, `request ${at}`)),
  ];
}

function mentionsError({ expect: expected = {} }: Step): boolean {
  return 'error' in expected;
}

async function plantKeys(installation: Installation): Promise<Record<string, string>> {
  const [account, poor, free] = [
    await plant(installation),
    await plant(installation, { monthlyQuota: 1 }),
    await plant(installation, { plan: 'free' }),
  ];
  return {
    live: account.live,
    sandbox: account.test,
    padded: `  ${account.live}\n`,
    shadow: await plantKey(installation, account.id, 'live', { enforcedShare: 0 }),
    revoked: await plantKey(installation, account.id, 'live', { revokedAt: Date.now() }),
    poor: poor.live,
    free: free.live,
    wrong: 'sk_test_of_another_installation',
    foreign: 'pk_live_0123456789abcdef',
    none: '',
  };
}

/** An address where nothing listens. */
async function findClosedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Vectors by language, for people: each line with a mark for each. */
function table(): string {
  const mark = (name: string, index: number) => (failures.get(name)?.has(index) === false ? 'ok' : 'FAILED');
  const names = prepared.map(({ name }) => name);
  const cells = vectors.map((vector, index) => {
    const marks = prepared.map(({ name, language, program, isTyped = false }) => {
      if (program === undefined) return 'skipped';
      if (vector.languages?.includes(language) === false) return 'no such call';
      return vector.untyped === true && isTyped ? 'types forbid it' : mark(name, index);
    });
    return `| ${vector.name} | ${marks.join(' | ')} |`;
  });
  return `\n${[`| vector | ${names.join(' | ')} |`, `|---|${names.map(() => '---|').join('')}`, ...cells].join('\n')}\n`;
}

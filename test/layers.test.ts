/** Checks the architecture: who may import whom, by which doors, where the environment and status codes may be used, how large a file may be. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOMS } from './support/rooms.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');

/** Room, or folder of one → who may import it, where these are fewer than all above it. */
const KNOWN_TO: Readonly<Record<string, readonly string[]>> = {
  cli: ['main'],
  operate: ['cli'],
  wiring: ['cli', 'operate'],
  installation: ['cli', 'operate', 'wiring'],
  http: ['wiring'],
  'http/core': ['wiring', 'http'],
  signup: ['cli', 'operate', 'wiring', 'installation', 'http'],
  'signup/challenges': ['wiring', 'http'],
  takeback: ['wiring', 'http'],
  'takeback/providers': ['wiring'],
  events: ['cli', 'wiring', 'http', 'takeback'],
  alerts: ['wiring', 'http', 'events'],
  waves: ['operate', 'wiring', 'signup'],
  evidence: ['cli', 'operate', 'wiring', 'installation', 'signup', 'waves'],
  'evidence/sources': ['operate', 'wiring', 'installation', 'evidence'],
  intel: ['cli', 'operate', 'wiring', 'evidence'],
  accounts: ['cli', 'operate', 'wiring', 'installation', 'http', 'signup', 'takeback', 'events', 'alerts'],
  velocity: ['operate', 'wiring', 'signup'],
  // Its callers get copies of records: every change of them must reach it.
  'store/history-index': ['store/sqlite'],
  'store/writer': ['store/sqlite'],
  'store/records': ['store/sqlite', 'store/history-index', 'store/writer'],
  outbound: ['operate', 'wiring', 'http', 'signup', 'takeback', 'events', 'evidence', 'intel', 'accounts'],
  config: ['cli', 'operate', 'wiring'],
};

/** Engine → the files that others may import. To add one is a decision. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'velocity/memory': ['memory.ts'],
  'velocity/redis': ['examine.ts', 'redis.ts'],
  'store/history-index': ['history-indexing.ts', 'history.ts'],
  'store/writer': ['checkpoints.ts', 'committer.ts', 'write-queue.ts'],
  'store/records': [
    'damage.ts',
    'live-attempts.ts',
    'record-batch.ts',
    'record-changes.ts',
    'record-source.ts',
    'recorder.ts',
  ],
  'evidence/sources': [
    'cached-texts.ts',
    'canary.ts',
    'dns-client.ts',
    'dns-mail-answer.ts',
    'dns-message.ts',
    'domain-age.ts',
    'http-get.ts',
    'mail-exchange.ts',
    'rdap-age-memory.ts',
    'remembered-answer.ts',
    'reputation.ts',
    'two-generation-cache.ts',
  ],
  intel: [
    'check.ts',
    'feed-service.ts',
    'feed-settings.ts',
    'intel.ts',
    'live-intel.ts',
    'live-thread.ts',
    'repository-files.ts',
    'typing-mistake.ts',
  ],
  takeback: [
    'connection-admin.ts',
    'job-admin.ts',
    'providers/create-provider.ts',
    'take-back.ts',
    'user-id.ts',
  ],
  alerts: ['alert-words.ts', 'live-alerts.ts'],
  waves: [
    'campaigns.ts',
    'find-waves.ts',
    'live-learning.ts',
    'mailboxes.ts',
    'member-keys.ts',
    'to-member.ts',
    'wave-member.ts',
    'wave-replay.ts',
  ],
  'http/core': [
    'body.ts',
    'listener.ts',
    'load-shedder.ts',
    'open-port.ts',
    'problems.ts',
    'request-context.ts',
    'request-handler.ts',
    'router.ts',
    'static-file.ts',
    'trusted-proxies.ts',
    'web-routes.ts',
  ],
};

/** Folders or files of adapters: only `wiring`, `operate` and the adapter itself may name them. */
const ADAPTERS = ['store/sqlite/', 'store/postgres/', 'velocity/memory/', 'velocity/redis/'];
const MAY_NAME_ADAPTERS = ['wiring', 'operate'];
const MAX_WIRING_LINES = 1_600;
/** Module that reads 0.13 s long when it is loaded. */
const TABLE_OF_NAMES = 'address/name-shape.ts';

interface Import {
  readonly from: string;
  readonly to: string;
  /** Whether it is started as a thread, by its URL. */
  readonly isThread: boolean;
}

const allFiles = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();
const sources = allFiles.filter((file) => !/\.(test|suite)\.ts$/.test(file));
/** Test suites shared by several adapters. */
const suites = allFiles.filter((file) => file.endsWith('.suite.ts'));
const imports = sources.flatMap(importsOf);

describe('the source code', () => {
  it('has rooms, and their imports are found', () => {
    expect(sources.length).toBeGreaterThan(60);
    expect(imports.length).toBeGreaterThan(150);
    expect(new Set(sources.map(roomOf))).toEqual(new Set(ROOMS));
  });

  it('lets each room import only rooms below it', () => {
    const forbidden = imports.filter(({ from, to }) => {
      const [importer, imported] = [roomOf(from), roomOf(to)];
      return ROOMS.indexOf(importer) > ROOMS.indexOf(imported);
    });
    expect(forbidden).toEqual([]);
  });

  it.each(Object.entries(KNOWN_TO))('lets only those import %s whom the table names', (room, importers) => {
    const entering = imports.filter(({ from, to }) => isIn(room, to) && !isIn(room, from));
    expect(entering.filter(({ from }) => !importers.some((importer) => isIn(importer, from)))).toEqual([]);
    // A room that does not import it any more is to leave the table.
    expect(importers.filter((importer) => !entering.some(({ from }) => isIn(importer, from)))).toEqual([]);
  });

  it('lets an engine be entered by its doors alone', () => {
    const forbidden = imports.filter(({ from, to }) => {
      const engine = Object.keys(DOORS).find((folder) => to.startsWith(`${folder}/`));
      if (engine === undefined || from.startsWith(`${engine}/`)) return false;
      return DOORS[engine]?.includes(to.slice(engine.length + 1)) === false;
    });
    expect(forbidden).toEqual([]);
  });

  it('has no door that nobody uses', () => {
    const entered = new Set(
      imports.filter(({ from, to }) => dirname(from) !== dirname(to)).map(({ to }) => to),
    );
    const doors = Object.entries(DOORS).flatMap(([engine, files]) =>
      files.map((file) => `${engine}/${file}`),
    );
    expect(doors.filter((door) => !entered.has(door))).toEqual([]);
  });

  it('has no import circle, of files or of folders', () => {
    // A thread and who starts it are one story: it may know the message that it is started with.
    expect(circlesOf(imports.filter(({ isThread }) => !isThread))).toEqual([]);
    const folders = imports
      .map(({ from, to, isThread }) => ({ from: dirname(from), to: dirname(to), isThread }))
      .filter(({ from, to }) => from !== to);
    expect(circlesOf(folders)).toEqual([]);
  });

  it('finds the modules of threads, which are imported by URL', () => {
    const threads = sources.filter((file) =>
      /-thread\.ts$|\/(?:writer|checkpointer|velocity-reader)\.ts$/.test(file),
    );
    expect(threads.length).toBeGreaterThan(5);
    expect(threads.filter((file) => !imports.some(({ to }) => to === file))).toEqual([]);
  });

  it('lets the thread that learns waves load no table of names', () => {
    const loaded = new Set(['wiring/waves-thread.ts']);
    for (const file of loaded) for (const { from, to } of imports) if (from === file) loaded.add(to);
    expect(loaded.size).toBeGreaterThan(20);
    expect(sources).toContain(TABLE_OF_NAMES);
    expect([...loaded]).not.toContain(TABLE_OF_NAMES);
  });

  it('lets only wiring/, operate/ and an adapter itself name an adapter', () => {
    const forbidden = imports.filter(({ from, to }) =>
      ADAPTERS.some(
        (adapter) =>
          to.startsWith(adapter) && !from.startsWith(adapter) && !MAY_NAME_ADAPTERS.includes(roomOf(from)),
      ),
    );
    expect(forbidden).toEqual([]);
  });

  it('keeps wiring short, so that nothing else settles there', () => {
    const lines = sources
      .filter((file) => roomOf(file) === 'wiring')
      .reduce((sum, file) => sum + linesOf(file), 0);
    expect(lines).toBeLessThanOrEqual(MAX_WIRING_LINES);
  });

  it('reads the environment only in config/', () => {
    expect(filesWith(/process\.env\b/).filter((file) => roomOf(file) !== 'config')).toEqual([]);
  });

  it('keeps HTTP status codes in the tables of problems and http/', () => {
    const forbidden = filesWith(/\b(?:status(?:Code)?:|\.code\()\s*[1-5]\d\d\b/).filter(
      (file) => !/^contract\/(?:dashboard-)?problems?\.ts$/.test(file) && !file.startsWith('http/'),
    );
    expect(forbidden).toEqual([]);
  });

  it('keeps the judge pure: no clock, no I/O, no randomness', () => {
    const text =
      readFileSync(join(SOURCE, 'signup/judge.ts'), 'utf8') +
      readFileSync(join(SOURCE, 'signup/policy.ts'), 'utf8') +
      readFileSync(join(SOURCE, 'signup/rule.ts'), 'utf8');
    expect(text).not.toMatch(/from 'node:|Date\b|performance|Math\.random|\bfetch\b|\bawait\b/);
  });

  it('keeps the model to types and values: no clock, no I/O, no randomness', () => {
    const files = sources.filter((file) => file.startsWith('model/'));
    expect(files.length).toBeGreaterThan(5);
    const effects =
      /from 'node:|\bDate\b|\bperformance\b|Math\.random|\bfetch\b|\bawait\b|\basync\b|\bprocess\b/;
    expect(files.filter((file) => effects.test(codeOf(file)))).toEqual([]);
  });

  it('declares each exported type name once', () => {
    const files = new Map<string, string[]>();
    for (const file of sources)
      for (const [, name = ''] of codeOf(file).matchAll(
        /^export (?:type|interface|(?:abstract )?class|enum) (\w+)/gm,
      ))
        files.set(name, [...(files.get(name) ?? []), file]);
    expect(files.size).toBeGreaterThan(300);
    const twins = [...files].filter(([, declarers]) => declarers.length > 1);
    expect(twins).toEqual([]);
  });

  it('has no barrels, no default exports and no files for mixed helpers', () => {
    expect(
      sources.filter((file) => /(^|\/)(index|utils|helpers|common|services|types)(\.ts|\/)/.test(file)),
    ).toEqual([]);
    expect(filesWith(/^export default\b/m)).toEqual([]);
    expect(filesWith(/^export \* from/m)).toEqual([]);
  });
});

describe('file sizes', () => {
  const measure = (file: string) => ({ file, lines: linesOf(file) });
  const lengths = sources.map(measure);

  it('none has over 400 lines, and no test suite of an adapter', () => {
    expect(suites.length).toBeGreaterThan(20);
    expect([...lengths, ...suites.map(measure)].filter(({ lines }) => lines > 400)).toEqual([]);
  });

  it('every file begins with a sentence on what it decides', () => {
    const silent = sources.filter(
      (file) => !/^(#!.*\n)?\/\*\* \S/.test(readFileSync(join(SOURCE, file), 'utf8')),
    );
    expect(silent).toEqual([]);
  });
});

/** Whether a file is in a room or a folder. */
function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`) || file === `${folder}.ts`;
}

function roomOf(file: string): string {
  return (file.split('/')[0] as string).replace(/\.ts$/, '');
}

/** The files, or folders, of each import circle (Tarjan's strongly connected components). */
function circlesOf(all: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of all) targets.set(from, [...(targets.get(from) ?? []), to]);
  const places = new Map<string, { index: number; low: number; open: boolean }>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string) => {
    const place = { index: places.size, low: places.size, open: true };
    places.set(file, place);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      const known = places.get(target) ?? visit(target);
      if (known.open) place.low = Math.min(place.low, known.low);
    }
    if (place.low === place.index) {
      const circle = stack.splice(stack.indexOf(file));
      for (const member of circle) (places.get(member) as typeof place).open = false;
      if (circle.length > 1) circles.push(circle.sort());
    }
    return place;
  };
  for (const file of targets.keys()) if (!places.has(file)) visit(file);
  return circles;
}

/** Imports, and the modules of threads, whose URLs name the built files: a thread is code of whoever starts it. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const found = text.matchAll(/(?:from|import\()\s*'(\.[^']+)'|new URL\(\s*'(\.[^']+)\.[jt]s'/g);
  return [...found].map(([, path, thread]) => ({
    from: file,
    to: relative(SOURCE, resolve(SOURCE, dirname(file), path ?? `${thread}.ts`)),
    isThread: path === undefined,
  }));
}

/** Without comments. */
function codeOf(file: string): string {
  return readFileSync(join(SOURCE, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function filesWith(pattern: RegExp): string[] {
  return sources.filter((file) => pattern.test(readFileSync(join(SOURCE, file), 'utf8')));
}

function linesOf(file: string): number {
  return readFileSync(join(SOURCE, file), 'utf8').trimEnd().split('\n').length;
}

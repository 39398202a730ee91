/** Everything that an operator meets by name is found from docs/README.md, every link leads somewhere, and no page is long. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sitePages } from '../scripts/site-pages.mjs';
import { createProgram } from '../src/cli/cli.ts';
import { allCommands } from '../src/cli/commands.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { DASHBOARD_PROBLEMS, PROBLEMS } from '../src/contract/problem.ts';
import { REASON_CODES } from '../src/contract/reasons.ts';
import { createMetrics } from '../src/http/metrics.ts';
import { RULES } from '../src/signup/policy.ts';
import { ROOMS } from './support/rooms.ts';

const ROOT = resolve(import.meta.dirname, '..');
const MAX_LINES = 250;
const INDEX = 'docs/README.md';
const MAX_MAP_WORDS = 1_200;
const MAX_README_WORDS = 400;
/** Parts of the service that are read about beside their code. */
const ENGINES = [
  'accounts',
  'evidence/sources',
  'http/core',
  'intel',
  'store/history-index',
  'store/records',
  'store/sqlite',
  'store/writer',
  'velocity',
];
const DECISION_HEADINGS = ['Context', 'Decision', 'Alternatives', 'Consequences'];

/** Applications, each with its own package.json. */
const EXAMPLES = readdirSync(join(ROOT, 'examples')).filter((name) =>
  existsSync(join(ROOT, 'examples', name, 'package.json')),
);
const pages = [
  ...markdownIn('.', false),
  ...markdownIn('docs', true),
  ...markdownIn('deploy', true),
  ...markdownIn('capacity', false),
  ...markdownIn('client', false),
  ...markdownIn('clients', true),
  ...markdownIn('src', true),
  ...markdownIn('examples', false),
  ...EXAMPLES.flatMap((name) => markdownIn(`examples/${name}`, false)),
];
/** The names of all files with code, without their folders. */
const SOURCE_NAMES = new Set(
  [
    'src',
    'client/src',
    'dashboard',
    'test',
    'bench',
    'capacity',
    'demo',
    'scripts',
    'tools',
    'examples',
  ].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.includes('node_modules'))
      .map((file) => basename(file)),
  ),
).add('vitest.config.ts');
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
/** Without blocks of code, which may contain text that only looks like a heading or a link. */
const proseOf = (page: string) => read(page).replace(/^```[\s\S]*?^```$/gm, '');
const linksOf = (page: string) =>
  [...proseOf(page).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, link = '']) => link);
const targetOf = (page: string, link: string) => {
  const [path = '', anchor] = link.split('#');
  return { target: path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path)), anchor };
};
const missingIn = (page: string, names: readonly string[]) =>
  names.filter((name) => !read(page).includes(name));

describe('the index', () => {
  it('leads to every page', () => {
    const reached = new Set([INDEX]);
    for (const page of reached)
      for (const link of linksOf(page)) {
        const { target } = targetOf(page, link);
        if (target.endsWith('.md')) reached.add(target);
      }
    const indexed = [
      ...pages.filter((page) => page.startsWith('docs/')),
      'dashboard/README.md',
      'client/README.md',
      ...pages.filter((page) => page.startsWith('clients/')),
      ...pages.filter((page) => page.startsWith('examples/')),
    ];
    expect(indexed.filter((page) => !reached.has(page))).toEqual([]);
  });

  it.each(['settings', 'commands', 'monitoring', 'troubleshooting', 'scoring', 'data-sources'])(
    'links to %s.md, where names can be looked up',
    (page) => {
      expect(linksOf(INDEX).map((link) => link.split('#')[0])).toContain(`${page}.md`);
    },
  );
});

describe('found by name in the documents', () => {
  it('every setting', () => {
    const names = Object.values(SETTINGS).map(({ name }) => `| \`${name}\` |`);
    expect(missingIn('docs/settings.md', names)).toEqual([]);
  });

  it('every command', () => {
    const commands = createProgram(allCommands()).commands.flatMap((command) => {
      const name = `gatehouse ${command.name()}`;
      return command.commands.length === 0
        ? [name]
        : command.commands.map((child) => `${name} ${child.name()}`);
    });
    expect(commands.length).toBeGreaterThan(25);
    expect(
      missingIn(
        'docs/commands.md',
        commands.map((name) => `| \`${name}\` |`),
      ),
    ).toEqual([]);
  });

  it('every metric', async () => {
    const { text } = await createMetrics({ version: '0.0.0' }).expose(false);
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    const own = names.filter((name) => !/^gatehouse_(?:nodejs|process)_/.test(name));
    expect(own.length).toBeGreaterThan(25);
    expect(
      missingIn(
        'docs/monitoring.md',
        own.map((name) => `\`${name}\``),
      ),
    ).toEqual([]);
  });

  it('every error code', () => {
    const codes = [...Object.keys(PROBLEMS), ...Object.keys(DASHBOARD_PROBLEMS)].map((code) => `\`${code}\``);
    expect(missingIn('docs/troubleshooting.md', codes)).toEqual([]);
    expect(
      missingIn(
        'docs/api.md',
        Object.keys(PROBLEMS).map((code) => `\`${code}\``),
      ),
    ).toEqual([]);
  });

  it('every reason', () => {
    expect(
      missingIn(
        'docs/scoring.md',
        REASON_CODES.map((code) => `\`${code}\``),
      ),
    ).toEqual([]);
  });

  it('every detector, with its source and its weakness', () => {
    const section = sectionOf('docs/scoring.md', 'Sources and weaknesses of each detector');
    const described = firstCellsOf(section).flatMap((cell) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(described.toSorted()).toEqual(RULES.map(({ detector }) => detector).toSorted());
  });

  it('every page of the navigation', () => {
    const rows: Record<string, { title: string; menu?: object }> = JSON.parse(
      read('dashboard/src/pages.json'),
    );
    const titles = Object.values(rows).flatMap(({ title, menu }) => (menu === undefined ? [] : [title]));
    const described = firstCellsOf(sectionOf('docs/dashboard.md', 'The pages')).flatMap((cell) =>
      cell.split(', '),
    );
    expect(described.toSorted()).toEqual(titles.toSorted());
  });

  it('every answer of /readyz', () => {
    const health = readFileSync(join(ROOT, 'src/http/health.ts'), 'utf8');
    const details = [...health.matchAll(/message: '([^.']+\.)/g)].map(([, sentence = '']) => sentence);
    expect(details).not.toEqual([]);
    expect(
      missingIn('docs/troubleshooting.md', [
        ...details,
        PROBLEMS.unavailable.message.split(/(?<=\.)/)[0] ?? '',
      ]),
    ).toEqual([]);
  });

  it('every source that may be distrusted, by its name in the log and /readyz', () => {
    const sources = ['dns', 'rdap', 'abuseipdb', 'dnsbl:<zone>'].map((source) => `| \`${source}\` |`);
    expect(missingIn('docs/distrusted-sources.md', sources)).toEqual([]);
  });
});

describe('the map of the code', () => {
  const readmes = pages.filter((page) => page.startsWith('src/'));

  it('has every room, from top to bottom', () => {
    const rows = [...read('ARCHITECTURE.md').matchAll(/^\| `([\w-]+)(?:\.ts)?` \|/gm)].map(
      ([, room]) => room,
    );
    expect(rows).toEqual(ROOMS);
  });

  it('leads to what is written beside the code, which each engine has', () => {
    const targets = ['ARCHITECTURE.md', ...readmes].flatMap((page) =>
      linksOf(page).map((link) => targetOf(page, link).target),
    );
    expect(readmes.filter((page) => !targets.includes(page))).toEqual([]);
    expect(ENGINES.filter((engine) => !readmes.includes(`src/${engine}/README.md`))).toEqual([]);
  });

  it('is short', () => {
    const wordsOf = (page: string) => read(page).split(/\s+/).length;
    expect(wordsOf('ARCHITECTURE.md')).toBeLessThanOrEqual(MAX_MAP_WORDS);
    expect(readmes.filter((page) => wordsOf(page) > MAX_README_WORDS)).toEqual([]);
  });

  it('names paths that exist', () => {
    const missing = pages.flatMap((page) =>
      [...proseOf(page).matchAll(/`(src\/[\w./-]+)`/g)].flatMap(([, path = '']) =>
        rootsOf(page).some((root) => existsSync(join(root, path))) ? [] : `${page}: ${path}`,
      ),
    );
    expect(missing).toEqual([]);
  });
});

describe('the site', () => {
  it('has every document in its sidebar, once', () => {
    const listed = sitePages().flatMap((group) => group.pages);
    const documents = pages.filter((page) => /^docs\/(?!decisions\/\d|images\/)/.test(page));
    expect(new Set(listed).size).toBe(listed.length);
    expect(documents.filter((page) => !listed.includes(page))).toEqual([]);
    expect(listed.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
  });
});

describe.each(pages)('%s', (page) => {
  it('has links that lead somewhere', () => {
    const broken = linksOf(page).filter((link) => {
      const { target, anchor } = targetOf(page, link);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('uses the command name that also works outside the repository', () => {
    expect(read(page).match(/npx gatehouse [a-z].*/g) ?? []).toEqual([]);
  });

  it('names files that exist', () => {
    const files = [
      ...read(page).matchAll(
        /(?<![\w/.-])(?:src|test|bench|scripts|deploy|capacity|demo|bin)\/[\w./-]*\.\w+/g,
      ),
    ];
    const isThere = (file: string) => rootsOf(page).some((root) => existsSync(join(root, file)));
    expect(files.map(([file]) => file).filter((file) => !isThere(file))).toEqual([]);
    const sources = [...read(page).matchAll(/`([\w-]+\.(?:tsx?|mjs|lua|sql))`/g)].map(
      ([, name = '']) => name,
    );
    expect(sources.filter((name) => !SOURCE_NAMES.has(name))).toEqual([]);
  });

  it(`has at most ${MAX_LINES} lines`, () => {
    expect(read(page).split('\n').length - 1).toBeLessThanOrEqual(MAX_LINES);
  });
});

describe.each(pages.filter((page) => /^docs\/decisions\/\d/.test(page)))('%s', (page) => {
  const number = /(\d{3})-[^/]*$/.exec(page)?.[1] ?? '';
  const [title = '', ...sections] = read(page).split(/^## /m);

  it('has number, date and status', () => {
    expect(title).toMatch(
      new RegExp(
        `^# ${number}: .+\n\n- \\*\\*Date\\*\\*: \\d{4}-\\d\\d-\\d\\d(?:, .+)?\n- \\*\\*Status\\*\\*: .+\n\n$`,
      ),
    );
  });

  it('has context, decision, alternatives and consequences', () => {
    expect(sections.map((section) => section.slice(0, section.indexOf('\n')))).toEqual(DECISION_HEADINGS);
    for (const section of sections)
      expect(section.split('\n\n')[1]?.trim().length, section).toBeGreaterThan(10);
  });

  it('has its row in the index', () => {
    const heading = /^# \d{3}: (.+)$/m.exec(title)?.[1] ?? '';
    expect(read('docs/decisions/README.md')).toContain(
      `| [${number}](${page.split('/').at(-1)}) ${heading} |`,
    );
  });
});

function markdownIn(folder: string, recursive: boolean): string[] {
  return readdirSync(join(ROOT, folder), { recursive, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file))
    .toSorted();
}

/** The text below a heading, until the next heading. */
function sectionOf(page: string, heading: string): string {
  const after = read(page).split(`\n## ${heading}\n`)[1];
  if (after === undefined) throw new Error(`${page} has no section “${heading}”`);
  return after.split(/^#{2,3} /m)[0] ?? '';
}

/** The first cells of a table, without its header. */
function firstCellsOf(section: string): string[] {
  return [...section.matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell).slice(1);
}

/** Link targets in the form that GitHub makes from headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The page of an example also names files of that application. */
function rootsOf(page: string): string[] {
  const [, name, folder = name] =
    /^(?:docs\/protect-([\w-]+)|examples\/([\w-]+)\/README)\.md$/.exec(page) ?? [];
  return folder === undefined ? [ROOT] : [ROOT, join(ROOT, 'examples', folder)];
}

// Makes a site of the documents as they are in the repository: the same pages, the same links, no host but its own.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { defineConfig } from 'vitepress';
import { sitePages } from '../../scripts/site-pages.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
/** Filled by scripts/build-site.mjs. */
const PAGES = join(ROOT, 'site/pages');
const REFERENCE = '/reference/';
const BASE = process.env.SITE_BASE ?? '/';
const { version } = readJson('package.json');

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export
export default defineConfig({
  title: 'Gatehouse',
  description: 'Self-hosted service that decides whether a signup may come in.',
  lang: 'en',
  srcDir: PAGES,
  outDir: join(ROOT, 'site/dist'),
  cacheDir: join(ROOT, 'site/.cache'),
  base: BASE,
  head: [['link', { rel: 'icon', href: `${BASE}icon.svg` }]],
  markdown: { config: (md) => md.core.ruler.push('repository-links', rewriteLinks) },
  vite: { publicDir: join(ROOT, 'site/public'), build: { chunkSizeWarningLimit: 1_000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Documents', link: '/docs/' },
      { text: 'API reference', link: REFERENCE, target: '_self' },
      { text: version, link: '/CHANGELOG' },
    ],
    sidebar: toSidebar(),
  },
});

/** The first steps of a reader come first. */
function toSidebar() {
  return sitePages().map(({ text, pages }) => ({
    text,
    items: pages.map((page) => ({ text: titleOf(page), link: `/${page.replace(/(README)?\.md$/, '')}` })),
  }));
}

function titleOf(page) {
  return (/^# (.+)$/m.exec(readFileSync(join(ROOT, page), 'utf8'))?.[1] ?? page).replaceAll('`', '');
}

/** A link to a file of the repository that is not a page becomes plain text, and code stays as it is. */
function rewriteLinks({ tokens, env }) {
  for (const token of tokens)
    if (token.children) {
      token.children = withoutDeadLinks(token.children, dirname(env.relativePath));
      keepBraces(token.children);
    }
}

/** `{{ name }}` in code is text, such as a template of Django: Vue would look for a variable. */
function keepBraces(children) {
  for (const token of children) if (token.type === 'code_inline') token.attrSet('v-pre', '');
}

function withoutDeadLinks(children, folder) {
  let isDropped = false;
  return children.filter((token, index) => {
    if (token.type === 'link_open') {
      const [path, anchor] = (token.attrGet('href') ?? '').split('#');
      const page = path.replace(/(^|\/)README\.md$/, '$1index.md');
      const isInside = !/^[a-z]+:/.test(path) && path !== '';
      isDropped = isInside && !existsAsPage(posix.join(folder, decodeURI(page)));
      if (isInside && !isDropped) {
        token.attrSet('href', anchor === undefined ? page : `${page}#${anchor}`);
        const words = children[index + 1];
        // In the repository a page is called by its file, here by its title.
        if (/^[\w./-]+\.md$/.test(words?.content ?? ''))
          words.content = titleOf(posix.join(folder, decodeURI(path)));
      }
      return !isDropped;
    }
    const isEndOfDropped = token.type === 'link_close' && isDropped;
    if (isEndOfDropped) isDropped = false;
    return !isEndOfDropped;
  });
}

function existsAsPage(path) {
  return path.endsWith('.md') && existsSync(join(PAGES, path));
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

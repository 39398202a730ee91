// The pages of the site's sidebar, as listed in site/sidebar.json; `*` matches all pages with the same beginning.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

/** @returns {{ text: string, pages: string[] }[]} groups of paths from the root of the repository */
export function sitePages() {
  const groups = JSON.parse(readFileSync(join(ROOT, 'site/sidebar.json'), 'utf8'));
  return groups.map(({ text, pages }) => ({ text, pages: pages.flatMap(expand) }));
}

function expand(page) {
  if (!page.endsWith('*.md')) return [page];
  const files = readdirSync(join(ROOT, dirname(page))).map((name) => `${dirname(page)}/${name}`);
  return files.filter((file) => file.startsWith(page.slice(0, -4)) && file.endsWith('.md')).sort();
}

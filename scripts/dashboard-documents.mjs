// Writes the document of each page of the dashboard: the built one with the page's title in the shell that is shown
// until the scripts run, and with links by which browsers load the page's own files at once, not one after the other.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SESSION = '<link rel="preload" as="fetch" href="/dashboard/api/session" crossorigin />';

/**
 * `chunks` are those of vite's manifest. Writes `documents/<file>.html`, and `documents.json` with the route of each.
 * @param {string} out folder of the built pages
 * @param {string} table pages.json
 */
export function writeDocuments(out, table, chunks) {
  const built = readFileSync(join(out, 'index.html'), 'utf8');
  const entry = Object.keys(chunks).find((name) => chunks[name].isEntry);
  const loaded = filesOf(chunks, [entry]);
  const frame = frameOf(chunks);
  mkdirSync(join(out, 'documents'), { recursive: true });
  const documents = Object.entries(JSON.parse(readFileSync(table, 'utf8'))).map(([path, page]) => {
    const isPublic = page.role === 'anyone';
    const chunk = `src/pages/${page.file}.tsx`;
    const files = filesOf(chunks, isPublic ? [chunk] : [frame, chunk]).filter(
      (file) => !loaded.includes(file),
    );
    const links = [...files.map(linkTo), ...(isPublic ? [] : [SESSION])];
    const document = `documents/${page.file}.html`;
    const withLinks = replaced(built, '</head>', `  ${links.join('\n    ')}\n  </head>`);
    writeFileSync(join(out, document), isPublic ? withLinks : withTitle(withLinks, page.title));
    return { route: path.startsWith('/') ? path : `/accounts/:account/${path}`, document };
  });
  writeFileSync(join(out, 'documents.json'), JSON.stringify(documents));
}

/** The chunk in which every page is shown to who is signed in: what else the entry loads later, a first visit does not need. */
export function frameOf(chunks) {
  return Object.keys(chunks).find((name) => chunks[name].name === 'frame');
}

/** Scripts and style sheets that the chunks need, each once. */
function filesOf(chunks, names) {
  const seen = new Set();
  const follow = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const next of chunks[name].imports ?? []) follow(next);
  };
  for (const name of names) follow(name);
  return [...new Set([...seen].flatMap((name) => [chunks[name].file, ...(chunks[name].css ?? [])]))];
}

function linkTo(file) {
  if (file.endsWith('.css')) return `<link rel="preload" as="style" crossorigin href="/${file}" />`;
  return `<link rel="modulepreload" crossorigin href="/${file}" />`;
}

function withTitle(html, title) {
  const shown = replaced(html, '<div id="shell" hidden', '<div id="shell"');
  return replaced(
    replaced(shown, '<h1>Gatehouse</h1>', `<h1>${title}</h1>`),
    '<title>',
    `<title>${title} · `,
  );
}

function replaced(html, part, by) {
  if (!html.includes(part)) throw new Error(`dashboard/index.html has no ${part} any more`);
  return html.replace(part, by);
}

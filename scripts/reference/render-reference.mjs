/** Renders the reference: the OpenAPI document, its page and what the page needs, and the third-party notices. Needs the compiled contract. */
import { readFileSync } from 'node:fs';
import { buildOpenApi, readExamples } from '../../dist/contract/openapi.js';
import { readManageExamples } from '../../dist/contract/openapi-manage.js';
import { renderPage } from './page.mjs';

/** Written by the build before: whose work is shipped, and the licences. */
const NOTICES = new URL('../../dist/THIRD-PARTY.txt', import.meta.url);
/** In the order of the cascade; sent as one file. */
const STYLES = ['frame.css', 'navigation.css', 'tables.css', 'examples.css'];

/** The page and all that it links to, by paths relative to the page's folder, as in its links. */
export function renderReference() {
  const document = buildOpenApi();
  const json = `${JSON.stringify(document, null, 2)}\n`;
  const page = renderPage(document, { ...readExamples(), ...readManageExamples() });
  return [
    { path: 'openapi.json', text: json },
    { path: 'docs', text: page },
    { path: 'docs/docs.css', text: STYLES.map(asset).join('\n') },
    { path: 'docs/icon.svg', text: asset('icon.svg') },
    { path: 'notices', text: readFileSync(NOTICES, 'utf8') },
  ];
}

function asset(name) {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** Renders the reference: the OpenAPI document, its page and what the page needs, and the third-party notices. The build does it. */
import { readFileSync } from 'node:fs';
import { buildOpenApi, readExamples } from '../../contract/openapi.ts';
import { readManageExamples } from '../../contract/openapi-manage.ts';
import type { ApiDocument } from './document.ts';
import { renderPage } from './page.ts';

/** Written by the build before: whose work is shipped, and the licences. */
const NOTICES = new URL('../../../dist/THIRD-PARTY.txt', import.meta.url);
/** In the order of the cascade; sent as one file. */
const STYLES = ['frame.css', 'navigation.css', 'tables.css', 'examples.css'];

/** `path`: relative to the page's folder, as in the page's links. */
export interface ReferenceFile {
  readonly path: string;
  readonly text: string;
}

/** The page and all that it links to. The static site of the documents has the same files. */
export function renderReference(): readonly ReferenceFile[] {
  const document = buildOpenApi();
  const json = `${JSON.stringify(document, null, 2)}\n`;
  const page = renderPage(document as unknown as ApiDocument, { ...readExamples(), ...readManageExamples() });
  return [
    { path: 'openapi.json', text: json },
    { path: 'docs', text: page },
    { path: 'docs/docs.css', text: STYLES.map(asset).join('\n') },
    { path: 'docs/icon.svg', text: asset('icon.svg') },
    { path: 'notices', text: readFileSync(NOTICES, 'utf8') },
  ];
}

function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

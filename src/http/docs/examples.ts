/** Shows the examples of an operation: for each, the curl line to send and the answer it gets. */
import type { Example } from '../../contract/openapi.ts';
import type { Endpoint } from './document.ts';
import { type Html, html } from './html.ts';

const KEYS: Record<Example['key'], string> = {
  live: 'live key',
  sandbox: 'sandbox key',
  none: 'no key',
  revoked: 'revoked key',
  over_rate: 'over the rate limit',
  over_quota: 'quota used up',
};

/** One panel of which one example is open at a time. */
export function examplesPanel(endpoint: Endpoint, examples: Record<string, Example>): Html {
  const { operationId, summary } = endpoint.operation;
  const items = Object.values(examples).map(
    (example, index) => html`<details name="${operationId}"${index === 0 ? html` open` : ''}>
<summary><span class="status s${Math.floor(example.status / 100)}">${example.status}</span>
<span class="what">${example.summary}</span><span class="key">${KEYS[example.key]}</span></summary>
<h4>Request</h4><pre tabindex="0" aria-label="Request" class="select">${curl(endpoint, example)}</pre>
<h4>Response</h4><pre tabindex="0" aria-label="Response">${json(example.answer)}</pre></details>`,
  );
  return html`<aside class="examples" aria-label="Examples: ${summary}"><h3>Examples</h3>${items}</aside>`;
}

function curl({ method, path }: Endpoint, { key, body, request_id, answer }: Example): Html {
  const id = request_id ?? (answer as { request_id?: string }).request_id ?? '';
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$GATEHOUSE_URL${path.replace('{request_id}', id)}"`,
  ];
  if (key !== 'none') lines.push('  -H "Authorization: Bearer $GATEHOUSE_KEY"');
  if (body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'");
    lines.push(`  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`);
  }
  return html`${lines.join(' \\\n')}`;
}

/** A key with its colon, any other string, or a number or word. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*|true|false|null)/g;

/** Indented JSON whose names and values are marked up differently. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const parts: (Html | string)[] = [];
  let at = 0;
  let name = '';
  for (const match of text.matchAll(TOKEN)) {
    parts.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, key, colon] = match;
    if (key !== undefined) name = JSON.parse(key) as string;
    if (key !== undefined) parts.push(html`<b>${key}</b>${colon}`);
    else if (name === 'verdict') parts.push(html`<i class="${JSON.parse(whole) as string}">${whole}</i>`);
    else parts.push(html`<i>${whole}</i>`);
  }
  return html`${parts}${text.slice(at)}`;
}

/** Shows one operation: what it does, what it takes, what it answers with, and how it fails. */
import { MANAGE_OPERATIONS } from '../../dist/contract/manage-operations.js';
import { manageProblem } from '../../dist/contract/manage-problems.js';
import { OPERATIONS } from '../../dist/contract/operations.js';
import { Problem } from '../../dist/contract/problem.js';
import { listEndpoints } from './document.mjs';
import { fieldsTable } from './fields.mjs';
import { code, html, json, prose } from './html.mjs';

export function endpointSection(endpoint, document, examples) {
  const { method, path, operation } = endpoint;
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const parametersIn = (place) => (parameters ?? []).filter((parameter) => parameter.in === place);
  const body = requestBody?.content['application/json'].schema;
  return html`<section id="${operationId}" class="endpoint" aria-labelledby="${operationId}-title">
<div class="about">
<h2 id="${operationId}-title">${summary}</h2>
<p class="line"><span class="method">${method}</span> ${code(path)}</p>
<p>${prose(description)}</p>
${parametersTable('Path', parametersIn('path'), document)}
${parametersTable('Query', parametersIn('query'), document)}
${parametersTable('Request headers', parametersIn('header'), document)}
${body === undefined ? '' : fieldsTable('Request body', body, document, 'required')}
${responseTable(endpoint, document)}
${headersTable(responses)}
${errorsTable(operationId)}
</div>
${examplesPanel(endpoint, examples)}
</section>`;
}

function parametersTable(caption, parameters, document) {
  if (parameters.length === 0) return html``;
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { type: schema.type, description }]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return fieldsTable(caption, { properties, required }, document, 'required');
}

/** The fields of the answer; a message that an earlier operation answers with is described there. */
function responseTable(endpoint, document) {
  const schema = answerOf(endpoint);
  const { operation: first } =
    listEndpoints(document).find((other) => answerOf(other).$ref === schema.$ref) ?? endpoint;
  const caption = 'Response';
  if (first.operationId === endpoint.operation.operationId)
    return fieldsTable(caption, schema, document, 'optional');
  return html`<h3>${caption}</h3>
<p>The same message as the response of <a href="#${first.operationId}">${first.summary}</a>.</p>`;
}

function answerOf({ operation }) {
  return operation.responses[200].content['application/json'].schema;
}

/** Every header an answer may carry, with the statuses that carry it. */
function headersTable(responses) {
  const statuses = Object.keys(responses);
  const names = [...new Set(statuses.flatMap((status) => Object.keys(responses[status]?.headers ?? {})))];
  const rows = names.map((name) => {
    const on = statuses.filter((status) => responses[status]?.headers[name] !== undefined);
    const description = responses[on[0]]?.headers[name]?.description ?? '';
    return html`<tr><th scope="row">${code(name, 'name')}
<span class="type">${on.length === statuses.length ? 'every answer' : `on ${on.join(', ')}`}</span></th>
<td>${prose(description)}</td></tr>`;
  });
  return html`<table class="fields"><caption>Response headers</caption>
<thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function errorsTable(id) {
  const rows = problemsOf(id)
    .toSorted((a, b) => a.status - b.status)
    .map(
      ({ status, code, message }) => html`<tr><td class="status">${status}</td>
<th scope="row"><a href="#error-${code}"><code>${code}</code></a></th><td>${prose(message)}</td></tr>`,
    );
  return html`<table class="errors"><caption>Errors</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function problemsOf(id) {
  const managed = MANAGE_OPERATIONS.find((operation) => operation.id === id);
  if (managed !== undefined) return [...new Set(managed.problems)].map((code) => manageProblem(code));
  const operation = Object.values(OPERATIONS).find((candidate) => candidate.id === id);
  return (operation?.problems ?? []).map((code) => new Problem(code));
}

const KEYS = {
  live: 'live key',
  sandbox: 'sandbox key',
  none: 'no key',
  revoked: 'revoked key',
  over_rate: 'over the rate limit',
  over_quota: 'quota used up',
  token: 'management token',
};

/** A panel of examples; only one is open at a time. */
function examplesPanel(endpoint, examples) {
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

function curl({ method, path: pattern }, { key, path = pattern, body, request_id, answer }) {
  const id = request_id ?? answer.request_id ?? '';
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$GATEHOUSE_URL${path.replace('{request_id}', id)}"`,
  ];
  const variable = key === 'token' ? 'GATEHOUSE_TOKEN' : 'GATEHOUSE_KEY';
  if (key !== 'none') lines.push(`  -H "Authorization: Bearer $${variable}"`);
  if (body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'");
    lines.push(`  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`);
  }
  return html`${lines.join(' \\\n')}`;
}

/** Shows the two closed lists of the contract: the error codes by status, and the reason codes by signal. */
import { PROBLEMS, Problem, toEnvelope } from '../../contract/problem.ts';
import { REASON_CODES, REASONS, SIGNAL_GROUPS } from '../../contract/reasons.ts';
import type { ApiDocument } from './document.ts';
import { json } from './examples.ts';
import { fieldsTable } from './fields.ts';
import { type Html, html, prose } from './html.ts';

export function errorCodes(document: ApiDocument): Html {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, message, resolution }]) => html`<tr id="error-${code}"><td class="status">${status}</td>
<th scope="row"><code>${code}</code></th><td>${prose(message)} <span class="do">${prose(resolution)}</span></td></tr>`,
  );
  return html`<section id="errors" class="endpoint" aria-labelledby="errors-title"><div class="about">
<h2 id="errors-title">Errors</h2>
<p>Every error, whatever its status, has the same shape. Decide by <code>code</code>, show or log
<code>message</code>, and do what <code>resolution</code> says. A request that ends in an error is never charged.</p>
${fieldsTable('Error body', { $ref: '#/components/schemas/ErrorEnvelope' }, document, 'optional')}
<table class="errors"><caption>Error codes</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning, and what to do</th></tr></thead>
<tbody>${rows}</tbody></table>
</div><aside class="examples" aria-label="Example: an error body"><h3>Error body</h3>
<pre tabindex="0" aria-label="Error body">${json(toEnvelope(new Problem('invalid_email', 'email')))}</pre></aside></section>`;
}

export function reasonCodes(): Html {
  const groups = SIGNAL_GROUPS.map((group) => {
    const rows = REASON_CODES.filter((code) => REASONS[code].signal === group).map(
      (code) =>
        html`<tr id="reason-${code}"><th scope="row"><code>${code}</code></th><td>${prose(REASONS[code].meaning)}</td></tr>`,
    );
    return html`<table class="reasons"><caption><code>${group}</code></caption>
<thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
  });
  return html`<section id="reasons" aria-labelledby="reasons-title">
<h2 id="reasons-title">Reason codes</h2>
<p>Each finding that raised the score is one entry of <code>reasons</code>: its code, and the group of signals it belongs to.
Heaviest first, one entry a code; an empty list is a clean signal.</p>
${groups}</section>`;
}

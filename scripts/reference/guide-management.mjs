/** The part of the reference about the management API beside its operations: tokens, repeating, errors of its own. */
import { MANAGE_PROBLEM_CODES, manageProblem } from '../../dist/contract/manage-problems.js';
import { PROBLEMS } from '../../dist/contract/problem.js';
import { MANAGE_SCOPES } from '../../dist/model/manage-token.js';
import { fieldsTable } from './fields.mjs';
import { html, prose } from './html.mjs';

/** The tag of its operations. */
export const MANAGEMENT = 'Management';

export function management(document) {
  const codes = MANAGE_PROBLEM_CODES.filter((code) => !Object.hasOwn(PROBLEMS, code));
  const rows = codes.map((code) => {
    const { status, message, resolution } = manageProblem(code);
    return html`<tr id="error-${code}"><td class="status">${status}</td>
<th scope="row"><code>${code}</code></th><td>${prose(message)} <span class="do">${prose(resolution)}</span></td></tr>`;
  });
  return html`<section id="management" class="endpoint" aria-labelledby="management-title"><div class="about">
<h2 id="management-title">Management API</h2>
<p>Manages accounts, keys, own lists and hooks from Terraform and scripts. It takes a token instead of an API key:
<code>gatehouse token create</code> makes one with the scopes that you choose, for all accounts or for one.</p>
<p>Scopes: ${MANAGE_SCOPES.map((scope, at) => html`${at === 0 ? '' : ', '}<code>${scope}</code>`)}.
<code>write</code> includes <code>read</code>.</p>
<p>Every change is in the audit log, with the id of the token. Every operation is safe to repeat: names are unique, so a
repeated creation gets 409 and the id of what exists.</p>
${fieldsTable('Error body', { $ref: '#/components/schemas/ManageErrorEnvelope' }, document, 'optional')}
<table class="errors"><caption>Error codes of its own</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning, and what to do</th></tr></thead>
<tbody>${rows}</tbody></table>
</div><aside class="examples" aria-label="Example: set up a shell for the management API"><h3>For the examples below</h3>
<pre tabindex="0" aria-label="Set up a shell for the management API" class="select">export GATEHOUSE_TOKEN=gatehouse_token_…</pre></aside></section>`;
}

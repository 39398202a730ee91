/** The parts of the reference beside the operations: how to start, keys, verdicts, limits, and the lists of error and reason codes. */
import { PLANS } from '../../dist/accounts/plans.js';
import { PROBLEMS, Problem, toEnvelope } from '../../dist/contract/problem.js';
import { REASON_CODES, REASONS, SIGNAL_GROUPS } from '../../dist/contract/reasons.js';
import { choice, fieldsTable } from './fields.mjs';
import { code, html, json, prose } from './html.mjs';

export function introduction({ info }) {
  return html`<section id="introduction" class="endpoint"><div class="about">
<h1>${info.title} API</h1>
<p class="lead">${info.summary}</p>
<p>Send the address and the IP of a signup to one operation; the answer is a verdict, a score from 0 to 100 and the
reasons for it. Call it from your server, before the account is created, and let the signup pass if no answer comes in time.</p>
<p>Requests and answers are JSON. Every answer carries ${code('X-Request-Id')}, your own or the id under which the service's log knows it.
Members may be added to answers; ignore those you do not know.</p>
</div><aside class="examples" aria-label="Example: set up a shell"><h2>For the examples on this page</h2>
<pre tabindex="0" aria-label="Set up a shell" class="select">export GATEHOUSE_URL=http://127.0.0.1:8080
export GATEHOUSE_KEY=sk_test_…</pre></aside></section>`;
}

export function authentication() {
  return html`<section id="authentication" class="endpoint" aria-labelledby="authentication-title"><div class="about">
<h2 id="authentication-title">Authentication</h2>
<p>Every operation takes a key in the <code>Authorization</code> header, as a bearer token. A key belongs to one account;
keep it on your server, never in a page or an app.</p>
<table class="fields"><caption>Kinds of key</caption><thead><tr><th scope="col">Key</th><th scope="col">Meaning</th></tr></thead><tbody>
<tr><th scope="row"><code class="name">sk_live_…</code></th><td>Real evidence. Each stored assessment costs one credit.
Reads and gives feedback on every assessment of its account.</td></tr>
<tr><th scope="row"><code class="name">sk_test_…</code></th><td>Sandbox: a fixture chosen by the address, always the same, never charged.
Knows sandbox assessments only.</td></tr></tbody></table>
<table class="fields"><caption>Sandbox fixtures</caption><thead><tr><th scope="col">Address</th><th scope="col">Answer</th></tr></thead><tbody>
<tr><th scope="row"><code class="name">allow@…</code> <span class="type">or any other</span></th><td>${choice('allow')} score 5</td></tr>
<tr><th scope="row"><code class="name">challenge@…</code></th><td>${choice('challenge')} score 45, ${choice('velocity_ip')};
without a usable IP ${choice('velocity_domain')}</td></tr>
<tr><th scope="row"><code class="name">block@…</code> <span class="type">or @mailinator.com</span></th><td>${choice('block')} score 92,
${choice('email_disposable')}</td></tr></tbody></table>
</div><aside class="examples" aria-label="Example: the header"><h3>Header</h3>
<pre tabindex="0" aria-label="Header">Authorization: Bearer $GATEHOUSE_KEY</pre></aside></section>`;
}

export function verdicts() {
  return html`<section id="verdicts" aria-labelledby="verdicts-title">
<h2 id="verdicts-title">Verdicts</h2>
<p>The verdict is the score measured against two thresholds: those of the key, else those of its account.
Unless set otherwise they are 30 and 60.</p>
<table class="scale"><caption>Scores and verdicts with the default thresholds</caption>
<thead><tr><th scope="col">Score</th><th scope="col">Verdict</th><th scope="col">What to do</th></tr></thead><tbody>
<tr class="allow"><td>0–29</td><th scope="row">${choice('allow')}</th><td>Create the account.</td></tr>
<tr class="challenge"><td>30–59</td><th scope="row">${choice('challenge')}</th><td>Ask for more first: confirm the address, solve a puzzle.</td></tr>
<tr class="block"><td>60–100</td><th scope="row">${choice('block')}</th><td>Refuse the signup, or keep it for a person to look at.</td></tr>
</tbody></table></section>`;
}

export function limits() {
  const rows = Object.entries(PLANS).map(
    ([name, { requestsPerSecond, monthlyAssessments }]) => html`<tr><th scope="row"><code>${name}</code></th>
<td>${requestsPerSecond}</td><td>${monthlyAssessments.toLocaleString('en')}</td></tr>`,
  );
  return html`<section id="limits" aria-labelledby="limits-title">
<h2 id="limits-title">Limits</h2>
<p><strong>Rate.</strong> Any 5 seconds admit 15 times the plan's requests per second to ${code('POST /v1/assess')}:
three times the plan's rate, so that bursts pass. Counted per account, over all its live keys; sandbox calls have a count of
their own. Beyond it: 429 ${choice('rate_limit')}.</p>
<p><strong>Quota.</strong> A plan holds a number of live assessments per UTC month. Beyond it: 429 ${choice('quota_exceeded')},
unless the account allows overage. Sandbox calls are never counted.</p>
<p>Both are in the headers of each metered answer, so that you can slow down before you are refused. A 429 carries
${code('Retry-After')}, in seconds. A body may hold 64 KiB.</p>
<table class="plans"><caption>Plans, unless an account has limits of its own</caption><thead><tr><th scope="col">Plan</th>
<th scope="col">Requests per second</th><th scope="col">Assessments per month</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

export function errorCodes(document) {
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

export function reasonCodes() {
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

// Runs the vectors of `vectors.jsonl` with the JavaScript client: `node run-vectors.mjs VECTORS ENVIRONMENT`, one line of results for each. The runners of the other languages do the same.
import { readFileSync } from 'node:fs';
import { clientIp, Gatehouse } from 'gatehouse-client';

const [vectorsFile, environmentFile] = process.argv.slice(2);
const environment = JSON.parse(readFileSync(environmentFile, 'utf8'));
const vectors = readFileSync(vectorsFile, 'utf8').split('\n').filter(Boolean);
async function runVector({ client: options = {}, steps }, index) {
  const results = [];
  const reported = [];
  let client;
  try {
    client = createClient(options, index, reported);
  } catch (error) {
    return [{ error: describe(error) }];
  }
  for (const step of steps) {
    reported.length = 0;
    let result;
    for (let times = 0; times < (step.times ?? 1); times += 1) {
      result = await runStep(client, step, results, options);
      if (step.until === 'error' && result.error) break;
    }
    results.push({ ...result, ...(step.call === 'protect_signup' ? { reported: [...reported] } : {}) });
  }
  return results;
}

function createClient(options, index, reported) {
  const { key = 'live', url, path = '', timeout_ms = 60_000, breaker } = options;
  return new Gatehouse({
    url: url === undefined ? `${environment.base_url}/${index}${path}` : (environment.urls[url] ?? undefined),
    key: environment.keys[key] ?? undefined,
    timeoutMs: timeout_ms ?? undefined,
    maxRetries: options.max_retries,
    breaker: breaker && { failures: breaker.failures, openMs: breaker.open_ms },
    ...(breaker === false ? { breaker } : {}),
    trustedProxies: options.trusted_proxies,
    onFailure: options.on_failure,
    mode: options.mode,
    onError: ({ code }) => reported.push(code),
  });
}

async function runStep(client, { call, input, request = {} }, results, options) {
  const startedAt = performance.now();
  const elapsed = () => ({ elapsed_ms: performance.now() - startedAt });
  try {
    const result = await CALLS[call](client, resolve(input ?? {}, results), request, options);
    return { ...result, ...elapsed() };
  } catch (error) {
    return { error: describe(error), ...elapsed() };
  }
}

const CALLS = {
  assess: (client, { idempotency_key, ...body }) =>
    client.assess(body, { idempotencyKey: idempotency_key }).then(answered),
  get_assessment: (client, { request_id }) => client.getAssessment(request_id).then(answered),
  feedback: (client, body) => client.feedback(body).then(answered),
  redeem_challenge: (client, { idempotency_key, ...body }) =>
    client.redeemChallenge(body, { idempotencyKey: idempotency_key }).then(answered),
  outcome: (client, body) => client.outcome(body).then(answered),
  appeal_link: (client, body) => client.appealLink(body).then(answered),
  usage: (client) => client.usage().then(answered),
  async protect_signup(client, input, request) {
    const decision = await client.protectSignup(toRequest(request), {
      email: input.email,
      ip: input.ip,
      sessionId: input.session_id,
      broughtBy: input.brought_by,
      idempotencyKey: input.idempotency_key,
      timeoutMs: input.timeout_ms,
    });
    return {
      decision: decision.decision,
      failed_open: decision.failedOpen,
      mail_unwanted: decision.mailUnwanted,
      ip: decision.ip,
      error: decision.error?.code ?? null,
      ...(decision.assessment === null ? { answer: null } : answered(decision.assessment)),
    };
  },
  client_ip: (_client, _input, request, { trusted_proxies }) => ({
    ip: clientIp(toRequest(request), { trustedProxies: trusted_proxies }),
  }),
  wait: (_client, { ms }) => new Promise((done) => setTimeout(() => done({}), ms)),
};

function toRequest({ peer, headers = [] }) {
  return { headers, socket: { remoteAddress: peer } };
}

function answered(answer) {
  const { rateLimit, quota, replayed, shadowVerdict, tries } = answer.meta;
  const meta = { rate_limit: rateLimit, quota, replayed, shadow_verdict: shadowVerdict, tries };
  return { answer, meta, ...(answer.verdict === undefined ? {} : { model: describeModel(answer) }) };
}

function describeModel(answer) {
  return {
    verdict: answer.verdict,
    score: answer.score ?? 0,
    session_id: answer.session_id ?? null,
    first_reason: answer.reasons?.[0]?.code ?? null,
    domain: answer.signals?.email?.domain ?? '',
    ip: answer.signals?.ip?.address ?? null,
    has_challenge: answer.challenge !== undefined,
    has_shadow_verdict: answer.shadow_verdict !== undefined,
  };
}

function describe(error) {
  const { name, code, message, status, param, resolution, retryAfterMs, quota, tries } = error;
  const kind = name
    .replace(/Error$/, '')
    .replace(/(?<!^)[A-Z]/g, '_$&')
    .toLowerCase();
  const known = {
    kind,
    code,
    message,
    status,
    param,
    resolution,
    retry_after_ms: retryAfterMs,
    quota,
    tries,
  };
  return code === undefined ? { code: 'crash', message: error.stack } : known;
}

/** Replaces `$0.answer.request_id` by that member of the result of step 0. */
function resolve(value, results) {
  if (typeof value === 'string' && value.startsWith('$'))
    return value
      .slice(1)
      .split('.')
      .reduce((at, name) => at?.[name], results);
  if (typeof value !== 'object' || value === null) return value;
  if (value.$repeat) return value.$repeat[0].repeat(value.$repeat[1]);
  if (Array.isArray(value)) return value.map((each) => resolve(each, results));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, results)]));
}

for (const [index, line] of vectors.entries())
  process.stdout.write(`${JSON.stringify({ index, results: await runVector(JSON.parse(line), index) })}\n`);

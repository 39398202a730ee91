/** A host brings an OpenTelemetry SDK: a signup is one span with its steps below it, beneath the caller's, and no span names a person. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installTools } from '../../tools/install-tools.mjs';
import { ROOT } from '../support/command.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';

interface WrittenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

let installation: Installation;
let service: ServiceProcess;
let file: string;
let key: string;

beforeAll(async () => {
  // The service would wait for it, and then be late.
  await installTools();
  installation = await createInstallation();
  file = join(installation.directory, 'spans');
  key = (await plant(installation)).live;
  const NODE_OPTIONS = `--import ${join(ROOT, 'test/support/tracing-sdk.mjs')}`;
  service = await installation.spawn({ NODE_OPTIONS, SPANS: file });
});
afterAll(async () => {
  await service?.stop();
  await installation?.remove();
});

const spans = (): WrittenSpan[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as WrittenSpan)
    : [];

it('shows the steps of a signup below the span of its caller', async () => {
  const response = await fetch(`${service.url}/v1/assess`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    body: JSON.stringify({ email: 'walter.brandt@gmx.de', ip: '198.51.100.77' }),
  });
  const { request_id: id } = (await response.json()) as { request_id: string };
  const ofCall = () => spans().filter(({ traceId }) => traceId === TRACE);
  await expect.poll(() => ofCall().some(({ parent }) => parent === CALLER)).toBe(true);
  const root = ofCall().find(({ parent }) => parent === CALLER);
  expect(root).toMatchObject({
    name: 'POST assessSignup',
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'gatehouse.operation': 'assessSignup',
      'gatehouse.request_id': id,
    },
  });
  const nameOf = (spanId?: string) => ofCall().find((span) => span.spanId === spanId)?.name;
  const steps = ofCall().map(({ name, parent }) => [name, nameOf(parent)]);
  for (const step of ['gather', 'record', 'gather velocity'])
    expect(steps).toContainEqual([step, 'POST assessSignup']);
  expect(steps).toContainEqual(['gather ip', 'gather']);
  const text = readFileSync(file, 'utf8');
  for (const secret of ['walter', 'gmx.de', '198.51.100.77', key]) expect(text).not.toContain(secret);
});

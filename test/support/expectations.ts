/** Checks what all answers of the contract have in common. */
import Schema from 'typebox/schema';
import { expect, vi } from 'vitest';
import type { Answer } from './client.ts';
import { HANG_MS } from './long-version.ts';

/** Each poll costs the service a millisecond of CPU or more. */
const POLL_MS = 30;

interface Envelope {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly param?: string;
    readonly resolution: string;
  };
}

/** Checks the error envelope and returns its code and, if a parameter is at fault, `param`. */
export function problemOf(answer: Answer<unknown>): { status: number; code: string; param?: string } {
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const { error, ...beside } = answer.json as Envelope;
  expect(beside).toEqual({});
  const { code, message, param, resolution, ...more } = error;
  expect(more).toEqual({});
  expect(message).toMatch(/^\S.{5,}\.$/);
  expect(resolution).toMatch(/^\S.{5,}\.$/);
  return { status: answer.status, code, ...(param === undefined ? {} : { param }) };
}

/** The rate-limit and quota headers of an answer, as numbers. */
export function meterOf({ headers }: Answer<unknown>) {
  const read = (name: string): number => {
    expect(headers[name], name).toMatch(/^\d+$/);
    return Number(headers[name]);
  };
  return {
    limit: read('x-ratelimit-limit'),
    remaining: read('x-ratelimit-remaining'),
    reset: read('x-ratelimit-reset'),
    used: read('x-quota-used'),
    quota: read('x-quota-limit'),
  };
}

type Check = (component: string, value: unknown) => unknown[];

/** Checks values against the schemas of an OpenAPI document; the answer is a list of faults. */
export function schemaCheck(document: { components?: unknown }): Check {
  return (component, value) => {
    const schema = { components: document.components, $ref: `#/components/schemas/${component}` };
    return Schema.Errors(schema, value)[1];
  };
}

/** Polls until `condition` is true; for background work of a service. @param everyMs longer if a poll takes much CPU */
export async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs = HANG_MS,
  everyMs = POLL_MS,
): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await condition())) throw new Error(`did not happen within ${withinMs} ms`);
    },
    { timeout: withinMs, interval: everyMs },
  );
}

/** Milliseconds of CPU that a service uses for `work`; independent of other processes. */
export async function cpuMilliseconds(url: string, work: () => Promise<unknown>): Promise<number> {
  const read = async () =>
    Number(
      /^gatehouse_process_cpu_seconds_total (\S+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1],
    );
  const before = await read();
  await work();
  return ((await read()) - before) * 1_000;
}

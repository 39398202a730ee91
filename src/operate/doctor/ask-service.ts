/** Asks a service on this machine, on its port, its port for metrics, or its Unix socket. */
import { request } from 'node:http';
import { socketPathOf } from '../../model/listen-address.ts';

const ANSWER_MS = 3_000;

/** A place where a service answers `/readyz` and `/metrics`. */
export interface ServicePlace {
  readonly name: string;
  readonly connection: { readonly socketPath: string } | { readonly host: string; readonly port: string };
}

/** @param url of the running service, as its data folder notes it. @returns `undefined` where the port is not known */
export function placeOf(url: string, metricsPort: number | null): ServicePlace | undefined {
  if (metricsPort === 0) return undefined;
  const socketPath = socketPathOf(url);
  if (socketPath !== undefined) {
    if (metricsPort === null) return { name: url, connection: { socketPath } };
    return atPort('127.0.0.1', String(metricsPort));
  }
  const { hostname, port } = new URL(
    url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'),
  );
  return atPort(hostname.replace(/^\[(.*)\]$/, '$1'), metricsPort === null ? port : String(metricsPort));
}

function atPort(host: string, port: string): ServicePlace {
  return { name: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, connection: { host, port } };
}

/** @throws with the system's code when nobody listens, or there is no answer in time */
export function askService(
  { connection }: ServicePlace,
  path: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const question = request(
      { ...connection, path, signal: AbortSignal.timeout(ANSWER_MS), agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    question.on('error', reject);
    question.end();
  });
}

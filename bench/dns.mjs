// A resolver on loopback that answers every name with a mail exchange, so that a bench queries no outside server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('./dns-server.mjs', import.meta.url));

/**
 * Resolves to the server's `ip:port` and its process. It is a separate process, because a busy bench must not make the
 * service wait for its resolver.
 */
export async function startDns() {
  const child = spawn(process.execPath, [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { ...JSON.parse(line), pid: child.pid, close: () => child.stdin.end() };
}

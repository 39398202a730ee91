/** Gives hooks what HTTP may not import: the encryption of their secrets, and how providers' public keys are fetched. */
import { createSecretBox, type SecretBox } from '../accounts/secret-box.ts';
import { createHttpGet, type HttpGet } from '../evidence/sources/http-get.ts';
import type { CertificatesOptions } from '../http/hooks-certificates.ts';
import type { PublicKeysOptions } from '../http/hooks-public-keys.ts';
import type { ProxySettings } from '../outbound/proxy-choice.ts';
import {
  createJudgeFromMemory,
  type JudgeFromMemory,
  type JudgeFromMemoryOptions,
} from '../signup/judge-from-memory.ts';

export interface HookParts extends Pick<PublicKeysOptions, 'fetchText' | 'texts'> {
  readonly judgeFromMemory: JudgeFromMemory;
  readonly box: SecretBox;
  readonly fetchExactly: CertificatesOptions['fetchExactly'];
  /** Aborts open requests. */
  close(): void;
}

/** A request that waits for the keys has 1.5 seconds in all. */
const LIMIT_MS = 1_200;
const LIMIT_BYTES = 64 * 1024;
const OK = 200;

export interface WireHooksOptions extends JudgeFromMemoryOptions {
  /** Proxies through which public keys are fetched. */
  readonly proxies: ProxySettings;
  readonly texts: PublicKeysOptions['texts'];
}

export function wireHooks(secret: Buffer, { proxies, texts, ...fromMemory }: WireHooksOptions): HookParts {
  const limits = { limitMs: LIMIT_MS, limitBytes: LIMIT_BYTES, proxies };
  const clientsOf = (maxRedirects: number) => ({
    anywhere: createHttpGet({ ...limits, maxRedirects }),
    public: createHttpGet({ ...limits, maxRedirects, reachOf: async () => 'public' }),
  });
  // A host that is permitted by name must not send elsewhere.
  const [clients, exact] = [clientsOf(3), clientsOf(0)];
  return {
    box: createSecretBox(secret),
    texts,
    judgeFromMemory: createJudgeFromMemory(fromMemory),
    fetchText: (url, reach) => read(clients[reach], url, 'application/json'),
    fetchExactly: (url, reach) => read(exact[reach], url, '*/*'),
    close() {
      for (const client of [...Object.values(clients), ...Object.values(exact)]) client.close();
    },
  };
}

async function read(client: HttpGet, url: string, accept: string): Promise<string> {
  const { status, text } = await client.get(url, accept);
  if (status !== OK) throw new Error(`keys could not be fetched: ${new URL(url).host} answered ${status}`);
  return text;
}

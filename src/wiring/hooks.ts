/** Gives hooks what HTTP may not import: the encryption of their secrets, and how providers' public keys are fetched. */
import { createSecretBox, type SecretBox } from '../accounts/secret-box.ts';
import { createHttpGet } from '../evidence/sources/http-get.ts';
import type { CertificatesOptions } from '../http/hooks-certificates.ts';
import type { PublicKeysOptions } from '../http/hooks-public-keys.ts';
import type { ProxySettings } from '../outbound/proxy-choice.ts';
import {
  createJudgeFromMemory,
  type JudgeFromMemory,
  type JudgeFromMemoryOptions,
} from '../signup/judge-from-memory.ts';

export interface HookParts {
  readonly judgeFromMemory: JudgeFromMemory;
  readonly box: SecretBox;
  readonly fetchText: PublicKeysOptions['fetchText'];
  readonly fetchExactly: CertificatesOptions['fetchExactly'];
  readonly texts: PublicKeysOptions['texts'];
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
  const clients = {
    anywhere: createHttpGet(limits),
    public: createHttpGet({ ...limits, reachOf: async () => 'public' }),
  };
  // A permitted host must not send elsewhere.
  const exact = {
    anywhere: createHttpGet({ ...limits, maxRedirects: 0 }),
    public: createHttpGet({ ...limits, maxRedirects: 0, reachOf: async () => 'public' }),
  };
  return {
    box: createSecretBox(secret),
    texts,
    judgeFromMemory: createJudgeFromMemory(fromMemory),
    async fetchText(url, reach) {
      const { status, text } = await clients[reach].get(url, 'application/json');
      if (status !== OK)
        throw new Error(`the public keys could not be fetched: ${new URL(url).host} answered ${status}`);
      return text;
    },
    async fetchExactly(url, reach) {
      const { status, text } = await exact[reach].get(url, '*/*');
      if (status !== OK) throw new Error(`${new URL(url).host} answered ${status}`);
      return text;
    },
    close() {
      for (const client of [...Object.values(clients), ...Object.values(exact)]) client.close();
    },
  };
}

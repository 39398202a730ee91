// The service's own pipeline on a data folder, with a clock that the demo sets: evidence, scores and records are real.
import { createAddressHashes, createFingerprint } from '../dist/address/fingerprint.js';
import { createGather } from '../dist/evidence/gather.js';
import { createGatherEmail } from '../dist/evidence/gather-email.js';
import { createAccountLists } from '../dist/evidence/list-accounts.js';
import { createMailHosts } from '../dist/evidence/mail-hosts.js';
import { createDnsClient } from '../dist/evidence/sources/dns-client.js';
import { createDomainAge } from '../dist/evidence/sources/domain-age.js';
import { createMailExchange } from '../dist/evidence/sources/mail-exchange.js';
import { BASELINE_FILE } from '../dist/intel/bundled-snapshot.js';
import { createFileRepository } from '../dist/intel/repository-files.js';
import { openCurrent } from '../dist/intel/snapshot-follower.js';
import { createTypingMistakes } from '../dist/intel/typing-mistake.js';
import { createAssessSignup } from '../dist/signup/assess-signup.js';
import { readSecret } from '../dist/store/sqlite/secret-file.js';
import { openSqliteStore } from '../dist/store/sqlite/sqlite.js';
import { createMemoryCounters } from '../dist/velocity/memory/memory.js';
import { openWaves } from './waves.mjs';

const DEADLINE_MS = 150;
/** Long deadlines, so that the month is the same on a busy machine. */
const PATIENCE_MS = 2_000;
const DISPOSABLE_MX_MIN = 3;

/** `clock`: returns the time in the demo's month, milliseconds since the epoch. */
export async function openPipeline({ dataDir, dnsServer, rdapBootstrapUrl, clock }) {
  const store = openSqliteStore({ directory: dataDir });
  const intel = await openCurrent(createFileRepository(dataDir).snapshots, BASELINE_FILE);
  const texts = store.cache;
  const secrets = [readSecret(dataDir)];
  const ownLists = createAccountLists(store);
  const counters = createMemoryCounters();
  const client = createDnsClient({ servers: [dnsServer], deadlineMs: DEADLINE_MS });
  const mailExchange = createMailExchange({ servers: [dnsServer], clock, onOutcome() {} });
  const domainAge = createDomainAge({
    bootstrapUrl: rdapBootstrapUrl,
    texts,
    deadlineMs: PATIENCE_MS,
    clock,
  });
  const mailHosts = createMailHosts({ minListed: DISPOSABLE_MX_MIN, client, texts, clock });
  const gatherEmail = createGatherEmail({
    mailExchange,
    domainAge,
    mailHosts,
    typingMistakes: createTypingMistakes(),
    // Reports about the month are made after it.
    goodReports: { isGood: () => false },
    domainReputation: undefined,
  });
  const waves = await openWaves({ store, clock });
  const gatherAll = createGather({
    intel: () => intel,
    gatherEmail,
    ownLists,
    campaigns: waves.campaigns,
    ipReputation: undefined,
    observe() {},
  });
  const gather = async (subject, velocity) => {
    const evidence = await gatherAll(subject, velocity);
    waves.note(subject, evidence);
    return evidence;
  };
  const assessSignup = createAssessSignup({
    ...countingOnly(counters),
    hashes: createAddressHashes(secrets),
    partialUntil: () => 0,
    gather,
    noteAddress: () => false,
    offerChallenge: () => undefined,
    record: store.record,
    storeEmails: false,
    onListed: ({ id }, at) => ownLists.noteHit(id, at),
    onMember: () => {},
    onAssessed: () => {},
  });
  return {
    store,
    ownLists,
    waves,
    fingerprint: createFingerprint(secrets[0]),
    /** Moves the counters' windows to the demo's time. */
    sweep: (at) => counters.sweep(at),
    /** Returns the verdict, and whether it was only observed. */
    async assess(caller, message, moment) {
      const { verdict, shadowVerdict = verdict } = await assessSignup({ caller, message, moment });
      return { verdict: shadowVerdict, shadow: shadowVerdict !== verdict };
    },
    async close() {
      mailExchange.close();
      domainAge.close();
      await mailHosts.close();
      client.close();
      await ownLists.close();
      await waves.close();
      await store.close();
    },
  };
}

/** Counts for velocity at once; nobody is refused. */
function countingOnly(counters) {
  const rate = { admitted: true, remaining: 1, retryAt: 0 };
  return {
    rateLimiter: {
      admit: async () => rate,
      async countAttempt({ caller }, event) {
        const counting = { bucket: caller.account.id, window: null, credit: null, event };
        return { rate, reservation: counters.checkAndCount(counting).counted };
      },
    },
    quota: { used: () => 0, learn() {} },
  };
}

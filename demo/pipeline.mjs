// The service's own pipeline on a data folder, with a clock that the demo sets: evidence, scores and records are real.
import { createFingerprint } from '../dist/address/fingerprint.js';
import { createAssess } from '../dist/assess/assess.js';
import { readSignupAttempt } from '../dist/assess/read-signup-attempt.js';
import { createMemoryCounters } from '../dist/counters/memory.js';
import { createDnsClient } from '../dist/evidence/dns-client.js';
import { createDomainAge } from '../dist/evidence/domain-age.js';
import { createGatherEmail } from '../dist/evidence/email.js';
import { createGather } from '../dist/evidence/gather.js';
import { createMailExchange } from '../dist/evidence/mail-exchange.js';
import { createMailHosts } from '../dist/evidence/mail-hosts.js';
import { BASELINE_FILE } from '../dist/intel/bundled-snapshot.js';
import { createAccountLists } from '../dist/intel/list-accounts.js';
import { createFileRepository } from '../dist/intel/repository-files.js';
import { openCurrent } from '../dist/intel/snapshot-follower.js';
import { createTypingMistakes } from '../dist/intel/typing-mistake.js';
import { readSecret } from '../dist/store/sqlite/secret-file.js';
import { openSqliteStore } from '../dist/store/sqlite/sqlite.js';

const DEADLINE_MS = 150;
/** Long deadlines, so that the month is the same on a busy machine. */
const PATIENCE_MS = 2_000;
const DISPOSABLE_MX_MIN = 3;

/** `clock`: returns the time in the demo's month, milliseconds since the epoch. */
export async function openPipeline({ dataDir, dnsServer, rdapBootstrapUrl, clock }) {
  const store = openSqliteStore({ directory: dataDir });
  const intel = await openCurrent(createFileRepository(dataDir).snapshots, BASELINE_FILE);
  const texts = store.cache;
  const fingerprint = createFingerprint(readSecret(dataDir));
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
  const gather = createGather({
    intel: () => intel,
    gatherEmail,
    ownLists,
    ipReputation: undefined,
    observe() {},
  });
  const assess = createAssess({
    gather,
    record: store.record,
    fingerprint,
    storeEmails: false,
    offerChallenge: () => undefined,
    onListed: ({ id }, at) => ownLists.noteHit(id, at),
  });
  return {
    store,
    ownLists,
    fingerprint,
    /** Moves the counters' windows to the demo's time. */
    sweep: (at) => counters.sweep(at),
    assess(asker, request, moment) {
      const prepared = assess.prepare(asker, readSignupAttempt(request), moment);
      const counting = { bucket: asker.accountId, window: null, credit: null, event: prepared.subject };
      const counted = asker.mode === 'live' ? counters.checkAndCount(counting).counted : null;
      return assess.assess(prepared, counted);
    },
    async close() {
      mailExchange.close();
      domainAge.close();
      await mailHosts.close();
      client.close();
      await ownLists.close();
      await store.close();
    },
  };
}

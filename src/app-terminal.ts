/** Wires one assessment at the terminal: real evidence with longer deadlines, nothing stored. */
import { openIntel } from './app-intel-repository.ts';
import { wireReputation } from './app-reputation.ts';
import { assessAtTerminal } from './assess/terminal.ts';
import type { Config } from './config.ts';
import type { TextCache } from './evidence/cached-texts.ts';
import { createDomainAge } from './evidence/domain-age.ts';
import { createGather } from './evidence/gather.ts';
import { createMailExchange } from './evidence/mail-exchange.ts';
import { createTypingMistakes } from './intel/typing-mistake.ts';

export type { TerminalAssessment } from './assess/terminal.ts';

/** A person at a terminal waits longer for a registry than a signup form does. */
const TERMINAL_DEADLINE_MS = 1_500;

export async function wireTerminal(config: Config) {
  const clock = Date.now;
  const ignore = () => {};
  const intel = await openIntel(config);
  const mailExchange = createMailExchange({
    servers: config.dnsServers,
    canaryDomains: config.canaryDomains,
    clock,
    onOutcome: ignore,
  });
  const domainAge = createDomainAge({
    bootstrapUrl: config.rdapBootstrapUrl ?? undefined,
    texts: createMemoryTexts(),
    canaryDomains: config.canaryDomains,
    deadlineMs: TERMINAL_DEADLINE_MS,
    clock,
    onOutcome: ignore,
  });
  const ownLists = { find: () => null };
  const { mailHosts, ipReputation, domainReputation, close } = wireReputation({
    config,
    clock,
    texts: createMemoryTexts(),
    // Nothing is learned here, so decisions of operators change nothing.
    decisions: { hostDecisionsVersion: async () => 0, hostDecisionsSince: async () => [] },
    metrics: { dnsbl: ignore, abuseIpDb: ignore },
    dns: mailExchange.canary,
    onCanary: ignore,
  });
  const gather = createGather({
    intel: () => intel,
    mailExchange,
    domainAge,
    ownLists,
    typingMistakes: createTypingMistakes(),
    goodReports: { isGood: () => false },
    mailHosts,
    ipReputation,
    domainReputation,
    observe: ignore,
  });
  return {
    assess: (request: { email: string; ip: string | null }) => assessAtTerminal(request, gather, clock()),
    close() {
      mailExchange.close();
      domainAge.close();
      void close();
    },
  };
}

/** Texts for one command; they end with it. */
function createMemoryTexts(): TextCache {
  const texts = new Map<string, { text: string; expiresAt: number }>();
  return {
    get: (name) => texts.get(name),
    read: (name) => texts.get(name),
    set: (name, text, expiresAt) => texts.set(name, { text, expiresAt }),
  };
}

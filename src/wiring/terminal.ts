/** Wires one assessment at the terminal: real evidence with longer deadlines, nothing stored. */
import type { Config } from '../config/config.ts';
import { createMemoryTexts } from '../evidence/memory-texts.ts';
import { assessAtTerminal } from '../signup/terminal.ts';
import { wireSources } from './evidence.ts';
import { openIntel } from './intel.ts';

export type { TerminalAssessment } from '../signup/terminal.ts';

/** A person at a terminal waits longer for a registry than a signup form does. */
const RDAP_DEADLINE_MS = 1_500;

export async function wireTerminal(config: Config) {
  const clock = Date.now;
  const ignore = () => {};
  const intel = await openIntel(config);
  const { gather, close } = wireSources({
    config,
    intel: () => intel,
    ownLists: { find: () => null, findOffice: () => null },
    goodReports: { isGood: () => false },
    texts: createMemoryTexts(),
    // Nothing is learned here, so decisions of operators change nothing.
    decisions: { hostDecisionsVersion: async () => 0, hostDecisionsSince: async () => [] },
    clocks: { steady: clock, patient: clock },
    metrics: {
      dns: ignore,
      dnsRefused: ignore,
      rdap: ignore,
      abuseIpDb: ignore,
      dnsbl: ignore,
      gatherer: ignore,
    },
    onCanary: ignore,
    rdapDeadlineMs: RDAP_DEADLINE_MS,
  });
  return {
    assess: (request: { email: string; ip: string | null }) => assessAtTerminal(request, gather, clock()),
    close,
  };
}

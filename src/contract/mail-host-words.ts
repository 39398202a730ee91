/** The texts about a mail host that pages, the command line and the audit log share, and which decisions would change nothing. */
import type { MailHostReport, MailHostState } from './dashboard-installation.ts';

export const MAIL_HOST_STATES: Readonly<Record<MailHostState, string>> = {
  flagged: 'flagged for every account',
  flagged_for_some: 'flagged for some accounts',
  ordinary: 'not flagged',
  unknown: 'too little seen',
  never_flagged: 'never flagged',
  shared: 'shared by many unrelated customers',
  relay: 'a relay',
  listed: 'belongs to a listed domain',
};

export type MailHostChange = 'forget' | 'never_flag' | 'flag_again';

/** Why a decision would change nothing; `undefined` where it would change something. */
export function whyNoChange(
  { state, remembered_as, decision }: MailHostReport,
  change: MailHostChange,
): string | undefined {
  if (change === 'flag_again' && decision?.never_flag !== true)
    return `Nothing to undo: nobody decided that ${remembered_as} is never flagged.`;
  if (change === 'flag_again') return undefined;
  if (state === 'shared') return `${remembered_as} is shared by many providers: never flagged anyway.`;
  if (state === 'relay') return `${remembered_as} belongs to a relay: never flagged anyway.`;
  return undefined;
}

/** `5 listed, 0 ordinary, 2 accounts`, for the audit log. */
export function describeSeen({ listed, ordinary, accounts }: MailHostReport): string {
  return `${listed} listed, ${ordinary} ordinary, ${accounts} ${accounts === 1 ? 'account' : 'accounts'}`;
}

/** `forgotten once`, `forgotten 3 times`; empty for never. */
export function describeForgotten(times: number): string {
  if (times === 0) return '';
  return times === 1 ? 'forgotten once' : `forgotten ${times} times`;
}

/** Names what an installation consists of: every adapter calls its tables so, and their columns alike. */

export interface TransferTable {
  readonly name: string;
  readonly key: readonly string[];
}

/** Only ever appended to, in order of commit; both at the same position. */
export const LOG_TABLES = ['assessments', 'assessment_documents'] as const;
export type LogTable = (typeof LOG_TABLES)[number];

/** All others, small beside the log: brought up to date as a whole. Whoever is referred to stands first. */
export const STATE_TABLES: readonly TransferTable[] = [
  table('accounts'),
  table('keys'),
  table('policies', 'account_id', 'number'),
  table('list_entries'),
  table('list_removals'),
  table('mail_host_decisions', 'key'),
  table('auth_users'),
  table('auth_sessions'),
  table('auth_credentials'),
  table('auth_verifications'),
  table('auth_two_factors'),
  table('memberships', 'user_id', 'account_id'),
  table('invitations'),
  table('once', 'name'),
  table('audit', 'seq'),
  table('credits', 'account_id', 'month'),
  table('feedback', 'request_id'),
  table('knowledge', 'name'),
  table('meta', 'name'),
];

/** Kept by the database itself, from others. */
export const DERIVED_TABLES = ['knowledge_size'] as const;

function table(name: string, ...key: string[]): TransferTable {
  return { name, key: key.length === 0 ? ['id'] : key };
}

/** Names the tables of an installation: every adapter gives them, and their columns, the same names. */

/** An assessment and its documents have the same `seq`. Rows are only ever added, in that order. */
export const HISTORY_TABLES = ['assessments', 'assessment_documents'] as const;

/** All others, small beside the history. Each comes after the tables that it refers to. */
export const STATE_TABLES = [
  'accounts',
  'keys',
  'policies',
  'list_entries',
  'list_removals',
  'mail_host_decisions',
  'auth_users',
  'auth_sessions',
  'auth_credentials',
  'auth_verifications',
  'auth_two_factors',
  'memberships',
  'invitations',
  'once',
  'audit',
  'credits',
  'feedback',
  'knowledge',
  'meta',
] as const;

/** Kept by the database itself, from others. */
export const DERIVED_TABLES = ['knowledge_size'] as const;
